import { expect, test } from 'vitest';
import { position, tableOf } from '../specimen/data';
import type { TableMessage, View } from './api';
import { heard, type Moment } from './hearing';

const start = position('carat-start');
const me = start.view.seat!;
const other = (me + 1) % start.view.scores.length;

/** Carat's first position, changed. */
function moment(view: Partial<View> = {}, log: string[] = [], changes: Partial<TableMessage> = {}): Moment {
  const changed = { ...start.view, ...view };
  const may = changed.actor === me ? ['chat', 'play'] : ['chat'];
  const table = tableOf({ ...start, view: changed }, { may, ...changes });
  return { table, log, sent: null, refusal: null };
}
const mine = moment({ actor: me }, ['*R']);
const theirs = moment({ actor: other }, ['*R']);
const sent = { ...mine, sent: { ply: start.view.ply, move: 'a1' } };
const ply = start.view.ply;

test('what was there when one came is silent', () => {
  expect(heard({ table: null, log: [], sent: null, refusal: null }, mine)).toEqual([]);
  expect(heard(mine, mine)).toEqual([]);
});

test('one’s own move is heard when it is laid, and only then', () => {
  expect(heard(mine, sent)).toEqual(['own']);
  expect(heard(sent, moment({ actor: other, ply: ply + 1 }, ['*R', 'a1', '*B']))).toEqual([]);
});

test('one’s own move from another device is heard when it arrives', () => {
  expect(heard(mine, moment({ actor: other, ply: ply + 1 }, ['*R', 'a1']))).toEqual(['own']);
});

test('another’s move sounds different, and then it may be one’s turn', () => {
  const third = moment({ actor: (me + 2) % 4, ply: ply + 1 }, ['*R', 'a1']);
  expect(heard(theirs, third)).toEqual(['other']);
  expect(heard(theirs, moment({ actor: me, ply: ply + 1 }, ['*R', 'a1']))).toEqual(['other', 'turn']);
});

test('a bot’s answer that comes together with one’s own move is heard', () => {
  expect(heard(sent, moment({ actor: me, ply: ply + 2 }, ['*R', 'a1', 'a2']))).toEqual(['other']);
});

test('a start that gives one the first turn is heard', () => {
  expect(heard({ ...mine, table: { ...mine.table!, state: 'open', match: null, may: ['chat'] } }, mine)).toEqual([
    'turn',
  ]);
});

test('points are heard after the move that brought them, for whomever', () => {
  const scores = start.view.scores.map((score, seat) => score + (seat === other ? 5 : 0));
  expect(heard(theirs, moment({ actor: me, ply: ply + 1, scores }, ['*R', 'a1']))).toEqual(['other', 'points', 'turn']);
});

test('a move that is taken back brings no points and no piece', () => {
  const scores = start.view.scores.map((score) => score - 5);
  const later = moment({ actor: other, ply: ply + 1 }, ['*R', 'a1']);
  expect(heard({ ...later, table: moment({ actor: other, ply: ply + 1, scores }).table }, theirs)).toEqual([]);
});

test('the end is a victory or just the end', () => {
  const end = (winners: number[]) =>
    moment({ actor: null, ply: ply + 1, winners }, ['*R', 'a1'], {
      state: 'over',
      result: { reason: 'played', winners, scores: start.view.scores, places: [0, 0, 0, 0] },
    });
  expect(heard(theirs, end([me]))).toEqual(['other', 'won']);
  expect(heard(theirs, end([other]))).toEqual(['other', 'over']);
  expect(heard(end([me]), end([me]))).toEqual([]);
});

test('only dice rattle', () => {
  const roll = position('catan_dice-roll');
  const rolling = (log: string[]): Moment => ({ table: tableOf(roll), log, sent: null, refusal: null });
  expect(heard(rolling(['*ABC']), rolling(['*ABC', 'keep A', '*BC']))).toEqual(['dice']);
});

test('a refusal is heard once, and nothing with it', () => {
  const refusal = { code: 'illegal-move', sentence: 'No.' };
  expect(heard(sent, { ...mine, refusal })).toEqual(['refused']);
  expect(heard({ ...mine, refusal }, { ...mine, refusal })).toEqual([]);
});
