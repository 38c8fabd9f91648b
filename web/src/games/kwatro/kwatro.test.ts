import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { KwatroView, Spot } from '$lib/api';
import { position } from '../../specimen/data.svelte';
import { cell, press } from '../../testing';
import Board from './Board.svelte';
import { fit, isInSight, panned, zoomed } from './camera';
import { cardName } from './cards';
import { cellTowards, passMove, placements, type Cell } from './moves';
import { turns } from './tally';
import { describe as inWords, entries, explained, lastMove, misfitInWords } from './words';

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
const show = (specimen: Specimen, changes: object = {}) => {
  const play = vi.fn();
  const board = render(Board, { ...specimen, names: NAMES, play, ...changes });
  return { play, board };
};
const NAMES = ['Ann', 'Bob', 'Cleo'];
const ownHand = ({ view }: Specimen) => view.hands.find((hand) => Array.isArray(hand)) as string[];
const offered = () => [...document.querySelectorAll('[data-cell]')].map((spot) => spot.getAttribute('data-cell'));

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

  test('can be played with keys alone', async () => {
    const { play } = show(start);
    await press('2');
    const spots = [...placements(start.legal, ownHand(start)[1]).values()];
    await press('ArrowRight');
    await press('Enter', document.activeElement!);
    expect(spots.map((spot) => spot.move)).toContain(play.mock.calls[0]?.[0]);
    expect(play).toHaveBeenCalledOnce();
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

  test('offers neither a pass nor an end that is not legal', () => {
    show(laying);
    expect(screen.queryByRole('button', { name: 'Pass…' })).toBeNull();
    cleanup();
    show(start);
    expect((screen.getByRole('button', { name: 'Lay a card' }) as HTMLButtonElement).disabled).toBe(true);
  });

  test('passes with the cards that were chosen, in the order of the notation', async () => {
    const { play } = show(swap);
    await press('p');
    for (const key of ['4', '1', '2', '2']) await press(key);
    await press('Enter');
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
    const { play } = show(swap, { disabled: true });
    await press('1');
    await press('p');
    expect(offered()).toEqual([]);
    expect(play).not.toHaveBeenCalled();
  });

  test('sends nothing while a move is on its way, and again after a refusal', async () => {
    const { play, board } = show(laying);
    await press('Enter');
    await board.rerender({ sent: play.mock.calls[0]![0] });
    await press('Enter');
    expect(play).toHaveBeenCalledOnce();
    await board.rerender({ sent: null });
    await press('Enter');
    expect(play).toHaveBeenCalledTimes(2);
  });

  test('puts a hint on the board, and plays nothing by itself', async () => {
    const hint = swap.legal.find((move) => /^\w+@/.test(move))!;
    const { play } = show(swap, { hint });
    expect(document.querySelectorAll('.kw-ghost')).toHaveLength(1);
    await fireEvent.click(cell(hint.split('@')[1]!));
    expect(play).toHaveBeenCalledExactlyOnceWith(hint);
    cleanup();
    const [first, , third] = ownHand(swap);
    const pass = show(swap, { hint: passMove([first!, third!]) });
    await press('Enter');
    expect(pass.play).toHaveBeenCalledExactlyOnceWith(passMove([first!, third!]));
  });

  test('names every card and the lines of the play', () => {
    show(laying);
    expect(document.querySelectorAll('.kw-laid')).toHaveLength(laying.view.field.length);
    expect(document.querySelectorAll('.kw-tag')).toHaveLength(laying.view.play!.lines.length);
    expect(screen.getAllByText('This play')).not.toHaveLength(0);
  });

  test('shows the lines of the last play to everybody', () => {
    show({ ...over, view: { ...over.view, seat: null, hands: [0, 1] } });
    expect(document.querySelectorAll('.kw-tag')).toHaveLength(over.view.last_play!.lines.length);
  });
});

describe('what would come of a card', () => {
  /** The board with its first card chosen and told about. */
  const ask = async (specimen: Specimen, changes: object = {}) => {
    const preview = vi.fn(async (card: string) => specimen.previews[card]);
    const shown = show(specimen, { preview, ...changes });
    await press('1');
    await vi.waitFor(() => expect(document.querySelector('.kw-spot text')).not.toBeNull());
    return { ...shown, preview, card: ownHand(specimen)[0]! };
  };
  const status = () => document.querySelector('.kw-say')!.textContent;
  const misfit = (specimen: Specimen, reason: string) =>
    specimen.previews[ownHand(specimen)[0]!]!.find((spot) => spot.why?.reason === reason)!;

  test('is asked once, and told on every place as points', async () => {
    const { preview, card } = await ask(swap);
    expect(preview).toHaveBeenCalledExactlyOnceWith(card);
    for (const { x, y, points } of swap.previews[card]!) {
      const spot = document.querySelector(`.kw-spot[data-cell="${x},${y}"] text`);
      if (spot) expect(spot.textContent).toBe(`+${points}`);
    }
    expect(document.querySelectorAll('.kw-spot text')).toHaveLength(document.querySelectorAll('.kw-spot').length);
  });

  test('names the line and its values where the card does not fit', async () => {
    const { play } = await ask(swap);
    const { x, y, why } = misfit(swap, 'line');
    await fireEvent.click(cell(`${x},${y}`));
    expect(status()).toContain('not here');
    expect(status()).toContain(misfitInWords(why!));
    expect(document.querySelectorAll('.kw-wrong')).toHaveLength(1);
    expect(play).not.toHaveBeenCalled();
    await press('2');
    expect(document.querySelectorAll('.kw-wrong')).toHaveLength(0);
  });

  test('is told to who points and to who walks there with Shift and arrows', async () => {
    await ask(swap);
    const { x, y, why } = misfit(swap, 'long');
    await fireEvent.pointerEnter(cell(`${x},${y}`), { pointerType: 'mouse' });
    expect(status()).toContain(misfitInWords(why!));
    await fireEvent.pointerLeave(cell(`${x},${y}`), { pointerType: 'mouse' });
    expect(status()).not.toContain(misfitInWords(why!));
    await press('ArrowRight');
    let isMisfit = false;
    for (const way of ['Down', 'Right', 'Up', 'Left', 'Left', 'Down']) {
      if (isMisfit) break;
      await press(`Arrow${way}`, document.activeElement!, { shiftKey: true });
      isMisfit = document.activeElement!.classList.contains('kw-off');
    }
    expect(isMisfit).toBe(true);
    expect(document.activeElement!.getAttribute('aria-label')).toContain('Not at ');
    expect(status()).toContain('not here');
  });

  test('says that a card must touch the field when the cloth is tapped', async () => {
    await ask(start);
    await fireEvent.click(document.querySelector('.kw-linen')!);
    expect(status()).toContain('It must touch a card of the field.');
  });

  test('is simply not shown when the server does not answer', async () => {
    const { play } = show(start, { preview: () => Promise.reject(new Error('away')) });
    await press('1');
    expect(document.querySelectorAll('.kw-off')).toHaveLength(0);
    const [first] = placements(start.legal, ownHand(start)[0]).values();
    await fireEvent.click(cell(first!.cell));
    expect(play).toHaveBeenCalledExactlyOnceWith(first!.move);
  });
});

describe('the camera', () => {
  const cells = big.view.field.map(({ x, y }): Cell => [x, y]);
  const phone = { width: 344, height: 340 };

  test('shows a whole small field', () => {
    const camera = fit({ width: 700, height: 540 }, [[0, 0]], []);
    expect(isInSight(camera, { width: 700, height: 540 }, [1, 0])).toBe(true);
  });

  test('keeps cards readable on a phone and looks at the play', () => {
    const camera = fit(phone, cells, big.view.play!.cells);
    expect(camera.z).toBeGreaterThanOrEqual(0.4);
    expect(big.view.play!.cells.every((played) => isInSight(camera, phone, played))).toBe(true);
  });

  test('holds the point that is zoomed at', () => {
    const before = { x: 100, y: 50, z: 0.5 };
    const after = zoomed(before, 2, [40, 30]);
    expect(after.x + 40 / after.z).toBeCloseTo(before.x + 40 / before.z);
    expect(panned(after, -40, 0).x).toBeCloseTo(after.x + 40 / after.z);
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

describe('words', () => {
  test('a sum is explained', () => {
    const line = (count: number, sum: number) => ({
      cells: Array.from({ length: count }, (_, i): Cell => [i, 0]),
      sum,
    });
    const play = { seat: 0, cells: [[0, 0] as Cell], lines: [line(3, 6)], points: 6 };
    expect(explained(play)).toBe('One line: 6.');
    expect(explained({ ...play, lines: [line(3, 6), line(2, 4)], points: 10 })).toBe('6 + 4 = 10.');
    expect(explained({ ...play, lines: [line(4, 10), line(2, 7)], points: 34 })).toBe(
      '(10 + 7) × 2 = 34: a line of four.',
    );
    expect(explained({ ...play, lines: [line(4, 10)], points: 40 })).toBe(
      '(10) × 4 = 40: a line of four and the last play of the match.',
    );
  });

  test('a misfit is explained with its values', () => {
    const line = { reason: 'line', axis: 'row', trait: 'colour', values: ['R', 'R', 'J', 'B'], cells: [] } as const;
    expect(misfitInWords({ ...line, values: [...line.values], cells: [] })).toBe(
      'Row: colour red, red, joker, blue – neither all the same nor all different.',
    );
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

  test('the tally of the last play is the view’s', () => {
    const last = turns(swap.log, swap.view.hands.length).findLast((turn) => turn.play)!.play!;
    expect(last.points).toBe(swap.view.last_play!.points);
    expect(new Set(last.lines.map((line) => line.sum))).toEqual(
      new Set(swap.view.last_play!.lines.map((line) => line.sum)),
    );
  });

  test('the position is told with the hand and the play', () => {
    const lines = inWords(laying.view, NAMES).join(' ');
    expect(lines).toContain(`In your hand: ${ownHand(laying).map(cardName).join(', ')}.`);
    expect(lines).toContain('This play so far: 8 + 7 = 15.');
  });

  test('the last move is told', () => {
    expect(lastMove(laying.view, laying.log, NAMES)).toBe('Green square 3 at -6,-6. 8 + 7 = 15.');
    expect(lastMove(over.view, over.log, NAMES)).toMatch(/^(Ann|Bob) plays: /);
    expect(lastMove(start.view, start.log, NAMES)).toBe('The start card lies.');
  });
});
