// Carat's notation taken apart: `c3=5GBRY` is a cell, a value and colours as they lie.
import type { CaratView } from '$lib/api';
import { cellsAround, cornersOf } from './layout';
import type { Letter } from './cuts';

export type Placement = { move: string; cell: string; value: number; colours: string };

export const placement = (move: string): Placement => ({
  move,
  cell: move.slice(0, 2),
  value: Number(move[3]),
  colours: move.slice(4),
});

/** Colours clockwise from red, as a tile is written in the hand. */
export const fromRed = (colours: string) => {
  const red = colours.indexOf('R');
  return colours.slice(red) + colours.slice(0, red);
};

export const legalCells = (legal: string[], tile: string) =>
  new Set(
    legal
      .map(placement)
      .filter((p) => isTile(p, tile))
      .map((p) => p.cell),
  );

/** The ways a tile may lie on a cell, each a quarter turn clockwise on from the one before. */
export function ways(legal: string[], tile: string, cell: string): Placement[] {
  const found = legal.map(placement).filter((p) => p.cell === cell && isTile(p, tile));
  const turns = (p: Placement) => p.colours.indexOf('R');
  return found.sort((a, b) => turns(a) - turns(b));
}

const isTile = (p: Placement, tile: string) => `${p.value}${fromRed(p.colours)}` === tile;

export type Corner = { point: number; value: number; sums: Record<string, number>; isComplete: boolean };

/** The chips still to win at a placement's corners, with the sums as they would be. */
export function cornersAfter(view: CaratView, { cell, value, colours }: Placement): Corner[] {
  const filled = new Set(view.tiles.map((tile) => tile.cell)).add(cell);
  return cornersOf(cell).flatMap((point, corner) => {
    const chip = view.chips[point];
    if (!chip || chip.settled) return [];
    const letter = colours[corner] as Letter;
    const sums = { ...chip.sums, [letter]: (chip.sums[letter] ?? 0) + value };
    const isComplete = cellsAround(point).every((around) => filled.has(around));
    return [{ point, value: chip.value, sums, isComplete }];
  });
}

/** How many different colours have a gem there. */
export const coloursPresent = (sums: Record<string, number>) =>
  Object.values(sums).filter((carats) => carats > 0).length;
