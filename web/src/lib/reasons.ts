// What speaks for a move, in sentences: what it scores, what it leaves to others or prevents, and
// what it prepares. The figures are means over what one could not know, so whole points will do.
import * as m from '$messages';
import type { Reason } from './api';
import type { GamePage } from './board';
import { number } from './format';

const CLEAR = 1; // points that a difference must have to be told

export function reasonTexts(reason: Reason, names: string[], game: Pick<GamePage, 'amount'>): string[] {
  const [gain, follow] = [Math.round(reason.gain), Math.round(reason.follow ?? 0)];
  const amount = game.amount ?? ((count: number) => m.points({ count }));
  const answered = answerText(reason, names);
  const prepared = follow > Math.max(gain, 0) ? m.does_prepare({ amount: amount(follow) }) : '';
  const scored =
    gain > 0 ? m.does_score({ amount: amount(gain) }) : gain < 0 ? m.does_cost({ amount: amount(-gain) }) : '';
  const told = [scored, answered, prepared].filter(Boolean);
  return told.length ? told : [m.does_nothing()];
}

/** What it leaves to the next, where that is more or less than usual. */
function answerText({ answer, by, usual }: Reason, names: string[]): string {
  if (answer == null || by == null || usual == null || Math.abs(usual - answer) < CLEAR) return '';
  const told = { name: names[by] ?? '', answer: number(Math.round(answer)), usual: number(Math.round(usual)) };
  return answer < usual ? m.does_prevent(told) : m.does_allow(told);
}
