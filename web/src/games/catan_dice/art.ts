// The cartographer's hand: terrain, coast and lake as SVG text. It never changes, so it is drawn once.
import { round, type Point } from '$lib/geometry';
import { CENTRE, HEX_SIDE, HEXES, type Terrain } from './island';

const random = (seed: number) => () => (seed = (seed * 1664525 + 1013904223) >>> 0) / 4294967296;

const mountain = (x: number, y: number, w: number, h: number) => {
  const [px, py] = [x - w * 0.08, y - h];
  return `<path class="cd-light" d="M${x - w / 2} ${y}L${px} ${py}L${x + w / 2} ${y}Z"/>
    <path class="cd-dark" d="M${px} ${py}L${x + w / 2} ${y}H${x + w * 0.06}L${x - w * 0.03} ${y - h * 0.34}L${x + w * 0.05} ${y - h * 0.55}Z"/>
    <path class="cd-snow" d="M${px} ${py}L${px + w * 0.15} ${py + h * 0.27}L${px + w * 0.07} ${py + h * 0.22}L${px + w * 0.01} ${py + h * 0.34}L${px - w * 0.06} ${py + h * 0.22}L${px - w * 0.125} ${py + h * 0.3}Z"/>
    <path class="cd-ink" d="M${x - w / 2} ${y}L${px} ${py}L${x + w / 2} ${y}M${x + w * 0.16} ${y - h * 0.44}L${x + w * 0.12} ${y - h * 0.16}M${x + w * 0.26} ${y - h * 0.3}L${x + w * 0.24} ${y - h * 0.12}"/>`;
};
const fir = (x: number, y: number, s: number) => `<g transform="translate(${x} ${y}) scale(${s})">
  <path class="cd-ink cd-trunk" d="M0-4V6"/><path class="cd-light" d="M0-44 11-26H6L16-8H-16L-6-26H-11Z"/>
  <path class="cd-dark" d="M0-44 11-26H6L16-8H2C5-20 4-34 0-44Z"/><path class="cd-ink" d="M0-44 11-26H6L16-8H-16L-6-26H-11Z"/></g>`;
const CROWN = 'M-15-14A10 10 0 0 1-12-30 13 13 0 0 1 12-30 10 10 0 0 1 15-14 10 10 0 0 1 0-9 10 10 0 0 1-15-14Z';
const leafTree = (x: number, y: number, s: number) => `<g transform="translate(${x} ${y}) scale(${s})">
  <path class="cd-ink cd-trunk" d="M0-10V6"/><path class="cd-light" d="${CROWN}"/>
  <path class="cd-dark" d="M12-30A10 10 0 0 1 15-14 10 10 0 0 1 0-9C8-14 12-22 12-30Z"/><path class="cd-ink" d="${CROWN}"/></g>`;
const sheep = (x: number, y: number, s: number, way = 1) => `<g transform="translate(${x} ${y}) scale(${way * s} ${s})">
  <path class="cd-ink" d="M-6 6V13M6 6V13"/>
  <path class="cd-snow cd-line" d="M-11 6A6 6 0 0 1-12-5 7 7 0 0 1-2-10 7 7 0 0 1 9-8 6 6 0 0 1 12 4 6 6 0 0 1 2 8 7 7 0 0 1-11 6Z"/>
  <ellipse class="cd-face" cx="-14" cy="-2" rx="4.4" ry="5.4"/></g>`;
const tuft = (x: number, y: number) =>
  `<path class="cd-ink cd-thin" d="M${x - 5} ${y - 6}L${x - 1} ${y}L${x} ${y - 9}L${x + 1} ${y}L${x + 6} ${y - 6}"/>`;
const ear = (x: number, y: number, s: number) => `<g transform="translate(${x} ${y}) scale(${round(s)})">
  <path class="cd-ink cd-thin" d="M0 0V-22"/>
  <path class="cd-light cd-line" d="M0-36C4-32 4-28 0-25-4-28-4-32 0-36ZM-1-14C-7-16-9-20-8-25-3-24-1-19-1-14ZM1-14C7-16 9-20 8-25 3-24 1-19 1-14Z"/></g>`;
const mesa = (x: number, y: number, w: number, h: number) => {
  const slope = `M${x - w / 2} ${y}L${x - w * 0.36} ${y - h}H${x + w * 0.3}L${x + w / 2} ${y}Z`;
  return `<path class="cd-light" d="${slope}"/>
    <path class="cd-dark" d="M${x + w * 0.08} ${y - h}H${x + w * 0.3}L${x + w / 2} ${y}H${x + w * 0.16}Z"/><path class="cd-ink" d="${slope}"/>
    <path class="cd-ink cd-thin" d="M${x - w * 0.41} ${y - h * 0.66}H${x + w * 0.02}M${x + w * 0.1} ${y - h * 0.66}H${x + w * 0.35}M${x - w * 0.45} ${y - h * 0.34}H${x - w * 0.12}M${x - w * 0.04} ${y - h * 0.34}H${x + w * 0.42}"/>`;
};
const dune = (x: number, y: number, w: number) =>
  `<path class="cd-light" d="M${x - w / 2} ${y}C${x - w * 0.2} ${y - w * 0.3} ${x + w * 0.05} ${y - w * 0.3} ${x + w * 0.12} ${y - w * 0.2}C${x + w * 0.2} ${y - w * 0.1} ${x + w * 0.35} ${y} ${x + w / 2} ${y}Z"/>
   <path class="cd-dark" d="M${x + w * 0.02} ${y - w * 0.25}C${x + w * 0.18} ${y - w * 0.2} ${x + w * 0.3} ${y} ${x + w / 2} ${y}H${x - w * 0.02}C${x + w * 0.1} ${y - w * 0.08} ${x + w * 0.1} ${y - w * 0.18} ${x + w * 0.02} ${y - w * 0.25}Z"/>
   <path class="cd-ink" d="M${x - w / 2} ${y}C${x - w * 0.2} ${y - w * 0.3} ${x - w * 0.05} ${y - w * 0.3} ${x + w * 0.02} ${y - w * 0.25}C${x + w * 0.18} ${y - w * 0.2} ${x + w * 0.3} ${y} ${x + w / 2} ${y}"/>`;

const each = <T>(list: T[], draw: (item: T, i: number) => string) => list.map(draw).join('');
const strip = (y: number, bend: number, tone: string) =>
  `<path class="${tone}" d="M-130 ${y + 14 * bend}C-60 ${y - 8 * bend} 50 ${y + 26 * bend} 130 ${y}V${y + 16}C50 ${y + 16 + 26 * bend} -60 ${y + 16 - 8 * bend} -130 ${y + 16 + 14 * bend}Z"/>`;

// The middle of a hex stays quiet: knight and joker stand there.
const TERRAINS: Record<Terrain, () => string> = {
  ore: () =>
    mountain(-46, -34, 84, 62) +
    mountain(56, -36, 74, 52) +
    mountain(6, -40, 96, 88) +
    mountain(-54, 92, 62, 40) +
    mountain(44, 100, 78, 50) +
    mountain(-6, 116, 66, 44) +
    '<path class="cd-ink cd-thin" d="M-104 30h16M-98 38h10M92 28h14M96 36h9"/>',
  grain: () =>
    each([0, 1, 2, 3, 4, 5, 6], (i) => strip(-118 + i * 16, 1, i % 2 ? 'cd-light' : 'cd-dark')) +
    each([0, 1, 2, 3, 4, 5], (i) => strip(54 + i * 16, -0.7, i % 2 ? 'cd-dark' : 'cd-light')) +
    each(
      [
        [-62, -44],
        [-38, -54],
        [-8, -56],
        [24, -46],
        [52, -42],
        [80, -46],
        [-10, -92],
        [16, -84],
        [-30, -84],
      ] as Point[],
      ([x, y], i) => ear(x, y, 0.8 + (i % 3) * 0.1),
    ) +
    each(
      [
        [-70, 98],
        [-46, 108],
        [-20, 116],
        [8, 112],
        [34, 102],
        [62, 96],
        [-4, 142],
        [20, 136],
      ] as Point[],
      ([x, y], i) => ear(x, y, 0.8 + (i % 2) * 0.1),
    ),
  wool: () =>
    `<path class="cd-light" d="M-140-20C-100-96-40-104 0-52C30-100 90-100 140-30V-160H-140Z" opacity=".55"/>
     <path class="cd-ink" d="M-118-34C-92-88-40-92-6-50M8-62C36-98 84-92 112-44M-30-84C-10-112 30-112 46-88"/>
     <path class="cd-dark" d="M-150 120C-90 60-20 66 10 96C40 60 100 66 150 110V170H-150Z" opacity=".6"/>
     <path class="cd-ink" d="M-108 92C-70 62-20 68 8 96M4 92C34 64 76 66 108 88M-44 118C-24 100 10 102 30 118"/>` +
    sheep(-58, -52, 1.05) +
    sheep(54, -62, 1.05, -1) +
    sheep(10, -84, 0.82) +
    sheep(-44, 88, 1, -1) +
    sheep(54, 84, 1.1) +
    sheep(2, 122, 0.85) +
    each(
      [
        [-88, -30],
        [90, -30],
        [-14, -50],
        [-84, 70],
        [8, 80],
        [86, 60],
        [-22, 140],
        [34, 136],
        [30, -112],
      ] as Point[],
      ([x, y]) => tuft(x, y),
    ),
  timber: () =>
    each(
      [
        [-14, -92],
        [22, -96],
        [-52, -68],
        [60, -70],
        [-84, -42],
        [-26, -52],
        [28, -54],
        [88, -44],
      ] as Point[],
      ([x, y], i) => (i === 3 || i === 4 ? leafTree : fir)(x, y, 1),
    ) +
    each(
      [
        [-82, 84],
        [84, 84],
        [-48, 100],
        [50, 102],
        [-4, 96],
        [-22, 128],
        [24, 132],
      ] as Point[],
      ([x, y], i) => (i % 3 === 0 ? leafTree : fir)(x, y, 1),
    ),
  brick: () =>
    mesa(-42, -42, 96, 46) +
    mesa(54, -38, 84, 34) +
    mesa(6, -74, 76, 36) +
    mesa(48, 94, 92, 36) +
    mesa(-46, 96, 80, 30) +
    '<path class="cd-ink cd-thin" d="M-104-6h14M90-8h16M-100 44h12M92 46h10"/>' +
    '<path class="cd-light cd-line" d="M-30 116H-6V128H-30ZM-3 116H21V128H-3ZM-18 102H6V114H-18Z"/>',
  desert: () => {
    const next = random(99);
    return (
      dune(-44, -42, 118) +
      dune(52, -50, 104) +
      dune(-4, -78, 96) +
      dune(-46, 96, 104) +
      dune(44, 102, 116) +
      dune(-4, 128, 80) +
      '<path class="cd-cactus" d="M86-24V-58M86-36H77V-46M86-42H95V-52M-84 80V54M-84 72H-75V63"/>' +
      each(Array(46).fill(0), () => {
        const [x, y] = [next() * 220 - 110, (next() < 0.5 ? -1 : 1) * (48 + next() * 66)];
        return `<circle class="cd-dot" cx="${round(x)}" cy="${round(y)}" r="1.6"/>`;
      })
    );
  },
};

/** A pointy hex around 0, 0 with rounded corners. */
export function hexagon(side: number, radius = 14): string {
  const corners = Array.from({ length: 6 }, (_, k): Point => {
    const angle = ((60 * k - 90) * Math.PI) / 180;
    return [side * Math.cos(angle), side * Math.sin(angle)];
  });
  const near = (a: Point, b: Point) => [0, 1].map((k) => round(a[k]! + ((b[k]! - a[k]!) * radius) / side)).join(' ');
  const parts = corners.map((p, i) => {
    const [before, after] = [corners[(i + 5) % 6]!, corners[(i + 1) % 6]!];
    return `${i ? 'L' : 'M'}${near(p, before)}Q${p.map(round).join(' ')} ${near(p, after)}`;
  });
  return parts.join('') + 'Z';
}

/** A closed curve through points. */
function curve(points: Point[]): string {
  const n = points.length;
  const at = (i: number) => points[(i + n) % n]!;
  const handle = (p: Point, a: Point, b: Point, sign: number) =>
    `${round(p[0] + (sign * (b[0] - a[0])) / 6)} ${round(p[1] + (sign * (b[1] - a[1])) / 6)}`;
  const parts = points.map((p, i) => {
    const [before, next, after] = [at(i - 1), at(i + 1), at(i + 2)];
    return `C${handle(p, before, next, 1)} ${handle(next, p, after, -1)} ${next.map(round).join(' ')}`;
  });
  return `M${points[0]!.map(round).join(' ')}${parts.join('')}Z`;
}

/** The outline of the ring of hexes pushed outwards, with a wobble that is always the same. */
export function coast(out: number, wobble: number): string {
  const [cx, cy] = CENTRE;
  const corners = HEXES.flatMap(({ at: [x, y] }) =>
    Array.from({ length: 6 }, (_, k): Point => {
      const angle = ((90 + 60 * k) * Math.PI) / 180;
      return [x + HEX_SIDE * Math.cos(angle), y - HEX_SIDE * Math.sin(angle)];
    }),
  );
  const outer = corners
    .filter(([x, y]) => Math.hypot(x - cx, y - cy) > 1.5 * HEX_SIDE)
    .filter(([x, y], i, all) => all.findIndex(([a, b]) => Math.hypot(x - a, y - b) < 6) === i)
    .sort(([a, b], [c, d]) => Math.atan2(b - cy, a - cx) - Math.atan2(d - cy, c - cx));
  const STEPS = 5;
  const line = outer.flatMap((p, i) => {
    const q = outer[(i + 1) % outer.length]!;
    return Array.from({ length: STEPS }, (_, k): Point => [
      p[0] + ((q[0] - p[0]) * k) / STEPS,
      p[1] + ((q[1] - p[1]) * k) / STEPS,
    ]);
  });
  const next = random(11);
  const REACH = 4;
  return curve(
    line.map(([x, y], i): Point => {
      const [a, b] = [line[(i - REACH + line.length) % line.length]!, line[(i + REACH) % line.length]!];
      const [tx, ty] = [b[0] - a[0], b[1] - a[1]];
      const push = (out + (next() - 0.5) * 2 * wobble) / (Math.hypot(tx, ty) || 1);
      return [x + ty * push, y - tx * push];
    }),
  );
}

export function lake(): string {
  const next = random(5);
  return curve(
    Array.from({ length: 24 }, (_, i): Point => {
      const angle = (i / 24) * 2 * Math.PI;
      const off = ((((angle * 180) / Math.PI + 30) % 60) - 30) * (Math.PI / 180);
      const edge = ((HEX_SIDE - 30) * Math.cos(Math.PI / 6)) / Math.cos(off);
      const radius = edge * (i % 4 === 2 ? 0.94 : 1) + (next() - 0.5) * 8;
      return [CENTRE[0] + radius * Math.cos(angle), CENTRE[1] + radius * Math.sin(angle)];
    }),
  );
}

export const TERRAIN_ART = HEXES.map(({ terrain, at }) => ({ terrain, at, art: TERRAINS[terrain]() }));
export const COAST = coast(38, 5);
export const PLAIN_COAST = coast(44, 0);
export const LAKE = lake();
