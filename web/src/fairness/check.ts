// Recomputes the luck of a match from its record and says, step by step, what fits.
import { lotsOf, sealOf, seatLot, type Lucks } from './lots';
import { isDraw, readRecord, type MatchRecord } from './record';
import type { Seen } from './seals';

/** `told`: there is nothing here to compare it with. `unknown`: this page cannot work it out. */
export type State = 'fits' | 'fails' | 'told' | 'unknown';
/** A draw that is not what the seed gives: which one of all, at which ply. */
export type Wrong = { draw: number; ply: number; move: string; due: string | null };

export type Step =
  | { kind: 'record'; state: 'fails' }
  | { kind: 'seal'; state: State; seal: string | null; seen: Seen | null }
  | { kind: 'parts'; state: 'told'; parts: (string | null)[] }
  | { kind: 'seed'; state: State; seed: string | null; at: number | null }
  | { kind: 'seats'; state: State }
  | { kind: 'draws'; state: State; count: number; wrong: Wrong | null; origin: MatchRecord['origin'] };

export type Proof = {
  /** `partly`: what could be worked out fits. `nothing`: the match has no seed, and none was sealed. */
  verdict: 'fits' | 'fails' | 'partly' | 'nothing';
  /** The match was brought with its seed, so that the seal says nothing. */
  isBrought: boolean;
  steps: Step[];
};

/** Check a record as it was told against the seal that was seen before; `load` finds a game's luck. */
export async function check(
  told: unknown,
  seen: Seen | null,
  load: (game: string) => Promise<Lucks | undefined>,
): Promise<Proof> {
  const record = readRecord(told);
  if (!record) return { verdict: 'fails', isBrought: false, steps: [{ kind: 'record', state: 'fails' }] };
  const { isBrought } = record;
  const seal = sealStep(record, seen);
  if (!record.seed && !seal.seal) return { verdict: 'nothing', isBrought, steps: [] };
  const steps: Step[] = [seal];
  if (record.parts) steps.push({ kind: 'parts', state: 'told', parts: record.parts });
  steps.push(seedStep(record, seal.seal));
  if (record.seed && record.isDrawn) steps.push(seatsStep(record, record.seed));
  if (record.seed) steps.push(drawsStep(record, record.seed, await load(record.game)));
  return { verdict: verdictOf(steps), isBrought, steps };
}

function verdictOf(steps: Step[]): Proof['verdict'] {
  if (steps.some(({ state }) => state === 'fails')) return 'fails';
  return steps.some(({ state }) => state === 'unknown') ? 'partly' : 'fits';
}

/** What was seen sealed counts; the record's word for it only where nothing was seen. */
function sealStep({ commitment }: MatchRecord, seen: Seen | null): Extract<Step, { kind: 'seal' }> {
  if (!seen) return { kind: 'seal', state: commitment ? 'told' : 'unknown', seal: commitment, seen };
  const isSame = commitment === null || commitment === seen.seal;
  return { kind: 'seal', state: isSame ? 'fits' : 'fails', seal: seen.seal, seen };
}

function seedStep({ seed, at }: MatchRecord, seal: string | null): Step {
  if (!seed) return { kind: 'seed', state: 'fails', seed, at };
  if (!seal) return { kind: 'seed', state: 'told', seed, at };
  return { kind: 'seed', state: sealOf(seed) === seal ? 'fits' : 'fails', seed, at };
}

function seatsStep({ lot, seats }: MatchRecord, seed: string): Step {
  return { kind: 'seats', state: String(lot) === String(seatLot(seed, seats)) ? 'fits' : 'fails' };
}

function drawsStep(record: MatchRecord, seed: string, lucks: Lucks | undefined): Step {
  const { moves, rules, origin, parts } = record;
  const since = origin?.ply ?? 0;
  const draws = moves.flatMap((move, ply) => (isDraw(move) ? [{ ply, move }] : []));
  const count = draws.filter(({ ply }) => ply >= since).length;
  const step = { kind: 'draws', count, wrong: null, origin } as const;
  if (!count) return { ...step, state: 'fits' };
  const luck = lucks?.[rules];
  // How parts are mixed into the luck is not settled, so draws with some cannot be recomputed.
  if (!luck || parts?.some((part) => part !== null)) return { ...step, state: 'unknown' };
  const due = luck(record, lotsOf(seed))[Symbol.iterator]();
  for (const [draw, { ply, move }] of draws.entries()) {
    const next = due.next();
    const expected = next.done ? null : next.value;
    if (ply >= since && move !== expected)
      return { ...step, state: 'fails', wrong: { draw, ply, move, due: expected } };
  }
  return { ...step, state: 'fits' };
}
