// Two ways to look at the same stones. Board units: a square is 1 × 1, x to the east, y to the
// south, z up; a projection turns a place into pixels of the drawing.
import type { Point } from '$lib/geometry';

export type Place = [number, number, number];
export type Projection = {
  /** The drawing's own corner and size, with nothing empty around it. */
  left: number;
  top: number;
  width: number;
  height: number;
  at: (place: Place) => Point;
  /** How far a place is from the eye; larger is drawn first. */
  depth: (place: Place) => number;
  /** Whether sides are seen well enough to show their carving. */
  hasSides: boolean;
};

export const SQUARE = 64;
export const PAD = 40; // coordinates stand in it, north and west
const RIM = 16;
const RISE: Point = [-5, -12]; // pixels a unit of height: from above and a little from the south-east

/** From above: the playing view. The south and east faces show, so that no colour is hidden. */
export function above(columns: number, rows: number): Projection {
  return {
    left: 0,
    top: 0,
    width: PAD + RIM + columns * SQUARE,
    height: PAD + RIM + rows * SQUARE + 4,
    at: ([x, y, z]) => [PAD + x * SQUARE + z * RISE[0], PAD + y * SQUARE + z * RISE[1]],
    depth: ([x, y]) => -(y * 100 + x),
    hasSides: false,
  };
}

type Camera = { yaw?: number; pitch?: number; distance?: number };

const [WIDE, HIGH] = [976, 640]; // what a drawing from a chair has to fit into
const AIR = 6; // around it

/** From a chair at the table, in true perspective. */
export function fromChair(columns: number, rows: number, camera: Camera = {}): Projection {
  const { yaw = -9, pitch = 52, distance = 18 } = camera;
  const [a, b] = [yaw, pitch].map((degrees) => (degrees * Math.PI) / 180) as [number, number];
  const seen = ([x, y, z]: Place): Place => {
    const [X, Y] = [x - columns / 2, y - rows / 2];
    const [right, near] = [X * Math.cos(a) - Y * Math.sin(a), X * Math.sin(a) + Y * Math.cos(a)];
    return [right, near * -Math.sin(b) + z * Math.cos(b), distance - near * Math.cos(b) - z * Math.sin(b)];
  };
  const flat = (place: Place): Point => {
    const [x, y, d] = seen(place);
    return [x / d, -y / d];
  };
  const margin = 0.6; // around the outermost squares, where the slab ends
  const outer = [-margin, columns + margin].flatMap((x) =>
    [-margin, rows + margin].flatMap((y) => [-0.4, y < 0 ? 1.6 : 0].map((z) => flat([x, y, z]))),
  );
  const [left, right] = [Math.min(...outer.map((p) => p[0])), Math.max(...outer.map((p) => p[0]))];
  const [top, low] = [Math.min(...outer.map((p) => p[1])), Math.max(...outer.map((p) => p[1]))];
  const scale = Math.min((WIDE - 2 * AIR) / (right - left), (HIGH - 2 * AIR) / (low - top));
  const [width, height] = [(right - left) * scale + 2 * AIR, (low - top) * scale + 2 * AIR];
  return {
    left: (WIDE - width) / 2,
    top: (HIGH - height) / 2,
    width,
    height,
    at: (place) => {
      const [x, y] = flat(place);
      return [WIDE / 2 + (x - (left + right) / 2) * scale, HIGH / 2 + (y - (top + low) / 2) * scale];
    },
    depth: (place) => seen(place)[2],
    hasSides: true,
  };
}
