export type Point = [number, number];

export const round = (value: number) => +value.toFixed(1);
export const points = (list: Point[]) => list.map(([x, y]) => `${round(x)},${round(y)}`).join(' ');
export const between = ([a, b]: Point, [c, d]: Point, share: number): Point => [
  a + (c - a) * share,
  b + (d - b) * share,
];

/** From the centre, degrees clockwise from north. */
export const polar = (radius: number, degrees: number): Point => {
  const angle = (degrees * Math.PI) / 180;
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
};

export const turned = ([x, y]: Point, degrees: number): Point => {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
};
