// The outline of a set of squares as one path.
import { round, type Point } from '$lib/geometry';
import { squareAt } from './squares';

/** `project` draws a corner; `inset` pulls every corner inwards, so that neighbours share no line. */
export function outline(names: string[], project: (point: Point) => Point, inset: number): string {
  return loops(names.map(squareAt))
    .map(
      (loop) =>
        'M' +
        shrunk(loop, inset)
          .map((p) => project(p).map(round).join(' '))
          .join('L') +
        'Z',
    )
    .join('');
}

function loops(cells: Point[]): Point[][] {
  const inside = new Set(cells.map(String));
  const next = new Map<string, Point[]>();
  const edge = (from: Point, to: Point) => next.set(String(from), [...(next.get(String(from)) ?? []), to]);
  for (const [x, y] of cells) {
    // clockwise, where no square of the set is next door
    if (!inside.has(`${x},${y - 1}`)) edge([x, y], [x + 1, y]);
    if (!inside.has(`${x + 1},${y}`)) edge([x + 1, y], [x + 1, y + 1]);
    if (!inside.has(`${x},${y + 1}`)) edge([x + 1, y + 1], [x, y + 1]);
    if (!inside.has(`${x - 1},${y}`)) edge([x, y + 1], [x, y]);
  }
  const found: Point[][] = [];
  for (const [start, ends] of next) {
    while (ends.length) {
      const loop: Point[] = [start.split(',').map(Number) as Point];
      for (let at: Point | undefined = ends.pop(); at; at = next.get(String(at))?.pop()) loop.push(at);
      loop.pop();
      found.push(loop);
    }
  }
  return found;
}

function shrunk(loop: Point[], inset: number): Point[] {
  const count = loop.length;
  return loop.map(([x, y], i) => {
    const [px, py] = loop[(i + count - 1) % count]!;
    const [nx, ny] = loop[(i + 1) % count]!;
    const [into, out] = [
      [Math.sign(x - px), Math.sign(y - py)],
      [Math.sign(nx - x), Math.sign(ny - y)],
    ] as [Point, Point];
    const share = into[0] === out[0] ? 2 : 1; // a straight run, not a corner
    return [x - (inset * (into[1] + out[1])) / share, y + (inset * (into[0] + out[0])) / share];
  });
}
