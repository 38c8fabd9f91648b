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
  /** What the server added to the seed, 32 bytes in hexadecimal; null where the seed was chosen alone. */
  secret: string | null;
  /** What the record says was sealed: the SHA-256 of the secret, else of the seed, in hexadecimal. */
  commitment: string | null;
  /** Whether seats were drawn, where that is told, and what came of it: by seat, which one was asked for. */
  order: 'lot' | 'fixed' | null;
  lot: number[];
  /** When it ended, in seconds since 1970. */
  at: number | null;
  /** The match that this one goes on from, and after how many of its moves. */
  origin: { table: string; ply: number } | null;
  /** Its luck is that match's, which was known. */
  isSameLuck: boolean;
  /** Not played at the server that tells it, but brought there. */
  isBrought: boolean;
  /** What was added to the luck, by the seat as it was planned, where people may. */
  parts: (string | null)[] | null;
  /** By seat of the match, whether a bot sat there. */
  bots: boolean[];
};

const SEED = /^[0-9a-f]{64}$/;

export const isDraw = (move: string) => move.startsWith('*');

/** The record, or null if what was told is none. */
export function readRecord(told: unknown): MatchRecord | null {
  const { game, rules, options, moves, scores, origin, parts } = fields(told);
  if (typeof game !== 'string' || typeof rules !== 'number') return null;
  if (!isListOf(moves, 'string') || !Array.isArray(scores)) return null;
  const { seed, secret, commitment, order, lot, at, players } = fields(told);
  const from = fields(origin);
  const isFrom = typeof from['table'] === 'string' && Number.isInteger(from['ply']);
  return {
    game,
    rules,
    options: fields(options),
    moves,
    seats: scores.length,
    seed: hexOf(seed),
    secret: hexOf(secret),
    commitment: hexOf(commitment),
    order: order === 'lot' || order === 'fixed' ? order : null,
    lot: isListOf(lot, 'number') ? lot : [],
    at: typeof at === 'number' ? at : null,
    origin: isFrom ? { table: from['table'] as string, ply: from['ply'] as number } : null,
    isSameLuck: from['chance'] === 'same',
    isBrought: fields(told)['imported'] === true,
    parts: Array.isArray(parts) ? parts.map((part) => (typeof part === 'string' ? part : null)) : null,
    bots: Array.isArray(players) ? players.map((name) => String(name).startsWith('bot:')) : [],
  };
}

const fields = (told: unknown): Record<string, unknown> =>
  told !== null && typeof told === 'object' ? (told as Record<string, unknown>) : {};

const hexOf = (told: unknown) =>
  typeof told === 'string' && SEED.test(told.toLowerCase()) ? told.toLowerCase() : null;

type Named = { string: string; number: number };
const isListOf = <T extends keyof Named>(told: unknown, type: T): told is Named[T][] =>
  Array.isArray(told) && told.every((item) => typeof item === type);
