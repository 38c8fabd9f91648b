// The two scales of a review side by side: points, and the chance to win in per cent.
import type { Figure } from '$lib/api';
import { percent, real, signed } from '$lib/format';

export type Scale = 'points' | 'win';

/** What losing is worth to one of so many: −1 of two, −1/3 of four. */
const least = (seats: number) => -1 / Math.max(1, seats - 1);

/** A worth in what is shown: points, or 0 to 100. */
export const worthIn = ({ win, points }: Figure, scale: Scale, seats: number): number =>
  scale === 'points' ? points : (100 * (win - least(seats))) / (1 - least(seats));

/** The same of a difference between two worths. */
export const changeIn = ({ win, points }: Figure, scale: Scale, seats: number): number =>
  scale === 'points' ? points : (100 * win) / (1 - least(seats));

/** "79.1" or "39 %"; finer than that nobody plays. */
export const worthText = (value: number, scale: Scale) => (scale === 'points' ? real(value) : percent(value));

/** "−2.1", "+14 %", "0.0". */
export const changeText = (value: number, scale: Scale) => signed(value, scale === 'win');

/** Less is shown as nothing. */
const SEEN = { points: 0.05, win: 0.5 } as const;

/** What a decision lost, with its sign; in the other unit where it shows nothing in this one. */
export function lossText(loss: Figure, scale: Scale, seats: number): string {
  const other = scale === 'points' ? 'win' : 'points';
  const unit = seats > 1 && changeIn(loss, scale, seats) < SEEN[scale] ? other : scale;
  const value = changeIn(loss, unit, seats);
  return value < SEEN[unit] ? '' : changeText(-value, unit);
}
