// A stone as a body: where its corners are while it stands, falls or lies, and which faces show.
import { points, type Point } from '$lib/geometry';
import { MARKS, other, type Colour } from './marks';
import type { Place, Projection } from './projection';

export type Direction = 'N' | 'E' | 'S' | 'W';
export const STEP: Record<Direction, Point> = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };

/** A stone that stood on x, y and has fallen by `angle` degrees of 90. */
export type Pose = {
  x: number;
  y: number;
  top: Colour;
  side: Colour; // its east and west faces while it stands
  fall: Direction | null;
  angle: number;
  lift: number; // above the ground, in squares
};

export type Face = {
  side: Side;
  colour: Colour;
  kind: 'up' | 'south' | 'east' | 'west';
  outline: string;
  marks: string[][];
  width: number;
};

const INSET = 0.0625;
const TAPER = 0.06; // a standing stone narrows towards its top
const HEIGHT = 2;

type Side = 'top' | 'bottom' | Direction;
// Corners of each face as 0 or 1 along x, y, z; seen from outside they run clockwise.
const FACES: Record<Side, [Place, Place, Place, Place]> = {
  top: [
    [0, 0, 1],
    [1, 0, 1],
    [1, 1, 1],
    [0, 1, 1],
  ],
  bottom: [
    [0, 1, 0],
    [1, 1, 0],
    [1, 0, 0],
    [0, 0, 0],
  ],
  S: [
    [0, 1, 1],
    [1, 1, 1],
    [1, 1, 0],
    [0, 1, 0],
  ],
  N: [
    [1, 0, 1],
    [0, 0, 1],
    [0, 0, 0],
    [1, 0, 0],
  ],
  E: [
    [1, 1, 1],
    [1, 0, 1],
    [1, 0, 0],
    [1, 1, 0],
  ],
  W: [
    [0, 0, 1],
    [0, 1, 1],
    [0, 1, 0],
    [0, 0, 0],
  ],
};
const NORMALS: Record<Side, Place> = {
  top: [0, 0, 1],
  bottom: [0, 0, -1],
  S: [0, 1, 0],
  N: [0, -1, 0],
  E: [1, 0, 0],
  W: [-1, 0, 0],
};
const WHOLE = [[0, 1, 0, 1]];
const HALVES = [
  [0, 1, 0, 0.5],
  [0, 1, 0.5, 1],
];

/** Turns a vector the way the stone falls; `edge` is where it hinges. */
function fallen([x, y, z]: Place, { fall, angle }: Pose, edge: number): Place {
  if (!fall || !angle) return [x, y, z];
  const [sin, cos] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
  const forward = fall === 'E' || fall === 'S';
  const along = fall === 'E' || fall === 'W' ? x : y;
  const hinge = forward ? edge : 0;
  const sign = forward ? 1 : -1;
  const moved = hinge + (along - hinge) * cos + sign * z * sin;
  const raised = -sign * (along - hinge) * sin + z * cos;
  return fall === 'E' || fall === 'W' ? [moved, y, raised] : [x, moved, raised];
}

function corner([i, j, k]: Place, pose: Pose): Place {
  const inset = INSET + k * TAPER * (1 - pose.angle / 90);
  const local: Place = [i ? 1 - inset : inset, j ? 1 - inset : inset, k ? HEIGHT - INSET : INSET];
  const [x, y, z] = fallen(local, pose, 1);
  return [pose.x + x, pose.y + y, z - INSET + pose.lift];
}

function colourOf(side: Side, { top, side: eastWest }: Pose): Colour {
  if (side === 'top') return top;
  if (side === 'bottom') return other(top);
  return side === 'E' || side === 'W' ? eastWest : other(eastWest);
}

/** The faces that the eye sees. */
export function faces(pose: Pose, view: Projection): Face[] {
  return (Object.keys(FACES) as Side[]).flatMap((side) => {
    const seen = FACES[side].map((at) => view.at(corner(at, pose))) as [Point, Point, Point, Point];
    if (area(seen) <= 0) return [];
    const normal = fallen(NORMALS[side], pose, 0);
    const kind = kindOf(normal);
    const colour = colourOf(side, pose);
    const isEnd = side === 'top' || side === 'bottom';
    const hasMarks = normal[2] > 0.5 || (view.hasSides && !isEnd);
    const patches = isEnd ? WHOLE : HALVES;
    const seed = pose.x * 17 + pose.y * 5 + side.charCodeAt(0);
    return {
      side,
      colour,
      kind,
      outline: points(hewn(seen, seed, view.hasSides ? 1.6 : 2.4)),
      marks: hasMarks ? patches.map((patch) => carving(seen, colour, patch)) : [],
      width: Math.max(1, 0.062 * Math.min(length(seen[0], seen[1]), length(seen[0], seen[3]))),
    };
  });
}

/** Sides first, what lies on top last. */
export const inOrder = (list: Face[]) => [...list].sort((a, b) => Number(a.kind === 'up') - Number(b.kind === 'up'));

function kindOf([x, y, z]: Place): Face['kind'] {
  if (z > 0.7) return 'up';
  if (Math.abs(y) >= Math.abs(x)) return 'south';
  return x > 0 ? 'east' : 'west';
}

function carving(quad: [Point, Point, Point, Point], colour: Colour, [u0, u1, v0, v1]: number[]): string[] {
  return MARKS[colour].map((line) =>
    points(line.map(([u, v]) => within(quad, u0! + (u1! - u0!) * u, v0! + (v1! - v0!) * v))),
  );
}

function within([a, b, c, d]: [Point, Point, Point, Point], u: number, v: number): Point {
  const mixed = (axis: 0 | 1) => (a[axis] * (1 - u) + b[axis] * u) * (1 - v) + (d[axis] * (1 - u) + c[axis] * u) * v;
  return [mixed(0), mixed(1)];
}

/** Edges as a chisel leaves them: two nicks a side, the same for the same stone. */
function hewn(quad: Point[], seed: number, depth: number): Point[] {
  return quad.flatMap((from, i) => {
    const to = quad[(i + 1) % quad.length]!;
    const nick = (share: number, k: number): Point => [
      from[0] + (to[0] - from[0]) * share + (noise(seed, i, k) - 0.5) * depth,
      from[1] + (to[1] - from[1]) * share + (noise(seed, i, k + 9) - 0.5) * depth,
    ];
    return [from, nick(0.33, 0), nick(0.68, 1)];
  });
}

export function noise(a: number, b = 0, c = 0): number {
  const wave = Math.sin(a * 127.1 + b * 311.7 + c * 74.7) * 43758.5453;
  return wave - Math.floor(wave);
}

const length = (a: Point, b: Point) => Math.hypot(b[0] - a[0], b[1] - a[1]);
const area = (polygon: Point[]) =>
  polygon.reduce((sum, [x, y], i) => {
    const [X, Y] = polygon[(i + 1) % polygon.length]!;
    return sum + x * Y - X * y;
  }, 0);

/** The shadow on the ground, towards the south-east. */
export function shadow(pose: Pose, view: Projection): string {
  const ground = (Object.values(FACES).flat() as Place[]).map((at) => {
    const [x, y, z] = corner(at, pose);
    return view.at([x + z * 0.24, y + z * 0.18, 0]);
  });
  return points(hull(ground));
}

/** The outline of what one sees of a stone. */
export const silhouettePoints = (pose: Pose, view: Projection): Point[] =>
  hull((Object.values(FACES).flat() as Place[]).map((at) => view.at(corner(at, pose))));
export const silhouette = (pose: Pose, view: Projection): string => points(silhouettePoints(pose, view));

/** The convex outline of points, by monotone chains. */
function hull(list: Point[]): Point[] {
  const sorted = [...list].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (from: Point[]) => {
    const kept: Point[] = [];
    for (const p of from) {
      while (kept.length > 1 && cross(kept.at(-2)!, kept.at(-1)!, p) <= 0) kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}
const cross = (o: Point, a: Point, b: Point) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
