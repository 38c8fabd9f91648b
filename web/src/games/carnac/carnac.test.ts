import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CarnacView, Prospect } from '$lib/api';
import { position, run, StillTable, tableOf, type Position } from '../../specimen/data.svelte';
import { settings } from '$lib/settings.svelte';
import type { Live } from '../../sources/live.svelte';
import Table from '../../screens/Table.svelte';
import { cell, press } from '../../testing';
import { faces, type Pose } from './block';
import { changes } from './changes';
import game from './index';
import { outline } from './outline';
import { describe as inWords, summary } from './position';
import { above, fromChair } from './projection';
import { arrivals, falls, landing, lastSquares, openFalls, shows } from './squares';
import { advice, entries, objection, prospect, shortProspect, tell } from './words';

HTMLElement.prototype.hidePopover ??= () => {}; // this document has none
settings.sound = false; // nor ears
afterEach(cleanup);

type Shown = Position & { view: CarnacView };
const place = position('carnac-place') as Shown;
const tilt = position('carnac-tilt') as Shown;

/** A table at a position; what is played from it. */
const show = (shown: Shown, given: Partial<Live> = {}) => {
  const play = vi.fn();
  const source = Object.assign(new StillTable(tableOf(shown), shown.previews), { play }, given);
  render(Table, { source, game: game as never });
  return { play };
};
const button = (name: RegExp | string) => screen.getByRole('button', { name });
const squares = () => screen.getAllByRole('button', { name: /^[a-n]\d: / });
const offered = () =>
  squares().flatMap((square) =>
    square.getAttribute('aria-disabled') === 'false' ? [square.getAttribute('data-cell')!] : [],
  );
const fallCards = () => within('Tilt').map((card) => card.textContent!.trim().split(/\s+/)[0]);
const within = (name: string) => [...screen.getByRole('radiogroup', { name }).querySelectorAll('[role=radio]')];

describe('placing', () => {
  test('offers exactly the legal squares', () => {
    show(place);
    expect(new Set(offered())).toEqual(new Set(place.legal.map((move) => move.slice(0, -2))));
  });

  test.each([
    ['1', 'k6rw'],
    ['2', 'k6rr'],
    ['3', 'k6ww'],
    ['4', 'k6wr'],
  ])('key %s raises the stone as shown', async (key, move) => {
    const { play } = show(place);
    await press(key);
    await fireEvent.click(cell('k6'));
    await fireEvent.click(button('Raise on k6'));
    expect(play).toHaveBeenCalledExactlyOnceWith(move);
  });

  test('at first the own colour is on top; T swaps the top and F the sides', async () => {
    const { play } = show(place);
    expect(place.view.seat).toBe(1);
    await fireEvent.click(cell('k6'));
    await press('t');
    await press('f');
    await fireEvent.click(button('Raise on k6'));
    expect(play).toHaveBeenCalledExactlyOnceWith('k6rr');
  });

  test('can be done with keys alone, at once', async () => {
    const { play } = show(place);
    await press('ArrowRight');
    expect(document.activeElement).toBe(cell('c3'));
    await press('Enter', cell('c3'));
    expect(play).not.toHaveBeenCalled();
    await press('Enter', cell('c3'));
    expect(play).toHaveBeenCalledExactlyOnceWith('c3ww');
  });

  test('a square that is taken is not chosen, and why is said', async () => {
    const reason = { game: 'carnac', reason: 'taken', square: 'e1', direction: null, outside: false, taken: [] };
    const why = vi.fn(async () => reason);
    show(place, { why });
    await fireEvent.click(cell('e1'));
    expect(why).toHaveBeenCalledExactlyOnceWith('e1ww');
    expect((await screen.findByRole('alert')).textContent).toBe('e1 is taken');
    expect(button('Choose a square')).toHaveProperty('disabled', true);
  });

  test('tells what would come of it', async () => {
    show(place);
    await fireEvent.click(cell('d3'));
    const told = (place.previews!['d3'] as Prospect[]).find(({ move }) => move === 'd3ww')!;
    await screen.findByText(prospect(place.view.dolmens, told.dolmens));
  });

  test('works in the view from the table as well', async () => {
    const { play } = show(place);
    await fireEvent.click(screen.getByRole('radio', { name: 'From the table' }));
    await fireEvent.click(cell('k6'));
    await fireEvent.click(button('Raise on k6'));
    expect(play).toHaveBeenCalledExactlyOnceWith('k6ww');
  });

  test('a notch of the wheel goes on by one stone, and so does R', async () => {
    const { play } = show(place);
    await fireEvent.click(cell('k6'));
    await fireEvent.wheel(cell('k6'), { deltaY: 100 });
    await press('r');
    await press('R', window, { shiftKey: true });
    await fireEvent.click(button('Raise on k6'));
    expect(play).toHaveBeenCalledExactlyOnceWith('k6wr');
  });
});

describe('tilting', () => {
  test('offers exactly the legal falls, west left of east, and leaving it', () => {
    show(tilt);
    expect(tilt.legal).toEqual(['tilt E', 'tilt S', 'tilt W', 'stand']);
    expect(fallCards()).toEqual(['West', 'South', 'East', 'Leave']);
  });

  test('each card tells what the fall makes', async () => {
    show(tilt);
    await waitFor(() => expect(within('Tilt')[0]!.textContent).toMatch(/red \+1, white −1/));
    expect(within('Tilt')[1]!.textContent).toMatch(/white −1 dolmen/);
  });

  test('the squares where it may fall and its own are offered, and no others', () => {
    show(tilt);
    const reach = (['E', 'S', 'W'] as const).flatMap((direction) => landing(tilt.view.tilting!, direction));
    expect(new Set(offered())).toEqual(new Set([tilt.view.tilting!, ...reach]));
    expect(cell('h5').getAttribute('aria-label')).toBe('h5: tip the stone to the west, red');
  });

  test('arrow keys choose a fall and Enter confirms it', async () => {
    const { play } = show(tilt);
    await press('ArrowLeft');
    await press('Enter', document.body);
    expect(play).toHaveBeenCalledExactlyOnceWith('tilt W');
  });

  test('with Shift they go over the squares', async () => {
    const { play } = show(tilt);
    await press('ArrowLeft', window, { shiftKey: true });
    expect(document.activeElement).toBe(cell('c3'));
    await press('Enter', document.body);
    expect(play).not.toHaveBeenCalled();
  });

  test('a fall that is not possible is not chosen, and why is said', async () => {
    const reason = { game: 'carnac', reason: 'fall', square: 'i5', direction: 'N', outside: false, taken: ['i4'] };
    const { play } = show(tilt, { why: async () => reason });
    await press('ArrowUp');
    expect((await screen.findByRole('alert')).textContent).toBe('i5 cannot fall to the north: i4 is taken');
    await press('Enter', document.body);
    expect(play).not.toHaveBeenCalled();
  });

  test('Space leaves the stone, once that is confirmed', async () => {
    const { play } = show(tilt);
    await press(' ');
    expect(play).not.toHaveBeenCalled();
    await fireEvent.click(button('Leave it standing'));
    expect(play).toHaveBeenCalledExactlyOnceWith('stand');
  });

  test('a square stands for the fall that covers it', async () => {
    const { play } = show(tilt);
    await fireEvent.click(cell(landing(tilt.view.tilting!, 'E')[1]));
    await fireEvent.click(button('Tilt east'));
    expect(play).toHaveBeenCalledExactlyOnceWith('tilt E');
  });
});

describe('the drawing', () => {
  test('marks the stone of the last move', () => {
    show(place);
    expect(lastSquares(place.log)).toEqual(['a7', 'a8']);
    expect(document.querySelector('[data-last]')?.getAttribute('data-last')).toBe('a7-a8');
    expect(lastSquares(['c3wr', 'stand'])).toEqual(['c3']);
    expect(lastSquares([])).toEqual([]);
  });

  test('a fallen stone lies on the two squares next to where it stood', () => {
    const view = above(14, 9);
    const lying: Pose = { x: 2, y: 2, top: 'w', side: 'r', fall: 'E', angle: 90, lift: 0 };
    const up = faces(lying, view).find((face) => face.kind === 'up')!;
    expect(up.colour).toBe('r');
    const xs = up.outline.split(' ').map((point) => Number(point.split(',')[0]));
    const [west] = view.at([3, 2, 1]);
    const [east] = view.at([5, 2, 1]);
    expect(Math.min(...xs)).toBeGreaterThan(west - 1);
    expect(Math.max(...xs)).toBeLessThan(east + 1);
  });

  test.each([above(8, 5), fromChair(8, 5)])('shows at most three faces of a stone', (view) => {
    for (const angle of [0, 20, 45, 70, 90]) {
      const pose: Pose = { x: 3, y: 2, top: 'r', side: 'w', fall: 'S', angle, lift: 0 };
      expect(faces(pose, view).length).toBeLessThanOrEqual(3);
    }
  });

  test('an outline is one loop around squares that hang together', () => {
    const path = outline(['a1', 'b1', 'b2'], (point) => point, 0);
    expect(path.match(/M/g)).toHaveLength(1);
    expect(path.match(/Z/g)).toHaveLength(1);
  });

  test('what is new has been raised or has fallen; the first view is still', () => {
    const [first, second, third] = run('carnac-run') as [Shown, Shown, Shown];
    expect(arrivals(null, first.view).size).toBe(0);
    expect([...arrivals(first.view, second.view).values()]).toEqual(['raised']);
    expect([...arrivals(second.view, third.view).values()]).toEqual(['fallen']);
  });
});

describe('what became of dolmens', () => {
  const red = (...groups: string[]) => groups.map((group) => ({ seat: 0, squares: group.split(' ') }));
  test.each([
    ['made', [], red('a1 a2 a3'), 'Red: a new dolmen of 3', 'red +1 dolmen'],
    [
      'joined',
      red('a1 a2 a3', 'c1 c2 c3'),
      red('a1 a2 a3 b2 c1 c2 c3'),
      'Red: 2 dolmens become one of 7',
      'red joins: −1',
    ],
    ['broken', red('a1 a2 a3'), [], 'Red: the dolmen of 3 is broken up', 'red −1 dolmen'],
    [
      'split',
      red('a1 b1 c1 d1 e1 f1 g1'),
      red('a1 b1 c1', 'e1 f1 g1'),
      'Red: a dolmen of 7 splits into 2',
      'red +1 dolmen',
    ],
    ['grown', red('a1 a2 a3'), red('a1 a2 a3 a4 a5'), 'Red: a dolmen grows from 3 to 5', 'red 3 → 5'],
    ['shrunk', red('a1 a2 a3 a4'), red('a1 a2 a3'), 'Red: a dolmen shrinks from 4 to 3', 'red 4 → 3'],
    ['same', red('a1 a2 a3'), red('a1 a2 a3'), 'no change', 'no change'],
  ])('%s', (kind, before, after, sentence, card) => {
    expect(changes(before, after).map((change) => change.kind)).toEqual(kind === 'same' ? [] : [kind]);
    expect(prospect(before, after)).toBe(sentence);
    expect(shortProspect(before, after)).toBe(card);
  });
});

describe('words', () => {
  const names = ['Ines', 'Bo'];
  const told = (step: number, isMine = false) => {
    const [before, after] = (run('carnac-run') as Shown[]).slice(step) as [Shown, Shown];
    const moves = after.log.slice(before.log.length);
    const seat = before.view.actor!;
    return tell({ before: before.view, after: after.view, moves, log: after.log, seat, names, isMine });
  };

  test('a move tells who, what, where and why it scores', () => {
    expect(told(0).text).toBe('Bo raises g4: white on top, red to east and west');
    expect(told(0).reasons).toMatchObject([{ seat: 1, points: 1 }]);
    expect(told(0).reasons[0]!.text).toMatch(/^White: a new dolmen of \d$/);
    expect(told(1).text).toBe('Ines tips g4 to the west: red on e4 and f4');
    expect(told(1, true).text).toBe('You tip g4 to the west: red on e4 and f4');
    expect(told(1).reasons).toMatchObject([{ seat: 1, points: -1 }]);
  });

  test('a fall lasts longer than it takes', () => {
    expect(told(1).lasts).toBeGreaterThan(620);
  });

  test('a stone shows its east and west colour when it falls east or west', () => {
    expect(landing('c3', 'N')).toEqual(['c2', 'c1']);
    expect(shows('r', 'E')).toBe('r');
    expect(shows('r', 'N')).toBe('w');
  });

  test('the log tells where lying stones stood', () => {
    for (const stone of tilt.view.stones.filter((s) => !s.side)) {
      expect(falls(tilt.log).get(stone.squares.join('-'))).toBeDefined();
    }
  });

  test('falls are drawn where there is room, which is where they are legal', () => {
    const drawn = openFalls(tilt.view, tilt.view.tilting!).map((direction) => `tilt ${direction}`);
    expect(drawn).toEqual(tilt.legal.filter((move) => move !== 'stand'));
  });

  test('the log gives each move to the seat that made it, in words', () => {
    const log = ['c3wr', 'tilt E', 'c3rr', 'stand', 'd5ww'];
    expect(entries(tilt.view, log).map((entry) => entry.seat)).toEqual([0, 1, 1, 0, 1]);
    expect(entries(tilt.view, log).map((entry) => entry.text)).toEqual([
      'Raises c3, white on top',
      'Tips c3 to the east',
      'Raises c3, red on top',
      'Leaves c3 standing',
      'Raises d5, white on top',
    ]);
  });

  test('advice is no notation', () => {
    expect(advice(tilt.view, 'tilt N')).toBe(`tip ${tilt.view.tilting} to the north`);
    expect(advice(tilt.view, 'stand')).toBe(`leave ${tilt.view.tilting} standing`);
    expect(advice(tilt.view, 'c3wr')).toBe('c3, white on top, red to east and west');
  });

  test('every reason is a sentence', () => {
    const why = { game: 'carnac', square: 'c3', direction: null, outside: false, taken: [] };
    expect(objection({ ...why, reason: 'place' })).toBe('No stone can be tipped now: raise one');
    expect(objection({ ...why, reason: 'tilt' })).toBe('First decide about c3: tip it, or leave it standing');
    expect(objection({ ...why, reason: 'outside' })).toBe('c3 is not on the board');
    const blocked = { ...why, reason: 'fall', direction: 'W', outside: true, taken: ['b3'] };
    expect(objection(blocked)).toBe('c3 cannot fall to the west: b3 is taken and the board ends there');
  });

  test('the position is told in words, with what is to be done', () => {
    expect(inWords(place.view, names)[0]).toBe('14 by 9 squares, 11 stones in the stock.');
    expect(inWords(place.view, names)[1]).toBe('Bo is to raise a stone.');
    expect(inWords(place.view, names)).toHaveLength(4 + place.view.stones.length);
    expect(inWords(tilt.view, names)[1]).toBe(
      'Ines decides about the stone on i5: it can fall to the east, south, and west, or stay up.',
    );
  });

  test('a draw and a tie that was decided are named', () => {
    const over = (position('carnac-over') as Shown).view;
    const dolmen = (seat: number, size: number) => ({ seat, squares: 'abcdefgh'.slice(0, size).split('') });
    const with_ = (...sizes: [number, number][]) => ({
      ...over,
      dolmens: sizes.map(([seat, size]) => dolmen(seat, size)),
    });
    expect(summary(over)).not.toMatch(/draw|Equal/);
    expect(summary(with_([0, 5], [1, 5]))).toMatch(/A draw: as many dolmens, and all of the same size\.$/);
    expect(summary(with_([0, 8], [0, 5], [1, 8], [1, 6]))).toMatch(/White has the larger dolmen, 6 against 5\.$/);
  });
});
