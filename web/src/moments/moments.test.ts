import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { View } from '$lib/api';
import { settings } from '$lib/settings.svelte';
import type { Arrival, Scene, TableSource } from '../sources/source';
import { Moments, type Sound } from './moments.svelte';
import type { Step, Telling } from './telling';

const ME = 0;
const view = (ply: number, actor: number | null, scores: number[]): View => ({
  game: 'x',
  options: {},
  seat: ME,
  ply,
  actor,
  scores,
  winners: actor === null ? [1] : [],
});
const scene = (ply: number, actor: number | null, scores = [0, 0, 0]): Scene => ({
  view: view(ply, actor, scores),
  log: Array.from({ length: ply }, (_, i) => `m${i}`),
  isOver: actor === null,
});

/** Each move brings its seat what the scores say, for one reason. */
function tell({ before, after, seat, moves }: Step): Telling {
  const points = after.scores[seat]! - before.scores[seat]!;
  const reason = { seat, text: `because ${seat}`, detail: '', points, marks: [] };
  return { text: `${seat} plays ${moves.join()}`, sound: 'piece', lasts: 900, reasons: points ? [reason] : [] };
}

let source: TableSource;
let moments: Moments;
let heard: Sound[];
const arrive = (...scenes: Scene[]) => source.arrive({ scenes, isJump: false } satisfies Arrival);
/** So long from when it stands on the page, which takes a task of its own. */
const pass = (time: number) => vi.advanceTimersByTime(time + 1);
const said = () => moments.said.map(({ text }) => text);

beforeEach(() => {
  vi.useFakeTimers();
  settings.pace = 'normal';
  source = { mine: [ME], seats: [], scene: scene(0, 1) } as unknown as TableSource;
  moments = new Moments(source, { tell, ending: () => 'one wins', names: () => ['you', 'one', 'two'] });
  heard = [];
  moments.hear = (sound) => heard.push(sound);
});
afterEach(() => {
  moments.close();
  vi.useRealTimers();
});

describe('what others do', () => {
  test('is shown one thing after the other, however fast it comes', () => {
    arrive(scene(1, 2, [0, 5, 0]));
    arrive(scene(2, 0, [0, 5, 0]));
    expect(moments.shown?.view.ply).toBe(1);
    expect(moments.beat?.text).toBe('1 plays m0');
    pass(900);
    expect(moments.beat?.text).toBe('because 1');
    expect(moments.scores).toEqual([0, 0, 0]);
    pass(1600);
    expect(moments.beat?.kind).toBe('points');
    expect(moments.scores).toEqual([0, 0, 0]);
    pass(400);
    expect(moments.gain).toEqual({ seat: 1, points: 5 });
    expect(moments.shown?.view.ply).toBe(2);
    expect(moments.isPresent).toBe(true);
    pass(900);
    expect(moments.beat).toBeNull();
  });

  test('that came in one message is shown in its steps', () => {
    arrive(scene(1, 2), scene(2, 0));
    expect(moments.shown?.view.ply).toBe(1);
    pass(900);
    expect(moments.shown?.view.ply).toBe(2);
  });

  test('ends at once when it is skipped, step by step or all of it', () => {
    arrive(scene(1, 2, [0, 5, 0]), scene(2, 0, [0, 5, 3]));
    moments.skip();
    expect(moments.beat?.text).toBe('because 1');
    moments.skipAll();
    expect(moments.shown?.view.ply).toBe(2);
    expect(moments.beat).toBeNull();
    expect(moments.scores).toEqual([0, 5, 3]);
  });

  test('stands still while it is held', () => {
    arrive(scene(1, 2));
    moments.hold();
    pass(60_000);
    expect(moments.beat?.text).toBe('1 plays m0');
    moments.hold();
    pass(900);
    expect(moments.beat).toBeNull();
  });

  test.each([
    ['slow', 1800],
    ['fast', 360],
  ] as const)('takes its time at the pace %s', (pace, lasts) => {
    settings.pace = pace;
    arrive(scene(1, 2));
    vi.advanceTimersByTime(lasts - 1);
    expect(moments.beat).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(moments.beat).toBeNull();
  });

  test('is there at once when the pace is off, and still said', () => {
    settings.pace = 'off';
    arrive(scene(1, 2, [0, 5, 0]), scene(2, 0, [0, 5, 3]));
    expect(moments.shown?.view.ply).toBe(2);
    expect(moments.scores).toEqual([0, 5, 3]);
    expect(said()).toHaveLength(5);
  });
});

describe('what one does oneself', () => {
  test('is shown at once, before whatever waits', () => {
    arrive(scene(1, 0), scene(2, 0));
    arrive(scene(3, 1));
    expect(moments.shown?.view.ply).toBe(3);
    expect(moments.isPresent).toBe(true);
  });

  test('has its reasons told before the answer is shown', () => {
    arrive(scene(1, 0));
    arrive(scene(2, 1, [4, 0, 0]));
    arrive(scene(3, 2, [4, 0, 0]));
    expect(moments.beat?.text).toBe('because 0');
    pass(2000);
    expect(moments.shown?.view.ply).toBe(3);
  });
});

test('after a jump one is in the present, and nothing is told of what lies between', () => {
  arrive(scene(1, 2), scene(2, 0));
  source.arrive({ scenes: [scene(9, 1)], isJump: true });
  expect(moments.shown?.view.ply).toBe(9);
  expect(moments.beat).toBeNull();
});

test('a move that was taken back is gone at once', () => {
  arrive(scene(1, 2));
  arrive(scene(0, 1));
  expect(moments.shown?.view.ply).toBe(0);
});

test('everything is said once, whole and in order, also whose turn it is and the end', () => {
  arrive(scene(1, 2, [0, 5, 0]), scene(2, 0, [0, 5, 0]));
  pass(10_000);
  arrive(scene(3, null, [0, 5, 0]));
  pass(10_000);
  expect(said()).toEqual(['1 plays m0', 'because 1, 5 points.', '2 plays m1', 'Your turn.', '0 plays m2', 'one wins']);
});

test('sounds go with what is seen', () => {
  arrive(scene(1, 2, [0, 5, 0]), scene(2, 0, [0, 5, 0]));
  expect(heard).toEqual(['other']);
  pass(2500);
  expect(heard).toEqual(['other']); // the points are on their way
  pass(400);
  expect(heard).toEqual(['other', 'points', 'other', 'turn']);
});

test('it is still the turn of who moved until all of it is told', () => {
  arrive(scene(1, 2, [0, 5, 0]));
  for (const lasts of [900, 1600, 400]) {
    expect(moments.beat?.mover).toBe(1);
    pass(lasts);
  }
  expect(moments.beat).toBeNull();
});
