// What a review marks in Kwatro: cards on the field, and cards of the hand in a pass.
import type { KwatroView } from '$lib/api';
import type { Marks } from '$lib/board';
import type { Point } from '$lib/geometry';
import type { Marked } from '$lib/marked';
import type { Held } from '../../frame/hands';
import { CELL } from './cards';
import { cellAt, cellName, isPass, passedCards, placement, type Cell } from './moves';

/** The cells of the field that a move is about; a pass is about none, an end about the whole play. */
export function cellsOf(before: KwatroView, move: string): Cell[] {
  const put = placement(move);
  if (put) return [cellAt(put.cell)];
  return isPass(move) ? [] : (before.play?.cells.map((cell) => cell as Cell) ?? []);
}

const [EDGE, ROUND] = [3, 14]; // of a ring, beyond its card

/** A ring around each card at these corners, and where the badge stands. */
export function ringAround(corners: Point[]): { d: string; badge: Point } {
  const side = 100 + 2 * EDGE - 2 * ROUND;
  const d = corners.map(
    ([x, y]) =>
      `M${x - EDGE + ROUND} ${y - EDGE}h${side}q${ROUND} 0 ${ROUND} ${ROUND}v${side}q0 ${ROUND} ${-ROUND} ${ROUND}` +
      `h${-side}q${-ROUND} 0 ${-ROUND} ${-ROUND}v${-side}q0 ${-ROUND} ${ROUND} ${-ROUND}Z`,
  );
  const [x, y] = corners.at(-1)!;
  return { d: d.join(''), badge: [x + 96, y + 2] };
}

/** A card's corner on the field. */
export const cornerOf = ([x, y]: Cell): Point => [x * CELL + 4, y * CELL + 4];

/** What has gone from the hand of the seat that decided. */
export function goneFrom(marks: Marks<KwatroView> | null, seat: number): string[] {
  if (marks?.before.actor !== seat) return [];
  const { move } = marks.played;
  const put = placement(move);
  return put ? [put.card] : isPass(move) ? passedCards(move) : [];
}

/** The places in a hand of the cards that a pass puts under the pile; one that keeps them all is about all. */
export function placesIn(held: Held[], { move, isBetter }: Marked): number[] {
  const places: number[] = [];
  for (const card of passedCards(move)) {
    const isFree = (one: Held, at: number) => one.piece === card && !places.includes(at);
    const gone = isBetter ? -1 : held.findIndex((one, at) => one.isGone && isFree(one, at));
    const at = gone >= 0 ? gone : held.findIndex(isFree);
    if (at >= 0) places.push(at);
  }
  return places.length ? places : held.map((_, at) => at);
}

/** Whether another card lies where a better one would. */
export function isCovered(view: KwatroView, move: string): boolean {
  const put = placement(move);
  const lying = put && view.field.find(({ x, y }) => cellName([x, y]) === put.cell);
  return !!lying && !(put.isSwap && lying.card === 'J');
}
