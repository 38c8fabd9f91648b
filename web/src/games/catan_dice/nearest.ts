// From one thing on the map to the next in the direction of an arrow key.
import type { Point } from '$lib/geometry';

const WAYS: Record<string, Point> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const ASIDE = 2; // what lies aside counts as so much farther

/** The nearest that way; where nothing is, the next of the list, so that each can be reached. */
export function nearest(
  key: string,
  from: string,
  stops: readonly string[],
  centres: Record<string, Point>,
): string | null {
  const way = WAYS[key];
  const start = centres[from];
  if (!way || !start) return null;
  const ahead = stops.flatMap((id) => {
    const [dx, dy] = [centres[id]![0] - start[0], centres[id]![1] - start[1]];
    const forward = dx * way[0] + dy * way[1];
    return id !== from && forward > 0 ? [{ id, cost: forward + ASIDE * Math.abs(dx * way[1] + dy * way[0]) }] : [];
  });
  const by = way[0] + way[1];
  const round = stops[(stops.indexOf(from) + by + stops.length) % stops.length] ?? null;
  return ahead.sort((a, b) => a.cost - b.cost)[0]?.id ?? round;
}
