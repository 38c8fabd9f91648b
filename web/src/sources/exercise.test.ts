import { expect, test, vi } from 'vitest';
import type { DecisionView, Position, Tried } from '$lib/api';
import { Refused } from '$lib/api-client';
import { ExerciseTable, type Judge } from './exercise.svelte';
import type { Arrival } from './source';

const decision: DecisionView = {
  ply: 7,
  seat: 1,
  move: 'b',
  best: 'a',
  loss: { win: 0.3, points: 4 },
  error: { win: 0.01, points: 0.1 },
  verdict: 'mistake',
  exact: false,
  forced: false,
  options: [],
};
const position: Position = {
  ply: 7,
  seat: 1,
  view: { actor: 1, game: 'plain', options: {}, ply: 7, scores: [0, 0], seat: 1, winners: [] },
  legal: ['a', 'b', 'c', 'd'],
};
const tried = (loss: number): Tried => ({
  ply: 7,
  move: 'c',
  loss: { win: loss, points: loss * 10 },
  error: { win: 0.01, points: 0.1 },
  verdict: 'slip',
  exact: false,
  reason: null,
});

function begin(judge: Partial<Judge> = {}) {
  const whole = {
    position: vi.fn(async () => position),
    try: vi.fn(async () => tried(0.1)),
    preview: vi.fn(async () => []),
    why: vi.fn(async () => null),
    ...judge,
  };
  const seats = [0, 1].map(() => ({}) as never);
  const exercise = new ExerciseTable('plain', seats, (ply) => Array.from({ length: ply }, () => 'x'), whole);
  const arrivals: Arrival[] = [];
  exercise.arrive = (arrival) => arrivals.push(arrival);
  return { exercise, arrivals, judge: whole };
}
const settled = (exercise: ExerciseTable) => vi.waitFor(() => expect(exercise.sent).toBeNull());

test('the position is the one in which it was decided, with every legal move', async () => {
  const { exercise, arrivals } = begin();
  await exercise.show(decision);
  expect(exercise.legal).toEqual(['a', 'b', 'c', 'd']);
  expect(exercise.mine).toEqual([1]);
  expect(exercise.scene?.log).toHaveLength(7);
  expect(arrivals).toMatchObject([{ isJump: true }]);
});

test('the best move is known at once, and then there is nothing left to choose', async () => {
  const { exercise, judge } = begin();
  await exercise.show(decision);
  exercise.play('a');
  await settled(exercise);
  expect(exercise.outcome?.kind).toBe('best');
  expect(exercise.legal).toEqual([]);
  expect(judge.try).not.toHaveBeenCalled();
});

test.each([
  ['c', 0.1, 'better'],
  ['c', 0.001, 'best'],
  ['c', 0.4, 'none'],
  ['b', 9, 'none'],
])('a try of %s that loses %d of the 0.3 is %s', async (move, loss, kind) => {
  const { exercise } = begin({ try: async () => tried(loss) });
  await exercise.show(decision);
  exercise.play(move);
  expect(exercise.sent).toBe(move);
  await settled(exercise);
  expect(exercise.outcome?.kind).toBe(kind);
});

test('the answer lies on the board as a hint', async () => {
  const { exercise } = begin();
  await exercise.show(decision);
  exercise.answer();
  expect(exercise.hint).toEqual({ move: 'a' });
});

test('a refusal is told and one may try again', async () => {
  const refuse = async () => {
    throw new Refused('busy', 'Too many at once.');
  };
  const { exercise } = begin({ try: refuse });
  await exercise.show(decision);
  exercise.play('c');
  await settled(exercise);
  expect(exercise.refusal).toEqual({ code: 'busy', sentence: 'Too many at once.' });
  expect(exercise.legal).toHaveLength(4);
});

test('what is asked about pieces and moves is asked of that ply', async () => {
  const { exercise, judge } = begin();
  await exercise.show(decision);
  await exercise.preview('p');
  await exercise.why('z');
  expect(judge.preview).toHaveBeenCalledWith(7, 'p');
  expect(judge.why).toHaveBeenCalledWith(7, 'z');
});

test('the board that still shows the decision before is neither played on nor asked about the next one', async () => {
  let come = (_: Position) => {};
  const later = new Promise<Position>((resolve) => (come = resolve));
  const { exercise, judge } = begin({ position: async (ply) => (ply === 7 ? position : later) });
  await exercise.show(decision);
  const shown = exercise.show({ ...decision, ply: 9, best: 'c' });
  expect(exercise.scene?.view.ply).toBe(7);
  expect(exercise.legal).toEqual([]);
  await exercise.preview('p');
  await exercise.why('z');
  expect(judge.preview).toHaveBeenCalledWith(7, 'p');
  expect(judge.why).toHaveBeenCalledWith(7, 'z');
  exercise.answer();
  expect(exercise.hint).toBeNull();
  come({ ...position, ply: 9 });
  await shown;
  expect(exercise.legal).toHaveLength(4);
  expect(exercise.hint).toEqual({ move: 'c' });
});
