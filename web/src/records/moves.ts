// Moves as people type them: one a line, or with semicolons or commas between, numbered or not.

// Not the comma of a place on a board, which stands between two digits or before a minus.
const BETWEEN = /[\n;]|,(?!-?\d)|(?<!\d),/;
const NUMBER = /^\s*\d+[.)]\s*/;

export const movesIn = (text: string): string[] =>
  text
    .split(BETWEEN)
    .map((move) => move.replace(NUMBER, '').trim())
    .filter(Boolean);

/** The text with another move at the place of a wrong one. */
export function mended(text: string, wrong: { ply: number; move: string }, right: string): string {
  const moves = movesIn(text);
  // A lay-out typed in parts is one move, so that the wrong one may come later than its number says.
  const at = moves.indexOf(wrong.move, Math.min(wrong.ply, moves.length - 1));
  return lines([...moves.slice(0, at < 0 ? wrong.ply : at), right, ...moves.slice((at < 0 ? wrong.ply : at) + 1)]);
}

/** The text with a move more. */
export const extended = (text: string, move: string): string => lines([...movesIn(text), move]);

export const lines = (moves: string[]): string => moves.map((move) => `${move}\n`).join('');

/** The moves after a ply in a record that is JSON; none in anything else. */
export function movesAfter(text: string, ply: number): string[] {
  try {
    const { moves } = JSON.parse(text) as { moves?: unknown };
    return Array.isArray(moves) ? moves.slice(ply + 1).map(String) : [];
  } catch {
    return [];
  }
}
