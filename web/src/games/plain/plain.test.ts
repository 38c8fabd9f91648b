import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Picture, View } from '$lib/api';
import { press } from '../../testing';
import Table from '../../screens/Table.svelte';
import { sharedTable, StillTable } from '../../specimen/data.svelte';
import game from '.';
import Board from './Board.svelte';
import { drawing } from './drawing.svelte';
import { afterClick, changedShapes, looseMoves, movesLeft, neighbour, spotsOf, type Drawn, type Shape } from './spots';
import { entries, tell } from './words';

const box = (x: number, y: number, name: string, ...moves: string[]): Shape => ({
  ...{ kind: 'box', x, y, width: 0.9, height: 0.9, fill: '#2f6f9f', edge: null, round: 0.1 },
  ...{ name, moves },
});
const sheet = (ply: number, shapes: Drawn[], movers: (number | null)[] = []): Picture => ({
  ...{ ply, movers, width: 4, height: 3, shapes, art: {} },
  sides: [
    { fill: '#c0392b', name: 'red' },
    { fill: '#d9a514', name: 'yellow' },
  ],
});
const view = (ply: number): View => ({
  ...{ game: 'new', options: {}, seat: 0, ply, actor: 0, scores: [0, 0], winners: [] },
});
// Two cards of a hand, two cells: a card and a cell make a move.
const CARDS = sheet(0, [
  box(0, 0, 'A', 'A1', 'A2', 'pass A'),
  box(1, 0, 'B', 'B1', 'pass B'),
  box(0, 1, 'cell 1', 'A1', 'B1'),
  box(1, 1, 'cell 2', 'A2', 'B2'),
]);
const LEGAL = ['A1', 'A2', 'B1', 'pass A', 'pass B', 'done'];

describe('spots', () => {
  const spots = spotsOf(CARDS, LEGAL);

  test('offer those of their moves that are legal', () => {
    expect(spots.map(({ moves }) => moves)).toEqual([['A1', 'A2', 'pass A'], ['B1', 'pass B'], ['A1', 'B1'], ['A2']]);
    expect(looseMoves(spots, LEGAL)).toEqual(['done']);
  });

  test('that are clicked leave what all of them mean', () => {
    expect(movesLeft(spots, [0])).toEqual(['A1', 'A2', 'pass A']);
    expect(movesLeft(spots, [0, 2])).toEqual(['A1']);
    expect(movesLeft(spots, [])).toEqual([]);
  });

  test('begin anew with a click that fits no earlier one, and a second click takes the first back', () => {
    expect(afterClick(spots, [0], 2)).toEqual([0, 2]);
    expect(afterClick(spots, [0, 2], 1)).toEqual([1]);
    expect(afterClick(spots, [0, 2], 0)).toEqual([2]);
  });

  test('are reached by arrows', () => {
    const [a, b, one, two] = spots as [(typeof spots)[0], (typeof spots)[0], (typeof spots)[0], (typeof spots)[0]];
    expect(neighbour(spots, a, [1, 0])).toBe(b);
    expect(neighbour(spots, a, [0, 1])).toBe(one);
    expect(neighbour(spots, two, [-1, 0])).toBe(one);
    expect(neighbour(spots, b, [1, 0])).toBeNull();
  });
});

describe('what the last move changed', () => {
  const discs = (...fills: string[]): Shape[] =>
    fills.map((fill, x) => ({ kind: 'disc', x, y: 0, radius: 0.4, fill, edge: null, name: '', moves: [] }));
  const before = sheet(1, discs('red', 'white', 'white', 'white', 'white'));

  test('is marked', () => {
    const after = sheet(2, discs('red', 'blue', 'white', 'white', 'white'));
    expect(changedShapes(before, after)).toEqual([after.shapes[1]]);
  });
  test('is nothing special where all was drawn anew or taken back', () => {
    expect(changedShapes(before, sheet(2, discs('blue', 'blue', 'blue', 'blue', 'blue')))).toEqual([]);
    expect(changedShapes(before, sheet(0, discs('white', 'white', 'white', 'white', 'white')))).toEqual([]);
    expect(changedShapes(null, before)).toEqual([]);
  });
});

describe('the board', () => {
  afterEach(cleanup);
  const play = vi.fn();
  const turn = (legal: string[], picture = () => Promise.resolve(CARDS)) => ({
    ...{ ply: 0, legal, sent: null, hint: null, refusal: null, play, picture },
    ...{ preview: () => Promise.reject(), why: () => Promise.reject() },
  });
  const board = (legal: string[], picture?: () => Promise<Picture>) =>
    render(Board, { view: view(0), log: [], names: ['Ann', 'Bob'], turn: turn(legal, picture), beat: null });
  const spot = (name: string) => screen.findByRole('button', { name });

  beforeEach(() => {
    play.mockClear();
    drawing.forget();
  });

  test('is played by clicks on shapes', async () => {
    board(LEGAL);
    await fireEvent.click(await spot('A'));
    expect(screen.getByRole('button', { name: 'A', pressed: true })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'pass A' })).toBeTruthy();
    await fireEvent.click(await spot('cell 1'));
    await press('Enter');
    expect(play).toHaveBeenCalledExactlyOnceWith('A1');
  });

  test('draws paths and what is stamped, which nobody clicks', async () => {
    const path: Drawn = {
      ...{ kind: 'path', d: 'M0 0H9V9Z', fill: '#c0392b', edge: null, line: 1, dash: [], mirrored: true },
      ...{ x: 1, y: 2, scale: 0.1, turn: 45 },
    };
    const stamp: Drawn = { kind: 'stamp', art: 'gem', x: 3, y: 1, scale: 0.5, turn: 0, faint: 0.8 };
    const picture = {
      ...sheet(0, [path, stamp, box(0, 0, 'A', 'A1')]),
      art: { gem: { shapes: [path], clip: 'M0 0H5V5Z' } },
    };
    board(LEGAL, () => Promise.resolve(picture));
    await spot('A');
    const drawn = document.querySelectorAll('.drawn > path, .drawn > use');
    expect([...drawn].map((node) => node.tagName.toLowerCase())).toEqual(['path', 'use']);
    expect(drawn[0]!.getAttribute('transform')).toBe('translate(1 2) rotate(45) scale(-0.1 0.1)');
    const gem = document.querySelector(drawn[1]!.getAttribute('href')!.replace(/^#/, 'defs > #'));
    expect(gem?.querySelector('path')?.getAttribute('d')).toBe('M0 0H9V9Z');
    expect(gem?.getAttribute('clip-path')).toMatch(/^url\(#.+-clip\)$/);
    expect(document.querySelectorAll('[data-spot]')).toHaveLength(1);
  });

  test('is played by a move picked from several, or from those without a shape', async () => {
    board(LEGAL);
    await fireEvent.click(await spot('done'));
    await fireEvent.click(await spot('B'));
    await fireEvent.click(await spot('pass B'));
    await press('Enter');
    expect(play).toHaveBeenCalledExactlyOnceWith('pass B');
  });

  test('is played by keys alone', async () => {
    board(LEGAL);
    await spot('A');
    await press('ArrowDown');
    expect(document.activeElement).toBe(await spot('A'));
    await press('ArrowRight', document.activeElement!);
    expect(document.activeElement).toBe(await spot('B'));
    await press('Enter', document.activeElement!);
    await press('ArrowDown', document.activeElement!);
    expect(document.activeElement).toBe(await spot('cell 2'));
    await press('ArrowLeft', document.activeElement!);
    await press('Enter', document.activeElement!);
    await press('Enter', document.activeElement!);
    expect(play).toHaveBeenCalledExactlyOnceWith('B1');
  });

  test('lets one look and read while another plays', async () => {
    board([]);
    const cell = await spot('cell 2');
    expect(cell.getAttribute('aria-disabled')).toBe('true');
    await fireEvent.click(cell);
    await press('Enter', cell);
    expect(play).not.toHaveBeenCalled();
  });

  test('can be played without its picture, which can be asked for again', async () => {
    const ask = vi.fn<() => Promise<Picture>>().mockRejectedValueOnce(new Error()).mockResolvedValue(CARDS);
    board(LEGAL, ask);
    await fireEvent.click(await spot('B1'));
    await fireEvent.click(await spot('Try again'));
    await spot('cell 1');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'B1' })).toBeNull());
  });

  test("shows nobody else's hand at a device that is handed on", async () => {
    const picture = vi.fn((_: number, isOpen: boolean) => Promise.resolve(isOpen ? sheet(0, []) : CARDS));
    const source = Object.assign(new StillTable(sharedTable()), { picture });
    render(Table, { source, game });
    await screen.findByRole('group', { name: 'Board' });
    expect(screen.queryByRole('button', { name: 'A' })).toBeNull();
    expect(picture.mock.calls.every(([, isOpen]) => isOpen)).toBe(true);
    await fireEvent.click(screen.getByRole('button', { name: 'Show my hand' }));
    await spot('A');
  });

  test('shows it neither while moves before that turn are told', async () => {
    const picture = vi.fn((_: number, isOpen: boolean) => Promise.resolve(isOpen ? sheet(0, []) : CARDS));
    const table = sharedTable();
    const source = Object.assign(new StillTable({ ...table, mine: [0, 2] }), { picture });
    const { view, log } = table.match!;
    const scene = (more: number, seat: number | null, actor: number) => ({
      view: { ...view, ply: view.ply + more, seat, actor },
      log: [...log, ...['b2', 'b3', 'b4'].slice(0, more)],
      isOver: false,
    });
    render(Table, { source, game });
    source.arrive({ scenes: [scene(1, null, 1)], isJump: true });
    source.arrive({ scenes: [scene(2, 2, 3), scene(3, 2, 2)], isJump: false });
    await waitFor(() => expect(picture).toHaveBeenCalledWith(view.ply + 2, true));
    expect(picture.mock.calls.filter(([ply, isOpen]) => ply === view.ply + 2 && !isOpen)).toEqual([]);
  });
});

describe('words', () => {
  test('tell who played what, and what chance did', async () => {
    await drawing.show('x', () => Promise.resolve(sheet(2, [], [1, null])));
    const log = ['d', '*6'];
    expect(entries(view(2), log, ['Ann', 'Bob']).map(({ seat, text }) => [seat, text])).toEqual([
      [1, 'Bob: d'],
      [-1, 'Luck: 6'],
    ]);
    const step = { before: view(0), after: { ...view(2), scores: [0, 3] }, moves: log, log, seat: 1 };
    const told = tell({ ...step, names: ['Ann', 'Bob'], isMine: false });
    expect(told.text).toBe('Bob: d · Luck: 6');
    expect(told.reasons).toMatchObject([{ seat: 1, text: 'Bob', points: 3 }]);
  });
});
