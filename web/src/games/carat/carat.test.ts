import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CaratView, Chip } from '$lib/api';
import { position, run } from '../../specimen/data.svelte';
import { cell, press } from '../../testing';
import Board from './Board.svelte';
import { cellsAround, cornersOf } from './layout';
import { cornersAfter, placement, ways } from './moves';
import { entries, settlement } from './words';

afterEach(cleanup);

const middle = position('carat-middle') as { view: CaratView; legal: string[]; log: string[] };
const show = (changes: object = {}) => {
  const play = vi.fn();
  const board = render(Board, { ...middle, play, ...changes });
  return { play, board };
};
const confirm = () => screen.getByRole('button', { name: /^Place on/ });
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
    const offered = [...document.querySelectorAll('.cell.is-legal')].map((c) => c.getAttribute('data-cell'));
    expect(new Set(offered)).toEqual(new Set(middle.legal.map((move) => move.slice(0, 2))));
  });

  test('plays what was chosen, turned and confirmed, in notation', async () => {
    const { play } = show();
    await fireEvent.click(cell('b3'));
    await press('r');
    await fireEvent.click(confirm());
    const turned = ways(middle.legal, middle.view.hands[2]![0 as never], 'b3')[1]!;
    expect(play).toHaveBeenCalledExactlyOnceWith(turned.move);
    expect(middle.legal).toContain(turned.move);
  });

  test('turns the other way with Shift, and by the wheel', async () => {
    const { play } = show();
    await fireEvent.click(cell('b3'));
    await press('R', window, { shiftKey: true });
    await fireEvent.wheel(document.querySelector('.carat-board')!, { deltaY: 1 });
    await fireEvent.wheel(document.querySelector('.carat-board')!, { deltaY: -1 });
    await fireEvent.click(confirm());
    expect(play).toHaveBeenCalledExactlyOnceWith(ways(middle.legal, '2RBGY', 'b3')[3]!.move);
  });

  test('can be played with keys alone', async () => {
    const { play } = show();
    await press('ArrowLeft', cell('c3'));
    await press('Enter', cell('b3'));
    expect(play).not.toHaveBeenCalled();
    await press('Enter', cell('b3'));
    expect(play).toHaveBeenCalledExactlyOnceWith('b3=2RBGY');
  });

  test('forgets the choice on Escape', async () => {
    const { play } = show();
    await fireEvent.click(cell('b3'));
    await press('Escape');
    expect(screen.queryByRole('button', { name: /^Place on/ })).toBeNull();
    expect(play).not.toHaveBeenCalled();
  });

  test('takes no cell that is not legal', async () => {
    const { play } = show();
    await fireEvent.click(cell('f6'));
    await fireEvent.click(cell('a1'));
    expect(screen.queryByRole('button', { name: /^Place on/ })).toBeNull();
    expect(play).not.toHaveBeenCalled();
  });

  test('offers nothing while it is not to be played on', async () => {
    const { play } = show({ disabled: true });
    await fireEvent.click(cell('b3'));
    await press('Enter', cell('b3'));
    expect(document.querySelectorAll('.cell.is-legal')).toHaveLength(0);
    expect(play).not.toHaveBeenCalled();
  });

  test('sends nothing while a move is on its way, and again after a refusal', async () => {
    const { play, board } = show();
    await fireEvent.click(cell('b3'));
    await fireEvent.click(confirm());
    await board.rerender({ sent: play.mock.calls[0]![0] });
    await press('Enter', cell('b3'));
    expect(play).toHaveBeenCalledTimes(1);
    await board.rerender({ sent: null });
    await fireEvent.click(confirm());
    expect(play).toHaveBeenCalledTimes(2);
  });

  test('turns chips over only when a new position comes', async () => {
    const [before, after] = run('carat-run') as unknown as [typeof middle, typeof middle];
    const { board } = show(before);
    expect(document.querySelectorAll('.chip-turned.is-new')).toHaveLength(0);
    await board.rerender(after);
    expect(document.querySelectorAll('.chip-turned.is-new')).toHaveLength(after.view.settled_last.length);
    expect(document.querySelectorAll('.tile.is-new')).toHaveLength(1);
  });

  test('shows a spectator no hand and no hidden tile', () => {
    const watched = position('carat-watched') as typeof middle;
    show({ ...watched, disabled: true });
    expect(document.querySelector('.hand')).toBeNull();
    expect(watched.view.hands.every((hand) => typeof hand === 'number')).toBe(true);
  });

  test('lets one of three tiles be chosen by its number', async () => {
    const pairs = position('carat-pairs') as typeof middle;
    const hand = pairs.view.hands[1] as string[];
    const { play } = show(pairs);
    await press('2');
    const target = pairs.legal.map(placement).find((p) => ways(pairs.legal, hand[1]!, p.cell).length)!;
    await fireEvent.click(cell(target.cell));
    await fireEvent.click(confirm());
    expect(play).toHaveBeenCalledExactlyOnceWith(ways(pairs.legal, hand[1]!, target.cell)[0]!.move);
  });
});

describe('the preview', () => {
  test('adds the tile to the sums of its four corners', () => {
    const [way] = ways(middle.legal, '2RBGY', 'b3');
    const corners = cornersAfter(middle.view, way!);
    cornersOf('b3').forEach((point, i) => {
      const corner = corners.find((c) => c.point === point);
      if (middle.view.chips[point]!.settled) expect(corner).toBeUndefined();
      else expect(corner!.sums['RBGY'[i]!]).toBe(middle.view.chips[point]!.sums['RBGY'[i]!]! + 2);
    });
  });

  test('knows which chips the tile completes', () => {
    const [way] = ways(middle.legal, '2RBGY', 'b3');
    const complete = cornersAfter(middle.view, way!).filter((corner) => corner.isComplete);
    expect(complete.map((corner) => corner.value)).toEqual([3, 4]);
  });

  test('points have four cells around them, two at the edge and one in a corner', () => {
    expect(cellsAround(0)).toEqual(['a1']);
    expect(cellsAround(1)).toEqual(['a1', 'b1']);
    expect(cellsAround(8)).toEqual(['a1', 'b1', 'a2', 'b2']);
  });
});

describe('the sentences', () => {
  test.each([
    [chip(3, [5, 1, 2, 3], 'R', 12), 'Red 5 beats green 3: 3 × 4 colours = 12.'],
    [chip(3, [4, 0, 4, 3], 'G', 9), 'Red and blue tie and drop out; green 3 is next: 3 × 3 colours = 9.'],
    [chip(5, [8, 0, 0, 0], 'R', 5), 'Red 8 beats yellow 0: 5 × 1 colour = 5.'],
    [chip(4, [6, 0, 6, 0], null, 0), 'Nobody wins the 4: red 6, blue 6, yellow 0, green 0.'],
  ])('say why a chip went where it went', (settled, sentence) => {
    expect(settlement(settled)).toBe(sentence);
  });

  test('give each settled chip to the move that settled it', () => {
    const over = position('carat-over') as typeof middle;
    const list = entries(over.view, over.log);
    expect(list).toHaveLength(36);
    expect(list.flatMap((entry) => entry.why)).toHaveLength(49);
    const gains = list.filter((entry) => entry.seat === 2).map((entry) => Number(entry.gain));
    expect(gains.every((gain) => gain >= 0)).toBe(true);
  });
});
