import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GamePage } from '$lib/board';
import type { CaratView, Chip } from '$lib/api';
import { settings } from '$lib/settings.svelte';
import type { Step } from '../../moments/telling';
import Table from '../../screens/Table.svelte';
import { position, run, StillTable, tableOf } from '../../specimen/data.svelte';
import { cell, press } from '../../testing';
import carat from './index';
import { cellsAround, cornersOf } from './layout';
import { cornersAfter, placement, settled, ways } from './moves';
import { advice, describe as inWords, entries, preview, settlement, tell } from './words';

HTMLElement.prototype.hidePopover ??= () => {}; // this document has none
beforeEach(() => void (settings.sound = false)); // this document has none either
afterEach(cleanup);

type Shown = { view: CaratView; legal: string[]; log: string[] };
const at = (name: string) => position(name) as Shown;
const middle = at('carat-middle');
const NAMES = ['Marta', 'Elin', 'Ines', 'Jonas'];

/** A table as it stands, and what is played on it. */
const show = (shown: Shown = middle, changes: object = {}) => {
  const source = Object.assign(new StillTable(tableOf(shown)), changes);
  const play = vi.spyOn(source, 'play');
  render(Table, { source, game: carat as unknown as GamePage });
  return { play, source };
};
const confirm = () => screen.getByRole('button', { name: /^Place on/ });
const free = () => screen.queryAllByRole('button', { name: /^[a-f][1-6]: free/ });
const strip = () => document.querySelector('[data-place=strip]')!.textContent;
const board = () => screen.getByRole('group', { name: /^Carat,/ });
const chip = (value: number, sums: number[], winner: string | null, prize: number): Chip => ({
  value,
  settled: true,
  sums: Object.fromEntries([...'RYBG'].map((letter, i) => [letter, sums[i]!])),
  winner,
  prize,
});

describe('the board', () => {
  test('offers exactly the legal cells', () => {
    show();
    const offered = free().map((one) => one.getAttribute('data-cell'));
    expect(new Set(offered)).toEqual(new Set(middle.legal.map((move) => move.slice(0, 2))));
  });

  test('plays what was chosen, turned and confirmed, in notation', async () => {
    const { play } = show();
    await fireEvent.click(cell('b3'));
    await press('r');
    await fireEvent.click(confirm());
    expect(play).toHaveBeenCalledExactlyOnceWith(ways(middle.legal, '2RBGY', 'b3')[1]!.move);
  });

  test('turns the other way with Shift', async () => {
    const { play } = show();
    await fireEvent.click(cell('b3'));
    await press('R', window, { shiftKey: true });
    await fireEvent.click(confirm());
    expect(play).toHaveBeenCalledExactlyOnceWith(ways(middle.legal, '2RBGY', 'b3')[3]!.move);
  });

  test('turns a quarter for a whole sweep over a trackpad', async () => {
    const { play } = show();
    await fireEvent.click(cell('b3'));
    for (let i = 0; i < 40; i++) await fireEvent.wheel(board(), { deltaY: 12 });
    await fireEvent.click(confirm());
    expect(play).toHaveBeenCalledExactlyOnceWith(ways(middle.legal, '2RBGY', 'b3')[1]!.move);
  });

  test('can be played with keys alone, without looking for the board first', async () => {
    const { play } = show();
    await press('ArrowLeft', document.body);
    expect(document.activeElement).toBe(cell('c3'));
    await press('ArrowLeft', cell('c3'));
    expect(document.activeElement).toBe(cell('b3'));
    await press('Enter', cell('b3'));
    expect(play).not.toHaveBeenCalled();
    await press('Enter', cell('b3'));
    expect(play).toHaveBeenCalledExactlyOnceWith('b3=2RBGY');
    expect(document.activeElement).toBe(cell('b3'));
  });

  test('keeps the focus on the cell when the button is gone', async () => {
    show();
    await fireEvent.click(cell('b3'));
    confirm().focus();
    await fireEvent.click(confirm());
    expect(document.activeElement).toBe(cell('b3'));
  });

  test('forgets the choice on Escape', async () => {
    const { play } = show();
    await fireEvent.click(cell('b3'));
    await press('Escape');
    expect(screen.queryByRole('button', { name: /^Place on/ })).toBeNull();
    expect(play).not.toHaveBeenCalled();
  });

  test.each([
    ['taken', 'There is already a tile on a1.'],
    ['apart', 'No tile beside a1: a tile must share a side with one on the board.'],
    ['edge', 'The first tile goes on one of the sixteen inner cells.'],
  ])('says why a cell cannot be taken: %s', async (reason, sentence) => {
    const why = vi.fn(async () => ({ game: 'carat', reason, cell: 'a1', tile: null, number: null }));
    const { play } = show(middle, { why });
    await fireEvent.click(cell('a1'));
    await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe(sentence));
    expect(why).toHaveBeenCalledExactlyOnceWith('a1=2RBGY');
    expect(play).not.toHaveBeenCalled();
    await fireEvent.click(cell('b3'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('sends nothing more while a move is on its way', async () => {
    const { play } = show();
    await fireEvent.click(cell('b3'));
    await fireEvent.click(confirm());
    await press('Enter', cell('b3'));
    await fireEvent.click(cell('b4'));
    expect(play).toHaveBeenCalledTimes(1);
    expect(strip()).toContain('Sent');
  });

  test('shows a spectator no hand and no hidden tile', () => {
    const watched = at('carat-watched');
    show(watched);
    expect(screen.queryByRole('group', { name: 'Your tiles' })).toBeNull();
    expect(watched.view.hands.every((hand) => typeof hand === 'number')).toBe(true);
  });
});

describe('a hand of three', () => {
  const pairs = at('carat-pairs');
  const hand = pairs.view.hands[1] as string[];
  const tiles = () => within(screen.getByRole('radiogroup', { name: 'Your tiles' })).getAllByRole('radio');
  const played = async (play: unknown) => {
    const { cell: target } = placement(pairs.legal[0]!);
    await fireEvent.click(cell(target));
    await fireEvent.click(confirm());
    expect(play).toHaveBeenCalledExactlyOnceWith(ways(pairs.legal, hand[1]!, target)[0]!.move);
  };

  test('is chosen from by number', async () => {
    const { play } = show(pairs);
    await press('2');
    await played(play);
  });

  test('is chosen from by arrow keys', async () => {
    const { play } = show(pairs);
    tiles()[0]!.focus();
    await press('ArrowRight', tiles()[0]);
    expect(document.activeElement).toBe(tiles()[1]);
    expect(tiles().map((tile) => tile.getAttribute('aria-checked'))).toEqual(['false', 'true', 'false']);
    await played(play);
  });

  test('belongs to who has two colours, and both are named', () => {
    show(pairs);
    const seats = within(screen.getByRole('list', { name: 'Seats' })).getAllByRole('listitem');
    expect(seats[0]!.textContent).toContain('red and blue');
    expect(seats[1]!.textContent).toContain('yellow and green');
  });
});

describe('what others do', () => {
  const [before, after] = run('carat-run').slice(1) as [Shown, Shown];
  beforeEach(() => {
    vi.useFakeTimers();
    settings.pace = 'normal';
  });
  afterEach(() => vi.useRealTimers());
  /** So long from when it stands on the page, which takes a task of its own. */
  const pass = (time: number) => vi.advanceTimersByTimeAsync(time + 1);
  const loupes = () =>
    [...board().querySelectorAll('[data-loupe]')].map((one) => Number(one.getAttribute('data-loupe')));

  test('is laid first; then each chip is ringed, counted, and only then turned', async () => {
    const { source } = show(before);
    const settles = after.view.settled_last;
    expect(settles.length).toBeGreaterThan(0);
    source.show(tableOf(after), false);
    await vi.advanceTimersByTimeAsync(0);
    expect(strip()).toMatch(/lays a \d on [a-f][1-6]/);
    expect(loupes()).toEqual([]);
    const isTurned = (point: number) => {
      const drawn = board().querySelector(`[data-mark="${point}"]`)!;
      return !!drawn.querySelector('.back');
    };
    await pass(900);
    for (const point of settles) {
      expect(loupes()).toEqual([point]);
      expect(isTurned(point)).toBe(false);
      await pass(1600);
      expect(isTurned(point)).toBe(true);
      if (after.view.chips[point]!.winner) await pass(400);
    }
    expect(loupes()).toEqual([]);
  });
});

describe('the preview', () => {
  const engine = ['carat-over', 'carat-middle', 'carat-pairs', 'carat-watched'].flatMap((name) => at(name).view.chips);

  test.each([
    [3, [5, 1, 2, 3], 'R', 12],
    [2, [5, 0, 6, 1], 'B', 6],
    [3, [4, 0, 4, 3], 'G', 9],
    [4, [3, 0, 3, 3], 'Y', 12],
    [1, [4, 2, 4, 4], 'Y', 4],
    [5, [5, 3, 3, 5], null, 0],
    [4, [6, 0, 6, 0], null, 0],
  ])('settles a %s of %j as the rules do', (value, sums, winner, prize) => {
    const open = { ...chip(value, sums, null, 0), settled: false };
    expect(settled(open)).toEqual(chip(value, sums, winner, prize));
  });

  test('settles every chip as the engine did', () => {
    const done = engine.filter((one) => one.settled);
    expect(done.length).toBeGreaterThan(60);
    for (const one of done) expect(settled({ ...one, winner: null, prize: 0 })).toEqual(one);
  });

  test('adds the tile to the sums of its four corners and knows what it completes', () => {
    const [way] = ways(middle.legal, '2RBGY', 'b3');
    const corners = cornersAfter(middle.view, way!);
    cornersOf('b3').forEach((point, i) => {
      const corner = corners.find((one) => one.point === point);
      if (middle.view.chips[point]!.settled) expect(corner).toBeUndefined();
      else expect(corner!.chip.sums['RBGY'[i]!]).toBe(middle.view.chips[point]!.sums['RBGY'[i]!]! + 2);
    });
    expect(corners.filter((one) => one.chip.settled).map((one) => one.chip.value)).toEqual([3, 4]);
  });

  test('names who wins, what each gets, ties, and corners by their place', () => {
    const { view } = middle;
    const told = (...chips: [Chip, 'nw' | 'ne' | 'se' | 'sw'][]) =>
      preview(
        view,
        'b3',
        chips.map(([one, corner], point) => ({ point, at: corner, chip: one })),
        NAMES,
      );
    const [mine, theirs, none] = [
      chip(3, [5, 1, 6, 0], 'B', 9),
      chip(2, [5, 1, 0, 0], 'R', 4),
      chip(4, [6, 0, 6, 0], null, 0),
    ];
    expect(told([mine, 'nw'])).toEqual({
      title: 'Blue 6 beats red 5',
      detail: '3 × 3 colours = 9 for you, upper left',
      points: 9,
    });
    expect(told([theirs, 'se']).detail).toBe('2 × 2 colours = 4 for Marta, lower right');
    expect(told([none, 'sw'])).toEqual({
      title: 'Nobody scores the 4: red 6, blue 6, yellow 0, green 0',
      detail: 'Lower left',
      points: null,
    });
    expect(told([theirs, 'nw'], [mine, 'ne'], [none, 'se']).title).toBe('You +9, Marta +4');
    expect(told([none, 'nw'], [none, 'se']).title).toBe('Nobody scores');
    expect(told().title).toBe('Settles no chip on b3');
  });

  test('tells of a colour that nobody plays that its points are lost', () => {
    const view = { ...middle.view, colours: ['R', 'Y'], seat: 0 };
    const won = { point: 0, at: 'nw' as const, chip: chip(3, [5, 1, 6, 0], 'B', 9) };
    expect(preview(view, 'b3', [won], NAMES)).toEqual({
      title: 'Blue 6 beats red 5',
      detail: '3 × 3 colours = 9, but nobody plays blue, upper left',
      points: null,
    });
  });

  test('is said to the ear when a tile is tried', async () => {
    show();
    await fireEvent.click(cell('b3'));
    const said = screen.getByRole('log', { name: 'What happens' });
    expect(said.textContent).toContain('Skilled bot +8, Jonas +6, Upper left: ');
  });

  test('points have four cells around them, two at the edge and one in a corner', () => {
    expect(cellsAround(0)).toEqual(['a1']);
    expect(cellsAround(1)).toEqual(['a1', 'b1']);
    expect(cellsAround(8)).toEqual(['a1', 'b1', 'a2', 'b2']);
  });
});

describe('the sentences', () => {
  test.each([
    [chip(3, [5, 1, 2, 3], 'R', 12), 'Red 5 beats green 3: 3 × 4 colours = 12'],
    [chip(3, [4, 0, 4, 3], 'G', 9), 'Red and blue tie and drop out; green 3 is next: 3 × 3 colours = 9'],
    [chip(5, [8, 0, 0, 0], 'R', 5), 'Red 8 beats yellow 0: 5 × 1 colour = 5'],
    [chip(4, [6, 0, 6, 0], null, 0), 'Nobody scores the 4: red 6, blue 6, yellow 0, green 0'],
  ])('say why a chip went where it went', (one, sentence) => {
    expect(settlement(one)).toBe(sentence);
  });

  test('tell a placement and each chip whole: who, what, where and why', () => {
    const [, before, after] = run('carat-run') as Shown[];
    const moves = after!.log.slice(before!.log.length);
    const step = {
      before: before!.view,
      after: after!.view,
      moves,
      log: after!.log,
      seat: before!.view.actor!,
      names: NAMES,
    };
    const told = tell({ ...step, isMine: false } as Step<CaratView>);
    const laid = placement(moves.find((move) => move.includes('='))!);
    expect(told.text).toBe(`${NAMES[step.seat]} lays a ${laid.value} on ${laid.cell}`);
    expect(told.reasons.map(({ marks }) => marks.map(Number))).toEqual(
      after!.view.settled_last.map((point) => [point]),
    );
    for (const { detail } of told.reasons)
      expect(detail).toMatch(RegExp(`(upper|lower) (left|right) of ${laid.cell}$`));
    expect(tell({ ...step, isMine: true } as Step<CaratView>).text).toMatch(/^You lay a/);
  });

  test('give each settled chip to the move that settled it', () => {
    const over = at('carat-over');
    const list = entries(over.view, over.log);
    expect(list).toHaveLength(36);
    expect(list.flatMap((entry) => entry.why)).toHaveLength(49);
    const gains = list.filter((entry) => entry.seat === 2).map((entry) => Number(entry.gain));
    expect(gains.every((gain) => gain >= 0)).toBe(true);
  });

  test('describe every chip with its place and its sums', () => {
    const lines = inWords(middle.view, NAMES).filter((line) => line.startsWith('Chip '));
    expect(lines).toHaveLength(49);
    middle.view.chips.forEach((one, point) => {
      if (one.settled) return;
      for (const [letter, name] of Object.entries({ R: 'red', Y: 'yellow', B: 'blue', G: 'green' }))
        if (one.sums[letter]) expect(lines[point]).toContain(`${name} ${one.sums[letter]}`);
    });
  });

  test('name the chips at a free cell by their corners', () => {
    show();
    expect(cell('b3').getAttribute('aria-label')).toMatch(
      /^b3: free\. Upper left: .+\. Upper right: .+\. Lower right: .+\. Lower left: /,
    );
  });

  test('advise how the tile lies', () => {
    expect(advice(middle.view, 'b3=2RBGY')).toBe('2 on b3, red at the upper left');
  });
});
