// The seals of tables as this browser first saw them, while there was something left to draw, and what
// it added to their luck. What a server says later can then be held against them.
import type { TableMessage } from '$lib/api';
import { isDraw } from './record';

/** What one sent for the luck, on which seat one sat then, as seats were planned, and whether it was taken. */
export type Own = { part: string; seat: number; isTaken: boolean };
/** What was sealed, when it was seen, and how many moves of seats had been played by then. */
export type Seen = { seal: string; at: number; moves: number; own?: Own | null };
type Noted = Seen & { table: string };

const KEY = 'seals';
export const KEPT = 200; // the latest

/** Note a table's seal as long as it means something; `log` is what was played until now. */
export function noteTable({ id, commitment, state, match }: TableMessage, log = match?.log ?? []): void {
  if (state !== 'over') noteSeal(id, commitment, log.filter((move) => !isDraw(move)).length);
}

/** Note a running table's seal, once. */
export function noteSeal(table: string, seal: string, moves: number, now = Date.now()): void {
  const noted = all();
  if (noted.some((one) => one.table === table)) return;
  keep([...noted, { table, seal, at: Math.floor(now / 1000), moves }]);
}

/** Note what is sent for the luck of a table whose seal was noted. */
export function noteOwn(table: string, own: Own): void {
  keep(all().map((one) => (one.table === table ? { ...one, own } : one)));
}

function keep(noted: Noted[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(noted.slice(-KEPT)));
  } catch {
    // A full or forbidden store keeps nothing; then the check says that nothing was seen.
  }
}

/** The seal as it was seen while the match was played; null if it was not. */
export const seenSeal = (table: string): Seen | null => all().find((one) => one.table === table) ?? null;

function all(): Noted[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isNoted) : [];
  } catch {
    return [];
  }
}

const isNoted = (kept: unknown): kept is Noted =>
  kept !== null &&
  typeof kept === 'object' &&
  ['table', 'seal'].every((name) => typeof (kept as Record<string, unknown>)[name] === 'string') &&
  ['at', 'moves'].every((name) => typeof (kept as Record<string, unknown>)[name] === 'number') &&
  isOwn((kept as Record<string, unknown>)['own'] ?? null);

const isOwn = (kept: unknown) =>
  kept === null ||
  (typeof kept === 'object' &&
    typeof (kept as Own).part === 'string' &&
    typeof (kept as Own).seat === 'number' &&
    typeof (kept as Own).isTaken === 'boolean');
