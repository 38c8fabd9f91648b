// Where things are on the drawn tray: 960 units wide, cells of 140 inside a margin of 60.
import { round, type Point } from '$lib/geometry';

export const SIZE = 960;
export const SIDE = 6;
const CELL = 140;
const MARGIN = 60;
export const COLUMNS = 'abcdef';

export const cellName = (column: number, row: number) => `${COLUMNS[column]}${row + 1}`;
export const columnOf = (cell: string) => COLUMNS.indexOf(cell[0]!);
export const rowOf = (cell: string) => Number(cell[1]) - 1;

export const cellCentre = (cell: string): Point => [
  MARGIN + CELL * (columnOf(cell) + 0.5),
  MARGIN + CELL * (rowOf(cell) + 0.5),
];
export const pointCentre = (point: number): Point => [
  MARGIN + CELL * (point % (SIDE + 1)),
  MARGIN + CELL * Math.floor(point / (SIDE + 1)),
];

/** The points at a cell's corners, clockwise from the north-west. */
export function cornersOf(cell: string): [number, number, number, number] {
  const northWest = rowOf(cell) * (SIDE + 1) + columnOf(cell);
  return [northWest, northWest + 1, northWest + SIDE + 2, northWest + SIDE + 1];
}

/** The cells that meet at a point: four, or fewer at the edge. */
export function cellsAround(point: number): string[] {
  const [row, column] = [Math.floor(point / (SIDE + 1)), point % (SIDE + 1)];
  const cells: string[] = [];
  for (const r of [row - 1, row])
    for (const c of [column - 1, column]) if (r >= 0 && c >= 0 && r < SIDE && c < SIDE) cells.push(cellName(c, r));
  return cells;
}

export const CELLS = Array.from({ length: SIDE * SIDE }, (_, i) => cellName(i % SIDE, Math.floor(i / SIDE)));

/** Regular octagons leave square gaps, which the chips fit. */
export function octagon(width: number, cut: number, [x, y]: Point = [0, 0]): string {
  const h = width / 2;
  const c = h - cut;
  const [n, e, s, w] = [y - h, x + h, y + h, x - h].map(round);
  const [left, right, top, low] = [x - c, x + c, y - c, y + c].map(round);
  return `M${left} ${n}H${right}L${e} ${top}V${low}L${right} ${s}H${left}L${w} ${low}V${top}Z`;
}
