import { expect, test } from 'vitest';
import { lobby, ME } from '../specimen/data.svelte';
import type { Lobby, TableSummary } from './api';
import { awaiting, begun } from './turns';

const DAY = { kind: 'move', seconds: 86_400, increment: 0 } as const;
const mine = lobby.mine.find(({ id }) => id === 'e')!; // running, and one's turn
const told = (...tables: Partial<TableSummary>[]): Lobby => ({
  ...lobby,
  mine: tables.map((changes) => ({ ...mine, clock: DAY, ...changes })),
});
const ids = (tables: TableSummary[]) => tables.map(({ id }) => id);

test('one is awaited where one plays over days and it is one’s turn', () => {
  const tables = told(
    { id: 'yes' },
    { id: 'theirs', actor: 1 },
    { id: 'over', state: 'over', actor: null },
    { id: 'live', clock: { kind: 'live', seconds: 100_000, increment: 0 } },
    { id: 'hour', clock: { kind: 'move', seconds: 3600, increment: 0 } },
    { id: 'none', clock: null },
  );
  expect(ids(awaiting(tables, ME))).toEqual(['yes']);
  expect(awaiting(tables, 'somebody')).toEqual([]);
});

test('only what is new is told, and nothing when one comes', () => {
  const [before, after] = [awaiting(told({ id: 'a' }), ME), awaiting(told({ id: 'a' }, { id: 'b' }), ME)];
  expect(begun(null, after)).toEqual([]);
  expect(ids(begun(before, after))).toEqual(['b']);
  expect(begun(after, before)).toEqual([]);
});
