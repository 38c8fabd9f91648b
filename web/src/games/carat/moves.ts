// Carat's notation taken apart: `c3=5GBRY` is a cell, a value and colours as they lie.
import type { CaratView, Chip } from '$lib/api';
import { CORNERS, LETTERS, type CornerKey, type Letter } from './cuts';
import { cellsAround, cornersOf } from './layout';

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

/** A tile from the hand, turned by quarters clockwise. */
export function turnedTile(tile: string, quarters: number): string {
  const at = (((4 - quarters) % 4) + 4) % 4;
  const colours = tile.slice(1);
  return tile[0] + colours.slice(at) + colours.slice(0, at);
}

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

export type Corner = { point: number; at: CornerKey; chip: Chip };

/** The chips still to win at a placement's corners, as they would be: settled where it completes them. */
export function cornersAfter(view: CaratView, { cell, value, colours }: Placement): Corner[] {
  const filled = new Set(view.tiles.map((tile) => tile.cell)).add(cell);
  return cornersOf(cell).flatMap((point, corner) => {
    const chip = view.chips[point];
    if (!chip || chip.settled) return [];
    const letter = colours[corner] as Letter;
    const added = { ...chip, sums: { ...chip.sums, [letter]: (chip.sums[letter] ?? 0) + value } };
    const isComplete = cellsAround(point).every((around) => filled.has(around));
    return [{ point, at: CORNERS[corner]!.key, chip: isComplete ? settled(added) : added }];
  });
}

/** How a chip would be settled, to be told while one chooses; what counts is what the server says. */
export function settled(chip: Chip): Chip {
  const sums = LETTERS.map((letter) => chip.sums[letter] ?? 0);
  const alone = sums.filter((sum) => sums.filter((other) => other === sum).length === 1);
  const winner = alone.length ? LETTERS[sums.indexOf(Math.max(...alone))]! : null;
  return { ...chip, settled: true, winner, prize: winner ? chip.value * coloursPresent(chip.sums) : 0 };
}

/** How many different colours have a gem there. */
export const coloursPresent = (sums: Record<string, number>) =>
  Object.values(sums).filter((carats) => carats > 0).length;

/** Whose colour it is; nobody's with fewer than four players. */
export function ownerOf(view: CaratView, letter: string | null): number | null {
  const seat = view.colours.findIndex((letters) => letter !== null && letters.includes(letter));
  return seat < 0 ? null : seat;
}
