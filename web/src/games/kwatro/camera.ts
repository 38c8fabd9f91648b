// What of the endless field is in sight. The camera looks at `x`, `y` in units of the field, which
// it shows `z` pixels large; moving it changes one transform and draws nothing anew.
import { CELL } from './cards';
import type { Cell } from './moves';

export type Camera = { x: number; y: number; z: number };
export type Box = { width: number; height: number };
export type Bounds = { left: number; top: number; right: number; bottom: number };

const ZOOM = { least: 0.12, most: 1.4, fitted: 0.86, readable: 0.4 }; // readable: cards of 40 pixels
const PADDING = 6; // pixels

/** The cells' outline in units of the field. */
export function boundsOf(cells: readonly Cell[]): Bounds {
  const xs = cells.map(([x]) => x);
  const ys = cells.map(([, y]) => y);
  return {
    left: Math.min(0, ...xs) * CELL,
    top: Math.min(0, ...ys) * CELL,
    right: (Math.max(0, ...xs) + 1) * CELL,
    bottom: (Math.max(0, ...ys) + 1) * CELL,
  };
}

/** All of it and the cells around it, or if cards got too small what matters, with the edge in sight. */
export function fit(box: Box, cells: readonly Cell[], focus: readonly Cell[]): Camera {
  const bounds = boundsOf(
    cells.flatMap(([x, y]): Cell[] => [
      [x - 1, y - 1],
      [x + 1, y + 1],
    ]),
  );
  const [wide, high] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
  const whole = Math.min((box.width - 2 * PADDING) / wide, (box.height - 2 * PADDING) / high);
  const z = Math.max(ZOOM.readable, Math.min(whole, ZOOM.fitted));
  const look = focus.length ? centreOf(focus) : ([bounds.left + wide / 2, bounds.top + high / 2] as const);
  const along = (at: number, from: number, to: number, size: number) => {
    const [low, high] = [from + (size / 2 - PADDING) / z, to - (size / 2 - PADDING) / z];
    return low > high ? (from + to) / 2 : Math.max(low, Math.min(at, high));
  };
  return {
    x: along(look[0], bounds.left, bounds.right, box.width),
    y: along(look[1], bounds.top, bounds.bottom, box.height),
    z,
  };
}

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

/** Whether the middle of a cell is in sight. */
export function isInSight(camera: Camera, box: Box, [x, y]: Cell): boolean {
  return (
    Math.abs((x + 0.5) * CELL - camera.x) * camera.z < box.width / 2 - CELL * camera.z * 0.3 &&
    Math.abs((y + 0.5) * CELL - camera.y) * camera.z < box.height / 2 - CELL * camera.z * 0.3
  );
}

/** So that no more than the field's middle can be pushed out of sight. */
export const held = (camera: Camera, { left, top, right, bottom }: Bounds): Camera => ({
  ...camera,
  x: Math.max(left, Math.min(right, camera.x)),
  y: Math.max(top, Math.min(bottom, camera.y)),
});
