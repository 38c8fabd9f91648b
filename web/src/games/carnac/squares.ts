// Squares by name and by number, and the stones of a view as poses.
import type { CarnacView, Stone } from '$lib/api';
import type { Point } from '$lib/geometry';
import { STEP, type Direction, type Pose } from './block';
import { other, type Colour } from './marks';

export const DIRECTIONS: Direction[] = ['N', 'E', 'S', 'W'];
export const COLUMNS = 'abcdefghijklmn';
export const squareName = (x: number, y: number) => `${COLUMNS[x]}${y + 1}`;
export const squareAt = (name: string): Point => [COLUMNS.indexOf(name[0]!), Number(name.slice(1)) - 1];

/** The two squares that a stone covers after falling. */
export function landing(square: string, direction: Direction): [string, string] {
  const [x, y] = squareAt(square);
  const [dx, dy] = STEP[direction];
  return [squareName(x + dx, y + dy), squareName(x + 2 * dx, y + 2 * dy)];
}

/** What a stone shows from above once it lies. */
export const shows = (side: Colour, direction: Direction) =>
  direction === 'E' || direction === 'W' ? side : other(side);

/** Which falls could be drawn: both squares on the board and empty. What is legal, `legal` says. */
export function openFalls(view: CarnacView, square: string): Direction[] {
  const taken = new Set(view.stones.flatMap((stone) => stone.squares));
  return DIRECTIONS.filter((direction) =>
    landing(square, direction).every((name) => {
      const [x, y] = squareAt(name);
      return x >= 0 && y >= 0 && x < view.columns && y < view.rows && !taken.has(name);
    }),
  );
}

export const keyOf = (stone: Stone) => stone.squares.join('-');

export type Fallen = { from: string; direction: Direction; top: Colour };

/** The squares of the stone that the last move raised, tipped or left. */
export function lastSquares(log: string[]): string[] {
  const move = log.at(-1);
  if (!move) return [];
  const [from] = (isPlacement(move) ? move : (log.at(-2) ?? '')).match(/^[a-n]\d/) ?? [];
  if (!from) return [];
  return move.startsWith('tilt ') ? inBoardOrder(landing(from, move[5] as Direction)) : [from];
}

/** The direction in which a stone would fall onto a square, if any. */
export function fallOnto(square: string, from: string): Direction | null {
  return DIRECTIONS.find((direction) => landing(from, direction).includes(square)) ?? null;
}

/** Where each lying stone stood and what was on its top, told by the log. */
export function falls(log: string[]): Map<string, Fallen> {
  const found = new Map<string, Fallen>();
  log.forEach((move, ply) => {
    const placed = log[ply - 1];
    if (!move.startsWith('tilt ') || !placed) return;
    const [from, direction] = [placed.slice(0, -2), move[5] as Direction];
    found.set(inBoardOrder(landing(from, direction)).join('-'), { from, direction, top: placed.at(-2) as Colour });
  });
  return found;
}
const order = (name: string) => squareAt(name)[1] * 100 + squareAt(name)[0];
/** Row by row, as the view tells them. */
export const inBoardOrder = (names: string[]) => [...names].sort((a, b) => order(a) - order(b));

export const isPlacement = (move: string) => move !== 'stand' && !move.startsWith('tilt ');

/** A stone of the view as it stands or lies. */
export function pose(stone: Stone, fallen: Fallen | undefined): Pose {
  const colour = stone.colour as Colour;
  const [x, y] = squareAt(stone.squares[0]!);
  const upright = { x, y, top: colour, fall: null, angle: 0, lift: 0 };
  if (stone.side) return { ...upright, side: stone.side as Colour };
  const direction: Direction = fallen?.direction ?? (squareAt(stone.squares[1]!)[0] > x ? 'E' : 'S');
  const [fromX, fromY] = fallen ? squareAt(fallen.from) : [x - STEP[direction][0], y - STEP[direction][1]];
  const isAcross = direction === 'E' || direction === 'W';
  return {
    x: fromX,
    y: fromY,
    top: fallen?.top ?? other(colour),
    side: isAcross ? colour : other(colour),
    fall: direction,
    angle: 90,
    lift: 0,
  };
}

/** How each stone that is new since the last view came: raised, fallen, or unseen. */
export function arrivals(before: CarnacView | null, view: CarnacView): Map<string, 'raised' | 'fallen'> {
  if (!before) return new Map();
  const known = new Set(before.stones.map(keyOf));
  const fresh = view.stones.filter((stone) => !known.has(keyOf(stone)));
  return new Map(fresh.map((stone) => [keyOf(stone), stone.side ? 'raised' : 'fallen']));
}
