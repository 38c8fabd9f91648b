// What a review marks on the heath: a stone as it stands or lies after a move.
import type { CarnacView } from '$lib/api';
import type { Point } from '$lib/geometry';
import { silhouettePoints, type Direction, type Pose } from './block';
import type { Colour } from './marks';
import type { Projection } from './projection';
import { isPlacement, squareAt } from './squares';
import { placement } from './words';

/** The stone that a move raises, tips or leaves. */
export function stoneAfter(before: CarnacView, move: string): Pose | null {
  if (isPlacement(move)) {
    const { square, top, side } = placement(move);
    const [x, y] = squareAt(square);
    return { x, y, top, side, fall: null, angle: 0, lift: 0 };
  }
  const stone = before.stones.find(({ side, squares }) => side && squares[0] === before.tilting);
  if (!stone) return null;
  const [x, y] = squareAt(stone.squares[0]!);
  const upright = { x, y, top: stone.colour as Colour, side: stone.side as Colour, lift: 0 };
  return move === 'stand'
    ? { ...upright, fall: null, angle: 0 }
    : { ...upright, fall: move[5] as Direction, angle: 90 };
}

/** The ring around a stone, where its badge stands, and its middle. */
export function ringOf(pose: Pose, projection: Projection): { d: string; badge: Point; middle: Point } {
  const seen = silhouettePoints(pose, projection);
  const [xs, ys] = [seen.map(([x]) => x), seen.map(([, y]) => y)];
  const [left, right, top, low] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return {
    d: `M${seen.map((point) => point.map((at) => at.toFixed(1)).join(' ')).join('L')}Z`,
    badge: [right, top + 6],
    middle: [(left + right) / 2, (top + low) / 2],
  };
}
