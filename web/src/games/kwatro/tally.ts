// The turns of a match, read off its log. The view explains the last play; what older plays
// brought is added up here from the cards, for the log alone.
import { cellAt, cellName, isPass, placement, type Cell, type Play } from './moves';

export type Turn = { seat: number; ply: number; moves: string[]; play: Play | null };

const HAND = 4;
const FULL = 4; // cards of a kwatro
const AXES: Cell[] = [
  [1, 0],
  [0, 1],
];

export function turns(log: string[], players: number): Turn[] {
  const field = new Map<string, string>();
  const start = log[players * HAND];
  if (start) field.set('0,0', start.slice(1));
  const found: Turn[] = [];
  let moves: string[] = [];
  log.forEach((move, ply) => {
    if (move.startsWith('*')) return;
    const seat = found.length % players;
    moves.push(move);
    const put = placement(move);
    if (put) field.set(put.cell, put.card);
    if (move !== 'done' && !isPass(move)) return;
    found.push({ seat, ply, moves, play: move === 'done' ? playOf(seat, moves, field) : null });
    moves = [];
  });
  return found;
}

function playOf(seat: number, moves: string[], field: Map<string, string>): Play {
  const cells = moves.flatMap((move) => {
    const put = placement(move);
    return put && !put.isSwap ? [cellAt(put.cell)] : [];
  });
  const lines = new Map<string, Play['lines'][number]>();
  for (const axis of AXES)
    for (const cell of cells) {
      const line = lineThrough(cell, axis, field);
      if (line.length > 1) lines.set(`${axis} ${line[0]}`, { cells: line, sum: sumOf(line, field) });
    }
  const list = [...lines.values()];
  const doubles = list.filter((line) => line.cells.length === FULL).length + (cells.length === HAND ? 1 : 0);
  const total = list.reduce((sum, line) => sum + line.sum, 0);
  return { seat, cells, lines: list, points: total * 2 ** doubles };
}

function lineThrough([x, y]: Cell, [dx, dy]: Cell, field: Map<string, string>): Cell[] {
  const has = (at: number) => field.has(cellName([x + at * dx, y + at * dy]));
  let [from, to] = [0, 0];
  while (has(from - 1)) from--;
  while (has(to + 1)) to++;
  return Array.from({ length: to - from + 1 }, (_, i): Cell => [x + (from + i) * dx, y + (from + i) * dy]);
}

const sumOf = (cells: Cell[], field: Map<string, string>) =>
  cells.reduce((sum, cell) => sum + (Number(field.get(cellName(cell))?.[2]) || 0), 0);
