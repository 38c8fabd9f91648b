import { describe, expect, test } from 'vitest';
import * as m from '$messages';
import type { AccountView, ReviewMessage } from '$lib/api';
import { luckText, type Match } from './luck';

const figure = (points: number) => ({ win: 0, points });
const account = (seat: number, points: { start: number; luck: number; result: number }): AccountView => ({
  seat,
  start: figure(points.start),
  luck: figure(points.luck),
  own: figure(-1),
  others: figure(0),
  unexplained: figure(0),
  result: figure(points.result),
  adjusted: figure(points.result - points.luck),
  accuracy: 80 + seat,
  verdicts: {} as AccountView['verdicts'],
});
const ann = account(0, { start: 80, luck: 6.3, result: 87 });
const bob = account(1, { start: 80, luck: -6.3, result: 76.5 });
const review = (changes: Partial<ReviewMessage> = {}): ReviewMessage => ({
  type: 'review',
  judge: 'expert',
  care: 'normal',
  preparing: null,
  state: 'done',
  ahead: 0,
  done: 36,
  total: 36,
  decided: 36,
  decisions_total: 36,
  scale: 'points',
  ended: true,
  since: 0,
  decisions: [],
  chances: [{ ply: 0, outcome: '*J', luck: [figure(1), figure(-1)], sampled: false }],
  worth: [],
  seats: [ann, bob],
  ...changes,
});
const match: Match = { mine: [1], winners: [0], names: ['Ann', 'Bob'] };

describe('luck and skill in a sentence', () => {
  test('luck decided where the other is ahead without it', () =>
    expect(luckText(review(), match)).toEqual({
      gist: m.result_luck_decided(),
      text: 'Your luck was −6.3, your play +2.8.',
    }));

  test('play decided where the winner is ahead all the same', () =>
    expect(luckText(review({ seats: [account(0, { start: 80, luck: 1, result: 90 }), bob] }), match)?.gist).toBe(
      m.result_play_decided(),
    ));

  test('an onlooker is told of the winner', () =>
    expect(luckText(review(), { ...match, mine: [] })?.text).toBe('Ann: luck +6.3, play +0.7.'));

  test('alone there is nobody to decide against', () =>
    expect(luckText(review({ seats: [ann] }), { mine: [0], winners: [], names: ['Ann'] })).toEqual({
      gist: '',
      text: 'Your luck was +6.3, your play +0.7.',
    }));

  test('without chance it is the accuracy', () =>
    expect(luckText(review({ chances: [] }), match)?.text).toBe('Accuracy: Ann 80% and Bob 81%'));

  test('before it is done it tells how far', () =>
    expect(luckText(review({ state: 'making', decided: 12 }), match)?.text).toBe('Judging, 12 of 36'));

  test.each(['none', 'stopped'] as const)('%s says nothing', (state) =>
    expect(luckText(review({ state }), match)).toBeNull(),
  );
});
