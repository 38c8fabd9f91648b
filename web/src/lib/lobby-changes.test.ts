import { expect, test } from 'vitest';
import { lobby as whole } from '../specimen/data.svelte';
import type { FromLobby, Lobby } from './api';
import { heard } from './lobby-changes';

const table = (id: string, changed: number, ply = 0) => ({ ...whole.mine[0]!, id, changed, ply });
const before: Lobby = {
  type: 'lobby',
  open: [table('b', 2), table('a', 1)],
  running: [table('c', 3)],
  mine: [table('c', 3)],
};
const change = (parts: object): FromLobby => ({
  type: 'lobby-change',
  open: [],
  running: [],
  gone: [],
  mine: [],
  mine_gone: [],
  ...parts,
});
const ids = ({ open, running, mine }: Lobby) => [open, running, mine].map((list) => list.map(({ id }) => id).join(''));

test('changes are put where they belong, the last changed first', () => {
  expect(heard(null, change({}))).toBeNull();
  expect(heard(null, before)).toBe(before);
  expect(heard(before, { type: 'pong', now: 0 })).toBe(before);
  expect(ids(heard(before, change({}))!)).toEqual(['ba', 'c', 'c']);
  const fresh = heard(before, change({ open: [table('d', 4), table('a', 5, 1)] }))!;
  expect(ids(fresh)).toEqual(['adb', 'c', 'c']);
  expect(fresh.open[0]!.ply).toBe(1);
  expect(ids(heard(before, change({ running: [table('a', 6)] }))!)).toEqual(['b', 'ac', 'c']);
  expect(ids(heard(before, change({ gone: ['b', 'c'] }))!)).toEqual(['a', '', 'c']);
  expect(ids(heard(before, change({ mine: [table('e', 9)], mine_gone: ['c'] }))!)).toEqual(['ba', 'c', 'e']);
});
