// Luck and skill of a finished match in a sentence, from its review as far as it is.
import * as m from '$messages';
import type { AccountView, ReviewMessage } from '$lib/api';
import { list, number, signed } from '$lib/format';

/** Who looks, and at which match. */
export type Match = { mine: number[]; winners: number[]; names: string[] };
/** The gist, if there is one, and the rest. */
export type LuckText = { gist: string; text: string };

/** Null where there is nothing to say: nobody has asked for a review, or it was stopped. */
export function luckText(review: ReviewMessage, match: Match): LuckText | null {
  if (review.state === 'waiting' || review.state === 'making')
    return { gist: '', text: m.result_judging({ done: review.decided, total: review.decisions_total }) };
  if (review.state !== 'done') return null;
  if (!review.chances.length) return accuracyText(review.seats, match);
  const seat = match.mine.length === 1 ? match.mine[0]! : (match.winners[0] ?? 0);
  const account = review.seats[seat];
  if (!account) return null;
  const figures = { luck: signed(account.luck.points), skill: signed(skillOf(account)) };
  const text = match.mine.length === 1 ? m.result_luck_yours(figures) : theirs(figures, match.names[seat] ?? '');
  return { gist: gistOf(review.seats, match.winners), text };
}

const theirs = (figures: { luck: string; skill: string }, name: string) => m.result_luck_theirs({ ...figures, name });

/** All that decisions changed: one's own losses and what the others gave or took. */
const skillOf = ({ result, start, luck }: AccountView) => result.points - start.points - luck.points;

/** Luck decided if somebody else is ahead without it. */
function gistOf(seats: AccountView[], winners: number[]): string {
  if (seats.length < 2 || winners.length !== 1) return '';
  const ahead = Math.max(...seats.map(({ adjusted }) => adjusted.points));
  return seats[winners[0]!]?.adjusted.points === ahead ? m.result_play_decided() : m.result_luck_decided();
}

function accuracyText(seats: AccountView[], { names }: Match): LuckText | null {
  const known = seats.flatMap(({ seat, accuracy }) =>
    accuracy === null ? [] : [m.result_accuracy_of({ name: names[seat] ?? '', percent: number(Math.round(accuracy)) })],
  );
  return known.length ? { gist: '', text: m.labelled({ label: m.result_accuracy(), text: list(known) }) } : null;
}
