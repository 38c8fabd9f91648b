// The two carvings, as lines in a unit square. Neither has a direction, since a mark must never
// be read as an arrow on a stone that can fall: red has wells (round), white has fields (angular).
import { points, type Point } from '$lib/geometry';

export type Colour = 'r' | 'w';
export const other = (colour: Colour): Colour => (colour === 'r' ? 'w' : 'r');

function arc(radius: number, from: number, to: number, steps: number): Point[] {
  return Array.from({ length: steps + 1 }, (_, i): Point => {
    const angle = ((from + ((to - from) * i) / steps) * Math.PI) / 180;
    return [0.5 + radius * Math.cos(angle), 0.5 + radius * Math.sin(angle)];
  });
}
const lozenge = (r: number): Point[] => [
  [0.5, 0.5 - r],
  [0.5 + r, 0.5],
  [0.5, 0.5 + r],
  [0.5 - r, 0.5],
  [0.5, 0.5 - r],
];

export const MARKS: Record<Colour, Point[][]> = {
  r: [arc(0.13, 0, 360, 16), ...[0, 120, 240].map((at) => arc(0.345, at - 78, at + 18, 12))],
  w: [
    lozenge(0.37),
    lozenge(0.17),
    ...([
      [0.5, 0.13, 0.5, 0.33],
      [0.5, 0.67, 0.5, 0.87],
      [0.13, 0.5, 0.33, 0.5],
      [0.67, 0.5, 0.87, 0.5],
    ].map(([a, b, c, d]) => [
      [a, b],
      [c, d],
    ]) as Point[][]),
  ],
};

/** A mark's lines around 0, 0. */
export const markLines = (colour: Colour, size: number) =>
  MARKS[colour].map((line) => points(line.map(([x, y]): Point => [(x - 0.5) * size, (y - 0.5) * size])));
