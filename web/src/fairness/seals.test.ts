import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TableMessage } from '$lib/api';
import { addPart, choosePart } from './parts';
import { KEPT, noteOwn, noteSeal, noteTable, seenSeal } from './seals';

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

describe('one’s own part', () => {
  const table = { id: 'a', commitment: 'seal', state: 'open', match: null, mine: [1], may: ['shuffle'] };
  const told = (change = {}) => ({ ...table, ...change }) as unknown as TableMessage;
  const taken = vi.fn((_: string) => Promise.resolve(true));
  beforeEach(() => taken.mockClear());

  test('is random, noted with the seal before it is sent, and the same when it is sent again', async () => {
    await addPart(told(), (part) => {
      expect(seenSeal('a')).toMatchObject({ seal: 'seal', own: { part, seat: 1 } });
      return taken(part);
    });
    await addPart(told(), taken);
    const [[first], [second]] = taken.mock.calls as [[string], [string]];
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
    expect(seenSeal('a')?.own).toEqual({ part: first, seat: 1, isTaken: true });
  });

  test('is the same for a server that names another seat each time', async () => {
    for (const seat of [1, 0, 3, 2]) await addPart(told({ id: 'seats', mine: [seat] }), taken);
    const parts = taken.mock.calls.map(([part]) => part);
    expect(new Set(parts).size).toBe(1);
    expect(seenSeal('seats')?.own).toEqual({ part: parts[0], seat: 2, isTaken: true });
  });

  test('is the same for a server that refuses it each time', async () => {
    const refused = vi.fn((_: string) => Promise.resolve(false));
    for (let i = 0; i < 5; i++) await addPart(told({ id: 'refusing' }), refused);
    expect(new Set(refused.mock.calls.map(([part]) => part)).size).toBe(1);
    expect(seenSeal('refusing')).toMatchObject({ seal: 'seal', own: { seat: 1, isTaken: false } });
    await addPart(told({ id: 'refusing' }), taken);
    await addPart(told({ id: 'refusing' }), refused);
    expect(seenSeal('refusing')?.own?.isTaken).toBe(true);
  });

  test('is the same where the browser keeps nothing, and whatever is typed later', async () => {
    const setItem = () => {
      throw new Error('full');
    };
    vi.stubGlobal('localStorage', { getItem: () => null, setItem });
    for (let i = 0; i < 3; i++) {
      await addPart(told({ id: 'kept nowhere' }), taken);
      choosePart('kept nowhere', `text ${i}`);
    }
    expect(new Set(taken.mock.calls.map(([part]) => part)).size).toBe(1);
  });

  test('is what was typed and letters that nobody can guess', async () => {
    choosePart('typed', ' amber\u00a0otter\u200d 41 ');
    await addPart(told({ id: 'typed' }), taken);
    choosePart('long', '☂'.repeat(64));
    await addPart(told({ id: 'long' }), taken);
    const [[part], [long]] = taken.mock.calls as [[string], [string]];
    expect(part).toMatch(/^amber otter 41 [0-9a-f]{32}$/);
    expect(seenSeal('typed')?.own).toEqual({ part, seat: 1, isTaken: true });
    expect([...long]).toHaveLength(64);
    expect(long).toMatch(/☂ [0-9a-f]{32}$/);
  });

  test('is not sent where none is asked for', async () => {
    await addPart(told({ may: ['leave'] }), taken);
    await addPart(told({ mine: [] }), taken);
    expect(taken).not.toHaveBeenCalled();
  });

  test('of another table is left alone', () => {
    noteSeal('a', 'seal', 0);
    noteSeal('b', 'other', 0);
    noteOwn('b', { part: 'x', seat: 0, isTaken: true });
    expect([seenSeal('a')?.own, seenSeal('b')?.own]).toEqual([undefined, { part: 'x', seat: 0, isTaken: true }]);
  });
});
