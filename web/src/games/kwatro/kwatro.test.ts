import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet, tick } from 'svelte';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { KwatroView, Spot } from '$lib/api';
import type { GamePage } from '$lib/board';
import { settings } from '$lib/settings.svelte';
import type { Turn } from '../../choice/choice.svelte';
import Frame from '../../frame/Frame.svelte';
import { beatsOf, stepBetween } from '../../moments/telling';
import { position, run, StillTable, tableOf } from '../../specimen/data.svelte';
import { cell, press } from '../../testing';
import Board from './Board.svelte';
import { cellUnder, fit, isInSight, panned, zoomed } from './camera';
import { cardName } from './cards';
import game from './index';
import { cellTowards, passMove, placements, type Cell } from './moves';
import { turns } from './tally';
import { tell } from './tell';
import { advice, describe as inWords, entries, explained, misfitInWords, objection, whereIs } from './words';

beforeAll(() => (settings.sound = false));
afterEach(cleanup);

type Specimen = { view: KwatroView; legal: string[]; log: string[]; previews: Record<string, Spot[]> };
const at = (name: string) => position(`kwatro-${name}`) as Specimen;
const [start, swap, laying, over, big] = ['start', 'swap', 'play', 'over', 'big'].map(at) as [
  Specimen,
  Specimen,
  Specimen,
  Specimen,
  Specimen,
];
const NAMES = ['Ann', 'Bob', 'Cleo'];
const head = createRawSnippet(() => ({ render: () => '<h1>Kwatro</h1>' }));
/** The board in its frame, at a table that nobody answers. */
const show = (specimen: Specimen, changes: Partial<Pick<Turn, 'hint' | 'undo' | 'why' | 'preview'>> = {}) => {
  const source = new StillTable(tableOf(specimen), specimen.previews);
  const play = vi.spyOn(source, 'play');
  const preview = vi.spyOn(source, 'preview');
  const why = vi.spyOn(source, 'why');
  Object.assign(source, changes);
  render(Frame, { source, game: game as unknown as GamePage, panels: [], head });
  return { source, play, preview, why };
};
const ownHand = ({ view }: Specimen) => view.hands.find((hand) => Array.isArray(hand)) as string[];
/** The cells that a chosen card is offered. */
const offered = () =>
  screen.queryAllByRole('button', { name: /^(Lay|Put) / }).flatMap((spot) => spot.getAttribute('data-cell') ?? []);
const label = (name: string) => cell(name).getAttribute('aria-label');

describe('the board', () => {
  test('lights exactly the cells that are legal for the chosen card', async () => {
    show(swap);
    expect(offered()).toEqual([]);
    for (const [place, card] of ownHand(swap).entries()) {
      await press(String(place + 1));
      expect(new Set(offered())).toEqual(new Set(placements(swap.legal, card).keys()));
      await press(String(place + 1));
    }
  });

  test('lays a card with two clicks', async () => {
    const { play } = show(start);
    const [card] = ownHand(start);
    await fireEvent.click(screen.getByRole('button', { name: cardName(card!) }));
    const [first] = placements(start.legal, card).values();
    await fireEvent.click(cell(first!.cell));
    expect(play).toHaveBeenCalledExactlyOnceWith(first!.move);
  });

  test('is played with keys alone, and the field keeps the focus', async () => {
    const { play } = show(start);
    await press('2');
    const spots = [...placements(start.legal, ownHand(start)[1]).values()];
    await press('ArrowRight', document.body);
    await press('Enter', document.activeElement!);
    expect(spots.map((spot) => spot.move)).toContain(play.mock.calls[0]?.[0]);
    expect(play).toHaveBeenCalledOnce();
    expect(document.activeElement).toBe(screen.getByRole('group', { name: /on the field/ }));
  });

  test('walks over its cards while none is chosen, and tells where each lies', async () => {
    show(laying);
    await press('ArrowDown', document.body);
    const first = document.activeElement!.getAttribute('aria-label')!;
    expect(first).toMatch(/(left of|right of|above|below) /);
    await press('ArrowDown', document.activeElement!);
    expect(document.activeElement!.getAttribute('aria-label')).not.toBe(first);
  });

  test('takes the place of a joker', async () => {
    const { play } = show(swap);
    const move = swap.legal.find((one) => one.startsWith('swap '))!;
    const [, card, spot] = move.split(/[ @]/);
    await fireEvent.click(screen.getByRole('button', { name: new RegExp(`${cardName(card!)}, can take`) }));
    await fireEvent.click(cell(spot!));
    expect(play).toHaveBeenCalledExactlyOnceWith(move);
  });

  test('plays what has been laid for the points that the view tells', async () => {
    const { play } = show(laying);
    await fireEvent.click(screen.getByRole('button', { name: `Play for ${laying.view.play!.points}` }));
    expect(play).toHaveBeenCalledExactlyOnceWith('done');
  });

  test('takes a card of this turn back by a click, with those laid after it', async () => {
    const undo = vi.fn(async () => true);
    const { play } = show(laying, { undo });
    const [first, second] = laying.view.play!.cells.map(String);
    await fireEvent.click(screen.getByRole('button', { name: label(second!)! }));
    await vi.waitFor(() => expect(undo).toHaveBeenCalledTimes(1));
    await fireEvent.click(cell(first!));
    await vi.waitFor(() => expect(undo).toHaveBeenCalledTimes(3));
    await press('Backspace', document.body);
    await vi.waitFor(() => expect(undo).toHaveBeenCalledTimes(4));
    expect(play).not.toHaveBeenCalled();
  });

  test('offers no taking back where nothing can be taken back', async () => {
    show(laying);
    expect(screen.queryAllByRole('button', { name: /take it back/ })).toEqual([]);
  });

  test('offers neither a pass nor an end that is not legal', () => {
    show(laying);
    expect(screen.queryByRole('button', { name: 'Pass…' })).toBeNull();
    cleanup();
    show(start);
    expect((screen.getByRole('button', { name: 'Play' }) as HTMLButtonElement).disabled).toBe(true);
  });

  test('passes with the cards that were chosen, in the order of the notation', async () => {
    const { play } = show(swap);
    await press('p');
    for (const key of ['4', '1', '2', '2']) await press(key);
    await press('Enter', document.body);
    const hand = ownHand(swap);
    expect(play).toHaveBeenCalledExactlyOnceWith(passMove([hand[0]!, hand[3]!]));
    expect(swap.legal).toContain(play.mock.calls[0]![0]);
  });

  test('forgets a pass on Escape, and puts no card into one that may take none', async () => {
    const { play } = show({ ...swap, legal: ['pass'] });
    await press('p');
    await press('Escape');
    await press('p');
    await press('1');
    await fireEvent.click(screen.getByRole('button', { name: 'Pass' }));
    expect(play).toHaveBeenCalledExactlyOnceWith('pass');
  });

  test('offers nothing while it is not to be played on', async () => {
    const { play } = show({ ...swap, legal: [] });
    await press('1');
    await press('p');
    expect(offered()).toEqual([]);
    expect(play).not.toHaveBeenCalled();
  });

  test('sends nothing while a move is on its way, and again after a refusal', async () => {
    const { play, source } = show(laying);
    await press('Enter', document.body);
    await press('Enter', document.body);
    expect(play).toHaveBeenCalledOnce();
    source.sent = null;
    await tick();
    await press('Enter', document.body);
    expect(play).toHaveBeenCalledTimes(2);
  });

  test('puts a hint on the board to be confirmed, and plays nothing by itself', async () => {
    const move = swap.legal.find((one) => /^\w+@/.test(one))!;
    const { play } = show(swap, { hint: { move } });
    const confirm = await screen.findByRole('button', { name: /^Lay it for \d+ points?$/ });
    expect(play).not.toHaveBeenCalled();
    await fireEvent.click(confirm);
    expect(play).toHaveBeenCalledExactlyOnceWith(move);
    cleanup();
    const [first, , third] = ownHand(swap);
    const pass = show(swap, { hint: { move: passMove([first!, third!]) } });
    await press('Enter', document.body);
    expect(pass.play).toHaveBeenCalledExactlyOnceWith(passMove([first!, third!]));
  });

  test('names the pile, its count and what is known to lie under it', () => {
    show({ ...swap, view: { ...swap.view, under: ['RS3', null] } });
    const pile = screen.getByRole('img', { name: new RegExp(`^${swap.view.pile}: cards in the pile`) });
    expect(pile.getAttribute('aria-label')).toContain('red square 3, a hidden card');
  });
});

describe('what would come of a card', () => {
  /** The board with its first card chosen and told about. */
  const ask = async (specimen: Specimen, changes: Parameters<typeof show>[1] = {}) => {
    const shown = show(specimen, changes);
    await press('1');
    await vi.waitFor(() => expect(screen.queryAllByRole('button', { name: / for \d+ points?$/ })).not.toEqual([]));
    return { ...shown, card: ownHand(specimen)[0]! };
  };
  const misfit = (specimen: Specimen, reason: string) =>
    specimen.previews[ownHand(specimen)[0]!]!.find((spot) => spot.why?.reason === reason)!;

  test('is asked once, and told on every place as points', async () => {
    const { preview, card } = await ask(swap);
    expect(preview).toHaveBeenCalledExactlyOnceWith(card);
    for (const { x, y, points, why } of swap.previews[card]!)
      if (points && !why) expect(cell(`${x},${y}`).textContent!.trim()).toBe(`+${points}`);
  });

  test('names the line and its values where the card does not fit', async () => {
    const { play } = await ask(swap);
    const { x, y, why } = misfit(swap, 'line');
    await fireEvent.pointerEnter(cell(`${x},${y}`), { pointerType: 'mouse' });
    expect(screen.getByText(misfitInWords(why!))).toBeTruthy();
    await fireEvent.click(cell(`${x},${y}`));
    expect(screen.getByRole('alert').textContent).toBe(misfitInWords(why!));
    expect(play).not.toHaveBeenCalled();
    await press('2');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('is told to who walks there with Shift and arrows', async () => {
    await ask(swap);
    await press('ArrowRight', document.body);
    let isMisfit = false;
    for (const way of ['Down', 'Right', 'Up', 'Left', 'Left', 'Down']) {
      if (isMisfit) break;
      await press(`Arrow${way}`, document.activeElement!, { shiftKey: true });
      isMisfit = document.activeElement!.getAttribute('aria-disabled') === 'true';
    }
    expect(document.activeElement!.getAttribute('aria-label')).toMatch(/^Not (left of|right of|above|below) /);
  });

  test('is asked of the server where a card lies or nothing is near', async () => {
    const taken = { game: 'kwatro', reason: 'taken', cell: [0, 0], cards: ['RS3'], misfit: null };
    const why = vi.fn(async (): Promise<unknown> => taken);
    const { card } = await ask(start, { why });
    await fireEvent.click(cell('0,0'));
    expect(why).toHaveBeenCalledExactlyOnceWith(`${card}@0,0`);
    expect((await screen.findByRole('alert')).textContent).toBe(objection(taken));
  });

  test('is simply not shown when the server does not answer', async () => {
    const { play } = show(start, { preview: () => Promise.reject(new Error('away')) });
    await press('1');
    const [first] = placements(start.legal, ownHand(start)[0]).values();
    await fireEvent.click(cell(first!.cell));
    expect(play).toHaveBeenCalledExactlyOnceWith(first!.move);
  });
});

describe('the camera', () => {
  const cells = big.view.field.map(({ x, y }): Cell => [x, y]);
  const phone = { width: 344, height: 340 };
  const desk = { width: 656, height: 458 };

  test('shows a whole small field', () => {
    const camera = fit(desk, [[0, 0]], []);
    expect(isInSight(camera, desk, [1, 0])).toBe(true);
  });

  test('shows cards of 60 pixels on a desk, of 44 on a phone, and looks at the play', () => {
    for (const [box, size] of [
      [desk, 0.6],
      [phone, 0.44],
    ] as const) {
      const camera = fit(box, cells, big.view.play!.cells);
      expect(camera.z).toBeGreaterThanOrEqual(size);
      expect(big.view.play!.cells.every((played) => isInSight(camera, box, played))).toBe(true);
    }
  });

  test('holds the point that is zoomed at', () => {
    const before = { x: 100, y: 50, z: 0.5 };
    const after = zoomed(before, 2, [40, 30]);
    expect(after.x + 40 / after.z).toBeCloseTo(before.x + 40 / before.z);
    expect(panned(after, -40, 0).x).toBeCloseTo(after.x + 40 / after.z);
  });

  test('knows the cell under a point', () => {
    expect(cellUnder({ x: 54, y: 54, z: 0.5 }, [0, 0])).toEqual([0, 0]);
    expect(cellUnder({ x: 54, y: 54, z: 0.5 }, [-40, 60])).toEqual([-1, 1]);
  });
});

test('an arrow key leads to the nearest cell on its side', () => {
  const cells: Cell[] = [
    [2, 0],
    [5, 1],
    [0, 3],
    [-1, 0],
  ];
  expect(cellTowards('ArrowRight', [0, 0], cells)).toEqual([2, 0]);
  expect(cellTowards('ArrowDown', [0, 0], cells)).toEqual([0, 3]);
  expect(cellTowards('ArrowUp', [0, 0], cells)).toBeNull();
});

describe('what happened', () => {
  const scenes = run('kwatro-run').map(({ view, log }) => ({ view: view as KwatroView, log, isOver: false }));
  const steps = scenes.slice(1).map((after, i) => stepBetween(scenes[i]!, after, NAMES, [0])!);
  const told = steps.map((step) => ({ step: step as Parameters<typeof tell>[0], telling: tell(step as never) }));

  test('is told card by card: who, what and where', () => {
    for (const { step, telling } of told.filter(({ telling }) => telling.sound === 'piece'))
      expect(telling.text).toMatch(
        step.isMine
          ? /^You lay .+ (left of|right of|above|below) .+: \d+ points? so far$/
          : /^(Bob|Cleo) lays .+ (left of|right of|above|below) /,
      );
    expect(told.some(({ telling }) => telling.sound === 'piece')).toBe(true);
  });

  test('a play is told line by line, and its points add up to what it brought', () => {
    const plays = told.filter(({ telling }) => telling.reasons.length);
    expect(plays.length).toBeGreaterThan(1);
    for (const { step, telling } of plays) {
      const { last_play: play, scores } = step.after;
      expect(telling.reasons.reduce((sum, { points }) => sum + points, 0)).toBe(play!.points);
      expect(scores[step.seat]! - step.before.scores[step.seat]!).toBe(play!.points);
      for (const { text, detail } of telling.reasons) expect(`${text}${detail}`).not.toMatch(/\.$|@/);
    }
  });

  test('one’s own draw is told, another’s only counted', () => {
    const own = told.find(({ step }) => step.isMine && step.moves.includes('done'))!;
    const drawn = own.step.moves.filter((move) => move.startsWith('*')).map((move) => move.slice(1));
    for (const card of drawn) expect(own.telling.text).toContain(cardName(card));
    const other = told.find(({ step }) => !step.isMine && step.moves.includes('done'))!;
    expect(other.telling.text).toMatch(/^(Bob|Cleo) plays \d cards? and draws \d$/);
  });

  test('a doubled play ends with its sum', () => {
    const { view } = over;
    const telling = tell({
      before: { ...view, scores: [0, 0] },
      after: view,
      moves: ['done'],
      log: over.log,
      seat: view.last_play!.seat,
      names: NAMES,
      isMine: false,
    });
    const sum = telling.reasons.at(-1)!;
    expect(sum.text).toMatch(/^\(.+\) × \d = /);
    expect(sum.detail).toMatch(/^doubled for /);
    expect(sum.points).toBe(view.last_play!.points);
  });

  test('a line is not drawn before it is told', () => {
    const { view } = over;
    const { seat } = view.last_play!;
    const telling = tell({
      before: view,
      after: view,
      moves: ['done'],
      log: over.log,
      seat,
      names: NAMES,
      isMine: false,
    });
    const turn = { ply: view.ply, legal: [], sent: null, hint: null, refusal: null };
    const asks = { play: vi.fn(), preview: async () => [], why: async () => null };
    const counts = beatsOf(telling, seat)
      .filter(({ kind }) => kind !== 'points')
      .map((beat) => {
        cleanup();
        render(Board, { view, log: over.log, names: NAMES, turn: { ...turn, ...asks }, beat });
        // Blue cards have a letter, too.
        const cards = view.field.filter(({ card }) => card.startsWith('B')).length;
        return screen.queryAllByText(/^[A-D]( ×2)?$/).length - cards;
      });
    const lines = view.last_play!.lines.length;
    expect(counts).toEqual([...Array.from({ length: lines + 1 }, (_, i) => i), lines]);
  });

  test('a pass is told', () => {
    const step = { ...told[0]!.step, moves: ['pass ? ?', '*?', '*?'], seat: 1, isMine: false };
    expect(tell(step).text).toBe('Bob passes and exchanges 2 cards');
    expect(tell({ ...step, moves: ['pass'] }).text).toBe('Bob passes');
    expect(tell({ ...step, moves: ['pass RS3', '*J'], isMine: true }).text).toBe(
      'You pass, put the red square 3 under the pile and draw a joker',
    );
  });
});

describe('words', () => {
  test('a sum is explained', () => {
    const line = (count: number, sum: number) => ({
      cells: Array.from({ length: count }, (_, i): Cell => [i, 0]),
      sum,
    });
    const play = { seat: 0, cells: [[0, 0] as Cell], lines: [line(3, 6)], points: 6 };
    expect(explained(play)).toBe('One line: 6');
    expect(explained({ ...play, lines: [line(3, 6), line(2, 4)], points: 10 })).toBe('6 + 4 = 10');
    expect(explained({ ...play, lines: [line(4, 10), line(2, 7)], points: 34 })).toBe(
      '(10 + 7) × 2 = 34: a line of four',
    );
    expect(explained({ ...play, lines: [line(4, 10)], points: 40 })).toBe(
      '(10) × 4 = 40: a line of four and the last play of the match',
    );
  });

  test('a misfit is explained with its values', () => {
    const line = { reason: 'line', axis: 'row', trait: 'colour', values: ['R', 'R', 'J', 'B'], cells: [] } as const;
    expect(misfitInWords({ ...line, values: [...line.values], cells: [] })).toBe(
      'Row: colour red, red, joker, blue – neither all the same nor all different.',
    );
  });

  test('a refusal has its reason', () => {
    const why = { game: 'kwatro', cell: null, misfit: null } as const;
    expect(objection({ ...why, reason: 'taken', cards: ['RS3'] })).toBe('A card lies there already: red square 3.');
    expect(objection({ ...why, reason: 'hand', cards: ['BX1'] })).toBe('You do not hold the blue cross 1.');
    expect(objection({ ...why, reason: 'early', cards: [] })).toBe('Lay a card first, or pass.');
  });

  test('a place is told by a card beside it, a joker only where there is no other', () => {
    const field = [
      { x: 0, y: 0, card: 'J' },
      { x: 1, y: 1, card: 'GT2' },
    ];
    expect(whereIs(field, '1,0')).toBe('above the green triangle 2');
    expect(whereIs(field, '-1,0')).toBe('left of a joker');
    expect(whereIs(field, '5,5')).toBe('');
  });

  test('advice names cards and places, never notation', () => {
    for (const move of [...swap.legal, ...laying.legal])
      expect(advice(swap.view, move)).not.toMatch(/@|[RGBY][SCTX]\d/);
    expect(advice(laying.view, 'done')).toMatch(/^score what is laid, \+\d+$/);
  });

  test('what the log’s plays brought adds up to the scores', () => {
    for (const { view, log } of [over, swap]) {
      const sums = view.scores.map((_, seat) =>
        entries(view, log)
          .filter((entry) => entry.seat === seat)
          .reduce((sum, entry) => sum + Number(entry.gain || 0), 0),
      );
      expect(sums).toEqual(view.scores);
    }
  });

  test('the log shows cards and says their names', () => {
    const entry = entries(swap.view, swap.log).find(({ move }) => move.includes('@'))!;
    render(game.EntryArt, { view: swap.view, entry });
    const named = screen.getByRole('img').getAttribute('aria-label')!;
    for (const [, card] of entry.move.matchAll(/(\w+)@/g)) expect(named).toContain(cardName(card!));
    expect(entry.text).toMatch(/^\d cards?$/);
  });

  test('the tally of the last play is the view’s', () => {
    const last = turns(swap.log, swap.view.hands.length).findLast((turn) => turn.play)!.play!;
    expect(last.points).toBe(swap.view.last_play!.points);
    expect(new Set(last.lines.map((line) => line.sum))).toEqual(
      new Set(swap.view.last_play!.lines.map((line) => line.sum)),
    );
  });

  test('the position is told with the hand, the play, the pile and everybody', () => {
    const under = { ...laying.view, under: ['J', null] };
    const lines = inWords(under, NAMES).join(' ');
    expect(lines).toContain(`In your hand: ${ownHand(laying).map(cardName).join(', ')}.`);
    expect(lines).toContain('This play so far: 8 + 7 = 15.');
    expect(lines).toContain('Under the pile, in this order: joker, a hidden card.');
    expect(lines).toMatch(/Bob: \d+ points?, \d cards? in hand\./);
    for (const { card } of laying.view.field) expect(lines).toContain(cardName(card));
  });
});
