// Hands as a review shows them: what a seat had when it decided, as far as one may see it.
import type { View } from '$lib/api';

type Hand = string[] | number;
type Holding = View & { hands: Hand[] };

/** A piece of a hand; `?` is one that is not seen. */
export type Held = { piece: string; isGone: boolean };

const HIDDEN = '?';
const isHidden = ({ piece }: Held) => piece === HIDDEN;

/** Whose hands are shown: everybody's, or one's own alone; an onlooker has none. */
export const seatsShown = (view: Holding, all: Holding[] | null | undefined): number[] =>
  all ? all.map((_, seat) => seat) : view.seat === null ? [] : [view.seat];

/** A seat's hand with what has just gone from it, in the order of the notation. */
export function heldBy(view: Holding, all: Holding[] | null | undefined, seat: number, gone: string[]): Held[] {
  const left = (all?.[seat] ?? view).hands[seat] ?? 0;
  const kept = Array.isArray(left) ? left : Array.from({ length: left }, () => HIDDEN);
  const held = [
    ...kept.map((piece): Held => ({ piece, isGone: false })),
    ...gone.map((piece): Held => ({ piece, isGone: true })),
  ];
  return held.sort((a, b) => Number(isHidden(a)) - Number(isHidden(b)) || (a.piece < b.piece ? -1 : 1));
}

/** The seat whose hand has grown; null where nobody drew. */
export function drawer(before: Holding, after: Holding): number | null {
  const size = (hand: Hand | undefined) => (Array.isArray(hand) ? hand.length : (hand ?? 0));
  const seat = after.hands.findIndex((hand, at) => size(hand) > size(before.hands[at]));
  return seat < 0 ? null : seat;
}
