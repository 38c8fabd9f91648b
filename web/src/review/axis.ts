// Where things stand on the graph: one scale from left to right for lines, luck and slider.
const ROOM = 0.08; // of the span, above and below the lines
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500];

/** Between which values the lines are drawn, and the two to four round ones that are written. */
export function axis(values: number[], isPercent: boolean): { low: number; high: number; ticks: number[] } {
  if (isPercent) return { low: -4, high: 104, ticks: [0, 50, 100] };
  const [least, most] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const span = Math.max(most - least, 2);
  const step = STEPS.find((one) => span / one <= 4) ?? STEPS.at(-1)!;
  const first = Math.ceil((least - span * ROOM) / step) * step;
  const [low, high] = [least - span * ROOM, most + span * ROOM];
  const ticks = Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, i) => first + i * step);
  return { low, high, ticks };
}

/** Moved apart so far that none lies on another. */
export function apart<T extends { y: number }>(ends: T[], gap: number): T[] {
  const placed = ends.map((end) => ({ ...end })).sort((a, b) => a.y - b.y);
  for (let round = 0; round < 40; round++)
    placed.slice(1).forEach((lower, i) => {
      const upper = placed[i]!;
      const shift = (gap - (lower.y - upper.y)) / 2;
      if (shift > 0) [upper.y, lower.y] = [upper.y - shift, lower.y + shift];
    });
  return placed;
}
