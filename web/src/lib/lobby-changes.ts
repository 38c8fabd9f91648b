// The lobby as its messages tell it: whole at first, then what changes.
import type { FromLobby, Lobby, TableSummary } from './api';

/** The lobby after a message; null as long as it is not known. */
export function heard(before: Lobby | null, message: FromLobby): Lobby | null {
  if (message.type === 'lobby') return message;
  if (message.type !== 'lobby-change' || !before) return before;
  const { open, running, gone, mine, mine_gone } = message;
  const listed = new Set([...gone, ...open.map(({ id }) => id), ...running.map(({ id }) => id)]);
  return {
    ...before,
    open: merged(before.open, open, listed),
    running: merged(before.running, running, listed),
    mine: merged(before.mine, mine, new Set([...mine_gone, ...mine.map(({ id }) => id)])),
  };
}

/** Tables without those that left or changed, and with the new ones; the last changed first. */
const merged = (before: TableSummary[], fresh: TableSummary[], past: Set<string>): TableSummary[] =>
  [...fresh, ...before.filter(({ id }) => !past.has(id))].sort((a, b) => b.changed - a.changed);
