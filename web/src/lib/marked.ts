// What a review marks on a board: the move that was played, and a better one.
import * as m from '$messages';
import type { View } from './api';
import type { Marks, Verdict } from './board';
import { verdictName } from './verdicts';

export type Marked = {
  move: string;
  isBetter: boolean;
  /** In the badge; none while it is not judged. */
  sign: Verdict | null;
  /** For the ear: "Played, mistake: 2 on b6". */
  label: string;
};

export const markName = ({ isBetter }: Marked) => (isBetter ? m.mark_better() : m.mark_played());

/** The marks to tell, in this order; drawn the other way round. Nothing is better than the best move. */
export function marked<V extends View>(
  marks: Marks<V> | null | undefined,
  advice: (view: V, move: string) => string,
): Marked[] {
  if (!marks) return [];
  const { before, played, better } = marks;
  const one = (move: string, isBetter: boolean, sign: Verdict | null): Marked => {
    const mark = { move, isBetter, sign, label: '' };
    const label = [markName(mark), ...(sign && !isBetter ? [verdictName(sign)] : [])].join(', ');
    return { ...mark, label: m.labelled({ label, text: advice(before, move) }) };
  };
  const hasBetter = better !== null && better !== played.move && played.verdict !== 'best';
  return [one(played.move, false, played.verdict), ...(hasBetter ? [one(better, true, 'best')] : [])];
}
