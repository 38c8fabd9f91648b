// What of the endless field is in sight. The camera looks at `x`, `y` in units of the field, which
// it shows `z` pixels large; moving it changes one transform and draws nothing anew.
import { CELL } from './cards';
import type { Cell } from './moves';

export type Camera = { x: number; y: number; z: number };
export type Box = { width: number; height: number };
export type Bounds = { left: number; top: number; right: number; bottom: number };

const ZOOM = { least: 0.12, most: 1.6, fitted: 0.9 };
const ROOMY = 560; // pixels; a field as wide is not a phone's
/** How large a card must be to be read with ease: 60 pixels, or 44 in the hand. */
const readable = ({ width }: Box) => (width < ROOMY ? 0.44 : 0.6);

/** The cells' outline in units of the field. */
export function boundsAround(cells: readonly Cell[]): Bounds {
  const xs = cells.map(([x]) => x);
  const ys = cells.map(([, y]) => y);
  return {
    left: Math.min(...xs) * CELL,
    top: Math.min(...ys) * CELL,
    right: (Math.max(...xs) + 1) * CELL,
    bottom: (Math.max(...ys) + 1) * CELL,
  };
}

/** The same with the start card, which always lies. */
export const boundsOf = (cells: readonly Cell[]) => boundsAround([[0, 0], ...cells]);

/** All of it with the cells around, or without them; if cards got too small even so, what matters. */
export function fit(box: Box, cells: readonly Cell[], focus: readonly Cell[]): Camera {
  const whole = [1, 0.25].map((margin) => {
    const bounds = grown(boundsOf(cells), margin * CELL);
    return { bounds, z: Math.min(box.width / wide(bounds), box.height / high(bounds)) };
  });
  const least = readable(box);
  const { bounds, z: fitting } = whole.find(({ z }) => z >= least) ?? whole[0]!;
  const z = Math.max(least, Math.min(fitting, ZOOM.fitted));
  const [x, y] = centreOf(focus.length ? focus : cells.length ? cells : [[0, 0]]);
  const along = (at: number, from: number, to: number, size: number) => {
    const [first, last] = [from + size / 2 / z, to - size / 2 / z];
    return first > last ? (from + to) / 2 : Math.max(first, Math.min(at, last));
  };
  return {
    x: along(x, bounds.left, bounds.right, box.width),
    y: along(y, bounds.top, bounds.bottom, box.height),
    z,
  };
}

const wide = ({ left, right }: Bounds) => right - left;
const high = ({ top, bottom }: Bounds) => bottom - top;
const grown = ({ left, top, right, bottom }: Bounds, by: number): Bounds => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
});

/** The middle of some cells, in units of the field. */
export function centreOf(cells: readonly Cell[]): readonly [number, number] {
  const mean = (values: number[]) => (values.reduce((a, b) => a + b, 0) / values.length + 0.5) * CELL;
  return [mean(cells.map(([x]) => x)), mean(cells.map(([, y]) => y))];
}

/** Nearer or farther, with the point `at` (pixels from the box's middle) staying where it is. */
export function zoomed(camera: Camera, by: number, at: readonly [number, number] = [0, 0]): Camera {
  const z = Math.max(ZOOM.least, Math.min(ZOOM.most, camera.z * by));
  return { x: camera.x + at[0] / camera.z - at[0] / z, y: camera.y + at[1] / camera.z - at[1] / z, z };
}

export const panned = (camera: Camera, dx: number, dy: number): Camera => ({
  ...camera,
  x: camera.x - dx / camera.z,
  y: camera.y - dy / camera.z,
});

/** Where a cell's middle is seen, in pixels from the box's middle. */
export const pointOf = (camera: Camera, [x, y]: Cell): [number, number] => [
  ((x + 0.5) * CELL - camera.x) * camera.z,
  ((y + 0.5) * CELL - camera.y) * camera.z,
];

/** Whether the middle of a cell is in sight. */
export function isInSight(camera: Camera, box: Box, cell: Cell): boolean {
  const [x, y] = pointOf(camera, cell);
  const margin = CELL * camera.z * 0.3;
  return Math.abs(x) < box.width / 2 - margin && Math.abs(y) < box.height / 2 - margin;
}

/** So that no more than the field's middle can be pushed out of sight. */
export const held = (camera: Camera, { left, top, right, bottom }: Bounds): Camera => ({
  ...camera,
  x: Math.max(left, Math.min(right, camera.x)),
  y: Math.max(top, Math.min(bottom, camera.y)),
});

/** The cell at a point, pixels from the box's middle. */
export const cellUnder = (camera: Camera, [x, y]: readonly [number, number]): Cell => [
  Math.floor((camera.x + x / camera.z) / CELL),
  Math.floor((camera.y + y / camera.z) / CELL),
];
