// A match's record as far as its luck goes. It comes from elsewhere, so it is read with care.

export type MatchRecord = {
  game: string;
  rules: number;
  options: Record<string, unknown>;
  /** Chance's begin with an asterisk. */
  moves: string[];
  seats: number;
  /** 32 bytes in hexadecimal; null where nobody knows it. */
  seed: string | null;
  /** What the record says was sealed: the seed's SHA-256 in hexadecimal. */
  commitment: string | null;
  /** Whether seats were drawn, and what came of it: seat by seat, which one was asked for. */
  isDrawn: boolean;
  lot: number[];
  /** When it ended, in seconds since 1970. */
  at: number | null;
  /** The match that this one goes on from, and after how many of its moves. */
  origin: { table: string; ply: number } | null;
  /** Not played at the server that tells it, but brought there. */
  isBrought: boolean;
  /** What each seat added to the luck, where seats may. */
  parts: (string | null)[] | null;
};

const SEED = /^[0-9a-f]{64}$/;

export const isDraw = (move: string) => move.startsWith('*');

/** The record, or null if what was told is none. */
export function readRecord(told: unknown): MatchRecord | null {
  const { game, rules, options, moves, scores, origin, parts } = fields(told);
  if (typeof game !== 'string' || typeof rules !== 'number') return null;
  if (!isListOf(moves, 'string') || !Array.isArray(scores)) return null;
  const { seed, commitment, order, lot, at } = fields(told);
  const from = fields(origin);
  const isFrom = typeof from['table'] === 'string' && Number.isInteger(from['ply']);
  return {
    game,
    rules,
    options: fields(options),
    moves,
    seats: scores.length,
    seed: hexOf(seed),
    commitment: hexOf(commitment),
    isDrawn: order === 'lot',
    lot: isListOf(lot, 'number') ? lot : [],
    at: typeof at === 'number' ? at : null,
    origin: isFrom ? { table: from['table'] as string, ply: from['ply'] as number } : null,
    isBrought: fields(told)['imported'] === true,
    parts: Array.isArray(parts) ? parts.map((part) => (typeof part === 'string' ? part : null)) : null,
  };
}

const fields = (told: unknown): Record<string, unknown> =>
  told !== null && typeof told === 'object' ? (told as Record<string, unknown>) : {};

const hexOf = (told: unknown) =>
  typeof told === 'string' && SEED.test(told.toLowerCase()) ? told.toLowerCase() : null;

type Named = { string: string; number: number };
const isListOf = <T extends keyof Named>(told: unknown, type: T): told is Named[T][] =>
  Array.isArray(told) && told.every((item) => typeof item === type);
