// What a check found, in sentences.
import * as m from '$messages';
import type { Proof, Step } from './check';

/** Beside the heading, in a word or two. */
export const verdictWord = ({ verdict }: Proof) =>
  ({ fits: m.fair_right, fails: m.fair_wrong, partly: m.fair_partly, nothing: m.fair_nothing })[verdict]();

/** What was found. */
export function verdictText({ verdict, steps }: Proof): string {
  if (verdict === 'nothing') return m.fair_seedless();
  if (verdict === 'fails') return m.fair_fails({ step: steps.findIndex(({ state }) => state === 'fails') + 1 });
  if (verdict === 'partly') return m.fair_some();
  const count = drawsOf(steps);
  return count ? m.fair_fits({ count }) : m.fair_fits_still();
}

/** What that proves and what it does not; nothing where it fails or there was nothing to check. */
export function honestText({ verdict, isBrought, isSameLuck, steps }: Proof): string {
  if (verdict === 'fails' || verdict === 'nothing') return '';
  if (isBrought) return m.fair_honest_brought();
  if (isSameLuck) return m.fair_honest_same();
  const isSeen = steps.some((step) => step.kind === 'seal' && step.seen);
  const parts = steps.find((step) => step.kind === 'parts');
  const count = parts?.parts.filter((part) => part !== null).length ?? 0;
  if (!count) return isSeen ? m.fair_honest_seen() : m.fair_honest_told();
  if (!parts?.own) return m.fair_honest_parts();
  return count === 1 ? m.fair_honest_own() : m.fair_honest_all();
}

export const drawsOf = (steps: Step[]): number => steps.find((step) => step.kind === 'draws')?.count ?? 0;

export function stepTitle(step: Step): string {
  if (step.kind === 'draws')
    return step.state === 'fits' && step.count
      ? m.fair_draws({ count: step.count })
      : m.fair_draws_told({ count: step.count });
  if (step.kind === 'seats' && step.order === 'fixed') return m.fair_seats_fixed();
  return { record: m.fair_record, seal: m.fair_seal, parts: m.fair_parts, seed: m.fair_seed, seats: m.fair_seats }[
    step.kind
  ]();
}

/** What there is to say of a step. */
export function stepText(step: Step): string {
  if (step.kind === 'record') return m.fair_record_bad();
  if (step.kind === 'seal') return sealText(step);
  if (step.kind === 'seed') return seedText(step);
  if (step.kind === 'parts') return partsText(step);
  return step.kind === 'draws' ? drawsText(step) : seatsText(step);
}

function partsText({ own, why, parts }: Extract<Step, { kind: 'parts' }>): string {
  if (why === 'own') return m.fair_parts_lost();
  if (why === 'refused') return m.fair_parts_refused();
  if (why) return why === 'bot' ? m.fair_parts_bot() : m.fair_parts_bad();
  if (own) return m.fair_parts_own();
  return parts.some((part) => part !== null) ? m.fair_parts_told() : m.fair_parts_none();
}

function seatsText({ state, order }: Extract<Step, { kind: 'seats' }>): string {
  if (state === 'told') return m.fair_seats_kept();
  if (order === 'fixed') return m.fair_seats_moved();
  return state === 'fits' ? m.fair_seats_fits() : m.fair_seats_fails();
}

function sealText({ state, seen }: Extract<Step, { kind: 'seal' }>): string {
  if (state === 'fails') return m.fair_seal_other();
  if (!seen) return state === 'told' ? m.fair_seal_told() : m.fair_seal_none();
  return seen.moves ? m.fair_seal_later({ count: seen.moves }) : m.fair_seal_first();
}

function seedText({ state, opened, isMixed, isSealed }: Extract<Step, { kind: 'seed' }>): string {
  if (!opened) return m.fair_seed_missing();
  if (state === 'told') return m.fair_seed_told();
  if (state === 'fits') return isMixed ? m.fair_seed_made() : m.fair_seed_fits();
  return isSealed ? m.fair_seed_mixed() : m.fair_seed_fails();
}

function drawsText({ state, count, wrong }: Extract<Step, { kind: 'draws' }>): string {
  if (state === 'unknown') return m.fair_draws_unknown();
  if (!wrong) return count ? m.fair_draws_fits() : m.fair_draws_none();
  const { draw, ply, move: told, due } = wrong;
  const place = { draw: draw + 1, move: ply + 1, told };
  return due === null ? m.fair_draws_spare(place) : m.fair_draws_wrong({ ...place, due });
}

/** Everything that was found, to be kept or sent to somebody. */
export function wholeText(table: string, proof: Proof): string {
  const line = (label: string, text: string | null | undefined) => (text ? [m.labelled({ label, text })] : []);
  const seal = proof.steps.find((step) => step.kind === 'seal')?.seal;
  const opened = proof.steps.find((step) => step.kind === 'seed')?.opened;
  const added = proof.steps.find((step) => step.kind === 'parts')?.parts ?? [];
  return [
    ...line(m.fair_copy_table(), table),
    ...line(m.fair_copy_seal(), seal),
    ...line(m.fair_copy_seed(), opened),
    ...added.flatMap((part, seat) => line(m.fair_copy_part({ seat: seat + 1 }), part)),
    ...proof.steps.flatMap((step, i) => line(`${i + 1}. ${stepTitle(step)}`, stepText(step))),
    `${verdictText(proof)} ${honestText(proof)}`.trim(),
  ].join('\n');
}

/** A long hexadecimal number by its two ends, which is enough to compare it by eye. */
export function shortHex(hex: string): string {
  const groups = hex.match(/.{4}/g) ?? [];
  return `${groups.slice(0, 3).join(' ')} … ${groups.slice(-2).join(' ')}`;
}
