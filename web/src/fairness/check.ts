// Recomputes the luck of a match from its record and says, step by step, what fits.
import { lotsOf, sealOf, seatLot, seedOf, type Lucks } from './lots';
import { isDraw, readRecord, type MatchRecord } from './record';
import type { Own, Seen } from './seals';

/** `told`: there is nothing here to compare it with. `unknown`: this page cannot work it out. */
export type State = 'fits' | 'fails' | 'told' | 'unknown';
/** A draw that is not what the seed gives: which one of all, at which ply. */
export type Wrong = { draw: number; ply: number; move: string; due: string | null };

/** One's own part is missing though it was taken, or was refused; there is one of a bot, or no whole list. */
type Why = 'own' | 'refused' | 'bot' | 'form';

export type Step =
  | { kind: 'record'; state: 'fails' }
  | { kind: 'seal'; state: State; seal: string | null; seen: Seen | null }
  /** By seat of the match. `why`: what does not fit. */
  | { kind: 'parts'; state: State; parts: (string | null)[]; own: Own | null; why: Why | null }
  /** What was opened: the server's secret, else the seed that it chose alone. */
  | { kind: 'seed'; state: State; opened: string | null; isMixed: boolean; isSealed: boolean; at: number | null }
  | { kind: 'seats'; state: State; order: 'lot' | 'fixed' }
  | { kind: 'draws'; state: State; count: number; wrong: Wrong | null; origin: MatchRecord['origin'] };

export type Proof = {
  /** `partly`: what could be worked out fits. `nothing`: the match has no seed, and none was sealed. */
  verdict: 'fits' | 'fails' | 'partly' | 'nothing';
  /** The match was brought with its seed, so that the seal says nothing. */
  isBrought: boolean;
  /** Its luck is another match's, which was known. */
  isSameLuck: boolean;
  steps: Step[];
};

/** Check a record as it was told against the seal that was seen before; `load` finds a game's luck. */
export async function check(
  told: unknown,
  seen: Seen | null,
  load: (game: string) => Promise<Lucks | undefined>,
): Promise<Proof> {
  const record = readRecord(told);
  const bad: Step = { kind: 'record', state: 'fails' };
  if (!record) return { verdict: 'fails', isBrought: false, isSameLuck: false, steps: [bad] };
  const { isBrought, isSameLuck, order } = record;
  const seal = sealStep(record, seen);
  const about = { isBrought, isSameLuck };
  if (!record.seed && !seal.seal) return { verdict: 'nothing', ...about, steps: [] };
  const steps: Step[] = [seal];
  const own = seen?.own ?? null;
  if (record.secret || record.parts || own) steps.push(partsStep(record, own));
  steps.push(seedStep(record, seal.seal));
  if (record.seed && order) steps.push(seatsStep(record, order, record.seed));
  if (record.seed) steps.push(drawsStep(record, record.seed, await load(record.game)));
  return { verdict: verdictOf(steps), ...about, steps };
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

/** What one sent oneself must be there, whatever the server answered; of the rest the record's word is all there is. */
function partsStep({ parts, lot, seats, bots, secret }: MatchRecord, own: Own | null): Step {
  const planned = lot.length === seats ? lot : Array.from({ length: seats }, (_, seat) => seat);
  const step = { kind: 'parts', parts: planned.map((seat) => parts?.[seat] ?? null), own } as const;
  if (own && (!secret || parts?.[own.seat] !== own.part))
    return { ...step, state: 'fails', why: own.isTaken ? 'own' : 'refused' };
  if (!secret || parts?.length !== seats) return { ...step, state: 'fails', why: 'form' };
  if (step.parts.some((part, seat) => part !== null && bots[seat])) return { ...step, state: 'fails', why: 'bot' };
  return { ...step, state: own ? 'fits' : 'told', why: null };
}

function seedStep({ seed, secret, parts, at }: MatchRecord, seal: string | null): Step {
  const opened = seed && (secret ?? seed);
  const isMixed = secret !== null;
  const isSealed = opened !== null && sealOf(opened) === seal;
  const step = { kind: 'seed', opened, isMixed, isSealed, at } as const;
  if (!seed || (secret && seedOf(secret, parts ?? []) !== seed)) return { ...step, state: 'fails' };
  if (!seal) return { ...step, state: 'told' };
  return { ...step, state: isSealed ? 'fits' : 'fails' };
}

function seatsStep({ lot, seats }: MatchRecord, order: 'lot' | 'fixed', seed: string): Step {
  const kept = Array.from({ length: seats }, (_, seat) => seat);
  if (order === 'fixed') {
    const isKept = !lot.length || String(lot) === String(kept);
    return { kind: 'seats', state: isKept ? 'told' : 'fails', order };
  }
  return { kind: 'seats', state: String(lot) === String(seatLot(seed, seats)) ? 'fits' : 'fails', order };
}

function drawsStep(record: MatchRecord, seed: string, lucks: Lucks | undefined): Step {
  const { moves, rules, origin } = record;
  const since = origin?.ply ?? 0;
  const draws = moves.flatMap((move, ply) => (isDraw(move) ? [{ ply, move }] : []));
  const count = draws.filter(({ ply }) => ply >= since).length;
  const step = { kind: 'draws', count, wrong: null, origin } as const;
  if (!count) return { ...step, state: 'fits' };
  const luck = lucks?.[rules];
  if (!luck) return { ...step, state: 'unknown' };
  const due = luck(record, lotsOf(seed))[Symbol.iterator]();
  for (const [draw, { ply, move }] of draws.entries()) {
    const next = due.next();
    const expected = next.done ? null : next.value;
    if (ply >= since && move !== expected)
      return { ...step, state: 'fails', wrong: { draw, ply, move, due: expected } };
  }
  return { ...step, state: 'fits' };
}
