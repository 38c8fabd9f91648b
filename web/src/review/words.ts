// What a review says in words: verdicts, reasons, and how a match was decided.
import * as m from '$messages';
import type { AccountView, DecisionView, OptionView } from '$lib/api';
import type { Verdict } from '$lib/board';
import { real } from '$lib/format';
import { verdictName } from '$lib/verdicts';
import { worthIn, changeIn, changeText, type Scale } from './scale';

/** The word beside the sign. */
export const verdictText = (verdict: Verdict | null) => (verdict ? verdictName(verdict) : m.review_waiting());

export const VERDICT_COUNTS = [
  ['slip', m.review_slips],
  ['mistake', m.review_mistakes_count],
  ['blunder', m.review_blunders],
] as const satisfies [Verdict, (count: { count: number }) => string][];

const TOLD = 0.75; // points; a smaller difference is no reason

/** Why the better move is better, or what a good one does: at most two sentences. */
export function reasons(decision: DecisionView, names: string[]): string[] {
  const option = (move: string) => decision.options.find((one) => one.move === move)?.reason ?? null;
  const [best, played] = [option(decision.best), option(decision.move)];
  if (decision.verdict === 'best' || decision.best === decision.move)
    return played ? praise(played, decision, names) : [];
  if (!best || !played) return [];
  const told: string[] = [];
  const [most, least] = [played.answer ?? 0, best.answer ?? 0];
  if (most - least > TOLD)
    told.push(m.review_reason_answer({ name: names[played.by ?? 0] ?? '', most: real(most), least: real(least) }));
  const [now, later] = [best.follow ?? 0, played.follow ?? 0];
  if (now - later > TOLD)
    told.push(m.review_reason_follow({ name: names[decision.seat] ?? '', most: real(now), least: real(later) }));
  const more = best.gain - played.gain;
  if (more > TOLD) told.unshift(m.review_reason_more({ points: real(more) }));
  if (more < -TOLD) told.unshift(m.review_reason_less({ points: real(-more) }));
  return told.length ? told.slice(0, 2) : [m.review_reason_long()];
}

function praise(reason: NonNullable<OptionView['reason']>, { seat }: DecisionView, names: string[]): string[] {
  const told: string[] = [];
  const { gain, answer, by, usual, follow } = reason;
  if (gain > TOLD) told.push(m.review_reason_gain({ points: real(gain) }));
  if (answer != null && usual != null && by != null && usual - answer > TOLD)
    told.push(m.review_reason_prevents({ name: names[by] ?? '', least: real(answer), usual: real(usual) }));
  if ((follow ?? 0) > TOLD) told.push(m.review_reason_prepares({ name: names[seat] ?? '', most: real(follow!) }));
  return told.slice(0, 2);
}

/** Seats by a figure of their accounts, the best first. */
export const rankBy = (accounts: AccountView[], of: (account: AccountView) => number): number[] =>
  [...accounts].sort((a, b) => of(b) - of(a)).map(({ seat }) => seat);

/** How a match between several was decided, in one sentence or two. */
export function decidedText(
  accounts: AccountView[],
  winners: number[],
  hasLuck: boolean,
  scale: Scale,
  names: string[],
): string {
  const count = accounts.length;
  const name = (seat: number | undefined) => names[seat ?? -1] ?? '';
  const skill = (account: AccountView) => changeIn(account.own, scale, count) + changeIn(account.others, scale, count);
  const winner = winners.length === 1 ? winners[0] : undefined;
  if (!hasLuck) {
    const [careful] = rankBy(accounts, ({ own }) => own.win);
    return careful === winner && winner !== undefined
      ? m.review_say_none({ name: name(winner) })
      : m.review_say_none_even();
  }
  const [even] = rankBy(accounts, ({ adjusted }) => worthIn(adjusted, scale, count));
  const [lucky] = rankBy(accounts, ({ luck }) => changeIn(luck, scale, count));
  const [able] = rankBy(accounts, skill);
  if (winner === undefined) return m.review_say_draw({ name: name(even) });
  if (even !== winner) return m.review_say_luck({ name: name(even) });
  return lucky === winner && able === winner
    ? m.review_say_both({ name: name(winner) })
    : m.review_say_skill({ name: name(winner) });
}

const EVEN = 0.2; // of what choices cost: then luck is not worth a word

/** How a match alone came to its score. */
export function aloneText({ luck, own }: AccountView): string {
  const told = { luck: real(Math.abs(luck.points)), lost: real(-own.points) };
  if (Math.abs(luck.points) < Math.max(2, -own.points * EVEN)) return m.review_alone_even({ lost: told.lost });
  return luck.points > 0 ? m.review_alone_good(told) : m.review_alone_bad(told);
}

/** A seat's place if all had had the same luck, from 1. */
export const evenPlace = (accounts: AccountView[], seat: number, scale: Scale): number =>
  rankBy(accounts, ({ adjusted }) => worthIn(adjusted, scale, accounts.length)).indexOf(seat) + 1;

export const luckText = (value: number, scale: Scale) => m.review_luck_is({ value: changeText(value, scale) });
