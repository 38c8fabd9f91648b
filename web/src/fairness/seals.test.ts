import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TableMessage } from '$lib/api';
import { KEPT, noteSeal, noteTable, seenSeal } from './seals';

beforeEach(() => localStorage.clear());
afterEach(() => void vi.unstubAllGlobals());

test('what was seen first counts', () => {
  noteSeal('a', 'first', 0, 5_000);
  noteSeal('a', 'second', 3, 9_000);
  expect(seenSeal('a')).toMatchObject({ seal: 'first', at: 5, moves: 0 });
  expect(seenSeal('b')).toBeNull();
});

test('only the latest are kept', () => {
  for (let i = 0; i <= KEPT; i++) noteSeal(`table ${i}`, 'seal', 0);
  expect([seenSeal('table 0'), seenSeal('table 1')?.seal, seenSeal(`table ${KEPT}`)?.seal]).toEqual([
    null,
    'seal',
    'seal',
  ]);
});

test.each(['not json', '7', '[1, null, {"table": "a"}]'])('a store with %s in it has seen nothing', (kept) => {
  localStorage.setItem('seals', kept);
  expect(seenSeal('a')).toBeNull();
  noteSeal('a', 'seal', 0);
  expect(seenSeal('a')?.seal).toBe('seal');
});

test('a store that takes nothing has seen nothing', () => {
  const setItem = () => {
    throw new Error('full');
  };
  vi.stubGlobal('localStorage', { getItem: () => null, setItem });
  noteSeal('a', 'seal', 0);
  expect(seenSeal('a')).toBeNull();
});

test('a table that is over has nothing left to note, and draws are no moves', () => {
  const table = { id: 'a', commitment: 'seal', state: 'over', match: null } as unknown as TableMessage;
  noteTable(table);
  expect(seenSeal('a')).toBeNull();
  noteTable({ ...table, state: 'running' }, ['*RS1', '*RS2', 'RS1@0,0']);
  expect(seenSeal('a')?.moves).toBe(1);
});
