// Kwatro's notation taken apart: `RS3@2,-1`, `swap YC2@1,0`, `done`, `pass GT1 RS3`.
import type { KwatroView } from '$lib/api';

export type Play = NonNullable<KwatroView['play']>;
export type Cell = [x: number, y: number];
export type Placement = { move: string; card: string; cell: string; isSwap: boolean };

export const cellName = ([x, y]: Cell | readonly number[]) => `${x},${y}`;
export const cellAt = (name: string) => name.split(',').map(Number) as Cell;

export function placement(move: string): Placement | null {
  const found = /^(swap )?(\w+)@(-?\d+,-?\d+)$/.exec(move);
  return found && { move, card: found[2]!, cell: found[3]!, isSwap: !!found[1] };
}

/** Where a card may lie, by cell: empty ones to lay it, jokers to take the place of. */
export function placements(legal: string[], card: string | undefined): Map<string, Placement> {
  const found = legal.map(placement).filter((p) => p !== null && p.card === card) as Placement[];
  return new Map(found.map((p) => [p.cell, p]));
}

export const swappers = (legal: string[]) =>
  new Set(legal.flatMap((move) => (move.startsWith('swap ') ? [move.split(/[ @]/)[1]!] : [])));

/** A pass with these cards, in the order of the notation. */
export const passMove = (cards: string[]) => ['pass', ...[...cards].sort()].join(' ');
export const isPass = (move: string) => move === 'pass' || move.startsWith('pass ');
/** The cards that go in a pass; those of others are `?`. */
export const passedCards = (move: string) => move.split(' ').slice(1);

const WAYS: Record<string, Cell> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Of these cells the one that an arrow key leads to: near, and rather straight ahead. */
export function cellTowards(key: string, from: Cell, cells: Cell[]): Cell | null {
  const way = WAYS[key];
  if (!way) return null;
  const ahead = cells.flatMap((cell) => {
    const [dx, dy] = [cell[0] - from[0], cell[1] - from[1]];
    const along = dx * way[0] + dy * way[1];
    return along > 0 ? [{ cell, cost: along + 2 * Math.abs(dx * way[1] + dy * way[0]) }] : [];
  });
  return ahead.sort((a, b) => a.cost - b.cost)[0]?.cell ?? null;
}
