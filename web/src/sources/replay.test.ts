import { expect, test, vi } from 'vitest';
import type { Replay, View } from '$lib/api';
import { person } from '../testing';
import { ReplayTable } from './replay.svelte';
import type { Arrival } from './source';

const PIECE = 64;
const view = (ply: number, eyes: number | null): View => ({
  actor: ply % 2,
  game: 'plain',
  options: {},
  ply,
  scores: [ply, 0],
  seat: eyes,
  winners: [],
});

/** A server with a match of so many moves, which remembers what it was asked. */
function server(total: number) {
  const asked: string[] = [];
  const ask = vi.fn(async (since: number, eyes: number | null): Promise<Replay> => {
    asked.push(`${eyes}:${since}`);
    const length = Math.min(PIECE, total + 1 - since);
    return {
      total,
      seat: eyes,
      actors: Array.from({ length: total }, (_, ply) => (ply ? ply % 2 : null)),
      log: Array.from({ length: total }, (_, ply) => `${eyes ?? 'x'}${ply}`),
      steps: Array.from({ length }, (_, i) => ({ ply: since + i, view: view(since + i, eyes) })),
    };
  });
  return { ask, asked };
}
function open(total: number, eyes: number | null = 0) {
  const made = server(total);
  const replay = new ReplayTable('plain', ['A', 'B'].map(person), 'x', eyes, made.ask);
  const arrivals: Arrival[] = [];
  replay.arrive = (arrival) => arrivals.push(arrival);
  return { replay, arrivals, ...made };
}

test('begins where the address says, with what lies about it, and loads the rest by itself', async () => {
  const { replay, asked } = open(200);
  await replay.open(130);
  expect(replay.at).toBe(130);
  expect(replay.scene?.view.ply).toBe(130);
  expect(replay.scene?.log).toHaveLength(130);
  expect(asked[0]).toBe('0:128');
  await vi.waitFor(() => expect(new Set(asked)).toEqual(new Set(['0:128', '0:192', '0:64', '0:0'])));
  expect(asked).toHaveLength(4);
});

test('begins at the end where the address says nothing', async () => {
  const { replay } = open(100);
  await replay.open(null);
  expect(replay.at).toBe(100);
  expect(replay.scene?.view.ply).toBe(100);
});

test('a ply that is not there is the nearest', async () => {
  const { replay } = open(20);
  await replay.open(9999);
  expect(replay.at).toBe(20);
  expect(replay.scene?.view.ply).toBe(20);
});

test('a jump lands at once and tells nothing', async () => {
  const { replay, arrivals } = open(20);
  await replay.open(5);
  await replay.jump(11);
  expect(arrivals).toHaveLength(1);
  expect(arrivals[0]).toMatchObject({ isJump: true, scenes: [{ view: { ply: 11 } }] });
});

test('a move that is played is told from the position in which it was made', async () => {
  const { replay, arrivals } = open(20);
  await replay.open(5);
  await replay.follow(7, 8);
  expect(arrivals.map(({ isJump, scenes }) => [isJump, scenes[0]!.view.ply])).toEqual([
    [true, 7],
    [false, 8],
  ]);
  expect(replay.at).toBe(8);
});

test('other eyes see other views and another log', async () => {
  const { replay } = open(20);
  await replay.open(5);
  await replay.look(1);
  expect(replay.scene?.view.seat).toBe(1);
  expect(replay.log[3]).toBe('13');
  expect(replay.hands?.map((one) => one.seat)).toEqual([0, 1]);
});

test('all hands are there once everybody has been asked for', async () => {
  const { replay } = open(20);
  await replay.open(5);
  expect(replay.hands).toBeNull();
  await replay.reveal();
  expect(replay.hands?.map(({ ply }) => ply)).toEqual([5, 5]);
});

test('what failed is said, and asked for again', async () => {
  const { replay, ask } = open(20);
  ask.mockRejectedValueOnce(new Error('no line'));
  await replay.open(5);
  expect(replay.failure).toBeInstanceOf(Error);
  expect(replay.scene).toBeNull();
  await replay.open(5);
  expect(replay.failure).toBeNull();
  expect(replay.scene?.view.ply).toBe(5);
});
