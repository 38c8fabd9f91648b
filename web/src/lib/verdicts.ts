// The verdicts of a review: signs told apart by shape, in a square of 14 in the current colour, and names.
import * as m from '$messages';
import type { Verdict } from './board';

type Sign = { d: string; isFull: boolean; line: number };

export const VERDICT_SIGNS: Record<Verdict, Sign> = {
  best: {
    d: 'M7 .8 8.9 4.9 13.3 5.4 10 8.5 10.9 12.9 7 10.7 3.1 12.9 4 8.5 .7 5.4 5.1 4.9Z',
    isFull: true,
    line: 0,
  },
  fine: { d: 'M2.5 7.5 5.5 10.5 11.5 3.8', isFull: false, line: 1.8 },
  slip: { d: 'M2 3.5H12L7 11.5Z', isFull: false, line: 1.7 },
  mistake: { d: 'M1.5 3H12.5L7 12Z', isFull: true, line: 1 },
  blunder: { d: 'M1.5 .8H12.5L7 7.2ZM1.5 7.2H12.5L7 13.6Z', isFull: true, line: 0.6 },
};
/** Not judged yet: a dashed ring. */
export const NO_SIGN: Sign = { d: 'M2.2 7a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0 -9.6 0Z', isFull: false, line: 1.5 };

const NAMES: Record<Verdict, () => string> = {
  best: m.verdict_best,
  fine: m.verdict_fine,
  slip: m.verdict_slip,
  mistake: m.verdict_mistake,
  blunder: m.verdict_blunder,
};
export const verdictName = (verdict: Verdict) => NAMES[verdict]();
