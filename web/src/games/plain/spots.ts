// What can be clicked on a picture, and what is left to choose after some clicks. Pure.
import type { Picture } from '$lib/api';

export type Drawn = Picture['shapes'][number];
/** What has a name and may mean moves; paths and stamps are for the eye alone. */
export type Shape = Exclude<Drawn, { kind: 'path' | 'stamp' }>;
export type Frame = { x: number; y: number; width: number; height: number };
/** A shape that can mean moves, and those that may be played; `index` is its place in the picture. */
export type Spot = { index: number; shape: Shape; moves: string[]; frame: Frame };

const LETTER = 0.62; // a letter's width in heights

/** The shapes that mean something, also while nobody may play, from the lowest up. */
export function spotsOf(picture: Picture, legal: string[]): Spot[] {
  const allowed = new Set(legal);
  return picture.shapes.flatMap((shape, index) =>
    isShape(shape) && shape.moves.length
      ? [{ index, shape, moves: shape.moves.filter((move) => allowed.has(move)), frame: frameOf(shape) }]
      : [],
  );
}

/** Legal moves that no click leads to. */
export function looseMoves(spots: Spot[], legal: string[]): string[] {
  const placed = new Set(spots.flatMap((spot) => spot.moves));
  return legal.filter((move) => !placed.has(move));
}

/** What all clicked shapes mean; of dice to keep, these alone come before these with others. */
export function movesLeft(spots: Spot[], clicked: number[]): string[] {
  const [first, ...others] = clicked.map((index) => spots.find((spot) => spot.index === index)?.moves ?? []);
  const left = (first ?? []).filter((move) => others.every((moves) => moves.includes(move)));
  return left.sort((one, other) => one.length - other.length);
}

/** The clicks after one more: again takes it back, and one that fits no earlier one begins anew. */
export function afterClick(spots: Spot[], clicked: number[], index: number): number[] {
  if (clicked.includes(index)) return clicked.filter((other) => other !== index);
  const more = [...clicked, index];
  return movesLeft(spots, more).length ? more : [index];
}

export const isShape = (drawn: Drawn): drawn is Shape => drawn.kind !== 'path' && drawn.kind !== 'stamp';

export function frameOf(shape: Shape): Frame {
  switch (shape.kind) {
    case 'box':
      return shape;
    case 'disc':
      return {
        x: shape.x - shape.radius,
        y: shape.y - shape.radius,
        width: 2 * shape.radius,
        height: 2 * shape.radius,
      };
    case 'label': {
      const [width, height] = [LETTER * shape.size * shape.text.length, 1.4 * shape.size];
      return { x: shape.from_left ? shape.x : shape.x - width / 2, y: shape.y - height / 2, width, height };
    }
    case 'area': {
      const [xs, ys] = [shape.points.map(([x]) => x), shape.points.map(([, y]) => y)];
      const [x, y] = [Math.min(...xs), Math.min(...ys)];
      return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
    }
  }
}

const middle = ({ x, y, width, height }: Frame) => [x + width / 2, y + height / 2] as const;

/** The spot that an arrow leads to: the nearest that way, rather straight on than aside. */
export function neighbour(spots: Spot[], from: Spot, [right, down]: readonly [number, number]): Spot | null {
  const [x, y] = middle(from.frame);
  let [best, least] = [null as Spot | null, Infinity];
  for (const spot of spots) {
    const [dx, dy] = [middle(spot.frame)[0] - x, middle(spot.frame)[1] - y];
    const ahead = dx * right + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * right);
    const far = ahead + 2 * aside;
    if (ahead > 0.01 && aside <= 2 * ahead && far < least) [best, least] = [spot, far];
  }
  return best;
}

const MANY = 0.25; // of a picture: then it was drawn anew, and nothing of it is special

/** The shapes that look different from the picture before: what the last move did. */
export function changedShapes(before: Picture | null, after: Picture): Shape[] {
  if (!before || before.ply >= after.ply) return [];
  const looks = (shape: Drawn) => JSON.stringify({ ...shape, name: '', moves: [] });
  const known = new Set(before.shapes.map(looks));
  const changed = after.shapes.filter(isShape).filter((shape) => shape.kind !== 'label' && !known.has(looks(shape)));
  return changed.length <= MANY * after.shapes.length ? changed : [];
}
