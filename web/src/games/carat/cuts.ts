// The four cuts: girdle, table and crown facets as polygons, and how light falls on them.
import { shade } from '$lib/colour';
import { between, points, polar, turned, type Point } from '$lib/geometry';
import type { Letter } from '$lib/marks';

export { COLOUR_NAMES, MARKS, type Letter } from '$lib/marks';
export const LETTERS: Letter[] = ['R', 'Y', 'B', 'G'];

/** Where a tile's gems lie, clockwise from the north-west as in notation. */
export const CORNERS = [
  { key: 'nw', angle: -45, dx: -1, dy: -1 },
  { key: 'ne', angle: 45, dx: 1, dy: -1 },
  { key: 'se', angle: 135, dx: 1, dy: 1 },
  { key: 'sw', angle: -135, dx: -1, dy: 1 },
] as const;
export type CornerKey = (typeof CORNERS)[number]['key'];

// Deep to gleam; the middle one is the token of the same colour.
const RAMPS: Record<Letter, readonly string[]> = {
  R: ['#5F0E22', '#93203A', '#C2334A', '#E1697B', '#FBC3C8'],
  Y: ['#8A5A00', '#C58A10', '#EBB52E', '#F8D367', '#FFF3C4'],
  B: ['#0F2A66', '#193F8C', '#2458B8', '#5C8BDD', '#BBD3FA'],
  G: ['#0B4A3A', '#1A7059', '#2F9E7E', '#6CC6A8', '#C8F0E0'],
};
const LIGHT: Point = [-0.6, -0.8]; // from the north-west of the screen

type Cut = { girdle: Point[]; table: Point[]; facets: Point[][] };
const CUTS: Record<Letter, () => Cut> = { R: round, Y: trillion, B: lozenge, G: step };

function round(): Cut {
  const rim = (i: number) => polar(22.5, i * 22.5);
  const inner = (i: number) => polar(12.5, i * 45);
  const facets: Point[][] = [];
  for (let i = 0; i < 8; i++) {
    const [left, right] = [rim(2 * i - 1), rim(2 * i + 1)];
    const tip = inner(i);
    facets.push([tip, between(tip, left, 0.62), left, rim(2 * i), right, between(tip, right, 0.62)]);
    facets.push([tip, inner(i + 1), right]);
  }
  return { girdle: range(16, rim), table: range(8, inner), facets };
}

function trillion(): Cut {
  const at = (radius: number, degrees: number): Point => {
    const [x, y] = polar(radius, degrees);
    return [x, y + 4];
  };
  const girdle: Point[] = [];
  const table: Point[] = [];
  for (let i = 0; i < 3; i++) {
    const [tip, next] = [at(27, i * 120), at(27, i * 120 + 120)];
    girdle.push(between(tip, next, 0.09), at(17.5, 60 + i * 120), between(next, tip, 0.09));
    table.push(at(13, i * 120), at(8, 60 + i * 120));
  }
  const facets = range(3, (i) => {
    const [from, middle, to] = girdle.slice(i * 3, i * 3 + 3) as [Point, Point, Point];
    const [tip, bow, next] = [table[i * 2]!, table[i * 2 + 1]!, table[(i * 2 + 2) % 6]!];
    return [
      [tip, from, middle, bow],
      [bow, middle, to, next],
      [tip, girdle[(i * 3 + 8) % 9]!, from],
    ];
  });
  return { girdle, table, facets: facets.flat() };
}

function lozenge(): Cut {
  const rim: Point[] = [
    [0, -28],
    [9.3, -14],
    [19, 0],
    [9.3, 14],
    [0, 28],
    [-9.3, 14],
    [-19, 0],
    [-9.3, -14],
  ];
  const table: Point[] = [
    [0, -14],
    [9.5, 0],
    [0, 14],
    [-9.5, 0],
  ];
  const facets = range(4, (i) => {
    const [from, to] = [table[i]!, table[(i + 1) % 4]!];
    const [tip, side, next] = [rim[i * 2]!, rim[i * 2 + 1]!, rim[(i * 2 + 2) % 8]!];
    return [
      [from, tip, side],
      [from, side, to],
      [to, side, next],
    ];
  });
  return { girdle: rim.filter((_, i) => i % 2 === 0), table, facets: facets.flat() };
}

function step(): Cut {
  const ring = (w: number, h: number, c: number): Point[] => [
    [-w + c, -h],
    [w - c, -h],
    [w, -h + c],
    [w, h - c],
    [w - c, h],
    [-w + c, h],
    [-w, h - c],
    [-w, -h + c],
  ];
  const rings = [ring(17, 23.5, 6.5), ring(12.5, 18.5, 4.8), ring(7.5, 13, 3)] as const;
  const facets = [0, 1].flatMap((at) => {
    const [outer, inner] = [rings[at]!, rings[at + 1]!];
    return range(8, (k) => [outer[k]!, outer[(k + 1) % 8]!, inner[(k + 1) % 8]!, inner[k]!]);
  });
  return { girdle: rings[0], table: rings[2], facets };
}

function range<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

export type Gem = {
  facets: { points: string; fill: string }[];
  table: { points: string; fill: string };
  gleam: { points: string; fill: string };
  girdle: string;
  edge: string;
  outline: string;
};

/** A gem that lies turned by `angle`, shaded for the way it lies. */
export function gem(letter: Letter, angle: number): Gem {
  const cut = CUTS[letter]();
  const ramp = RAMPS[letter];
  const lie = (polygon: Point[]) => polygon.map((point) => turned(point, angle));
  const lit = ([x, y]: Point) => x * LIGHT[0] + y * LIGHT[1];
  const facets = cut.facets.map((facet, i) => {
    const lying = lie(facet);
    const centre = mean(lying);
    const towards = lit(centre) / (Math.hypot(...centre) || 1);
    const sparkle = (i % 2 ? 0.09 : -0.05) + (i % 3 === 0 ? 0.05 : 0);
    return { points: points(lying), fill: shade(ramp, 0.47 + towards * 0.34 + sparkle) };
  });
  const table = lie(cut.table);
  const brightest = [...table].sort((a, b) => lit(b) - lit(a)).slice(0, Math.ceil(table.length / 2));
  const gleam = table.filter((p) => brightest.includes(p)).map(([x, y]): Point => [x * 0.82, y * 0.82]);
  if (gleam.length === 2) gleam.push([0, 0]);
  return {
    facets,
    table: { points: points(table), fill: shade(ramp, 0.56) },
    gleam: { points: points(gleam), fill: ramp[4]! },
    girdle: points(lie(cut.girdle)),
    edge: ramp[1]!,
    outline: ramp[0]!,
  };
}

function mean(polygon: Point[]): Point {
  const sum = polygon.reduce(([a, b], [x, y]): Point => [a + x, b + y], [0, 0] as Point);
  return [sum[0] / polygon.length, sum[1] / polygon.length];
}
