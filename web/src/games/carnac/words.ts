// Carnac in sentences. Everything said is read off the view and the log.
import * as m from '$messages';
import type { CarnacView } from '$lib/api';
import type { LogEntry } from '$lib/board';
import { list } from '$lib/format';
import { capital } from '$lib/text';
import type { Direction } from './block';
import { other, type Colour } from './marks';
import { squareAt } from './squares';

export type Style = { top: Colour; side: Colour };

/** The order of the chooser, keys 1 to 4. */
export const STYLES: Style[] = [
  { top: 'r', side: 'w' },
  { top: 'r', side: 'r' },
  { top: 'w', side: 'w' },
  { top: 'w', side: 'r' },
];

export const colourName = (colour: string) => (colour === 'r' ? m.colour_red() : m.colour_white());

export const directionName = (direction: Direction) => ({ N: m.north, E: m.east, S: m.south, W: m.west })[direction]();

const isPlacement = (move: string) => move !== 'stand' && !move.startsWith('tilt ');

/** A move in words. */
export function moveInWords(move: string): string {
  if (move === 'stand') return m.carnac_left();
  if (move.startsWith('tilt ')) return m.carnac_fell({ direction: directionName(move[5] as Direction) });
  const [top, side] = [move.at(-2) as Colour, move.at(-1) as Colour];
  return m.carnac_raised({ top: colourName(top), across: colourName(side), along: colourName(other(side)) });
}

/** The log with who did what: whoever tilts also places next; whoever is left alone places again. */
export function entries(_: CarnacView, log: string[]): LogEntry[] {
  const seats = seatsOf(log);
  return log.map((move, ply) => ({
    ply,
    number: ply + 1,
    seat: seats[ply] ?? 0,
    move,
    why: [moveInWords(move)],
    gain: '',
  }));
}

function seatsOf(log: string[]): number[] {
  let placer = 0; // who places next
  return log.map((move, ply) => {
    if (!isPlacement(move)) {
      const decider = 1 - placer;
      if (move !== 'stand') placer = decider;
      return decider;
    }
    const seat = placer;
    const next = log[ply + 1];
    if (next !== undefined && isPlacement(next)) placer = 1 - placer; // it could not fall
    return seat;
  });
}

const sizes = (view: CarnacView, seat: number) =>
  view.dolmens.filter((dolmen) => dolmen.seat === seat).map((dolmen) => dolmen.squares.length);

/** A seat's dolmens: "3 dolmens of 7, 4, 3". */
export function dolmensInWords(view: CarnacView, seat: number): string {
  const found = sizes(view, seat);
  return found.length ? m.carnac_dolmens({ count: found.length, sizes: found.join(', ') }) : m.carnac_no_dolmen();
}

/** "Red: 3 dolmens of 7, 4, 3". */
export const seatInWords = (view: CarnacView, seat: number) =>
  m.labelled({ label: capital(colourName(seat === 0 ? 'r' : 'w')), text: dolmensInWords(view, seat) });

/** The position for the ear, row by row. */
export function describe(view: CarnacView): string[] {
  const stones = [...view.stones].sort((a, b) => {
    const [p, q] = [squareAt(a.squares[0]!), squareAt(b.squares[0]!)];
    return p[1] - q[1] || p[0] - q[0];
  });
  return [
    m.carnac_describe_board({ columns: view.columns, rows: view.rows, stock: view.stock }),
    ...[0, 1].map((seat) => `${seatInWords(view, seat)}.`),
    ...stones.map((stone) =>
      stone.side
        ? m.carnac_describe_standing({
            square: stone.squares[0]!,
            top: colourName(stone.colour),
            across: colourName(stone.side),
          })
        : m.carnac_describe_lying({ squares: list(stone.squares), colour: colourName(stone.colour) }),
    ),
  ];
}
export function squareInWords(view: CarnacView, square: string): string {
  const stone = view.stones.find((s) => s.squares.includes(square));
  if (!stone) return m.cell_empty({ cell: square });
  const text = stone.side
    ? m.carnac_describe_standing({ square, top: colourName(stone.colour), across: colourName(stone.side) })
    : m.carnac_describe_lying({ squares: square, colour: colourName(stone.colour) });
  return text;
}

/** What the last move did, and how many dolmens there are now. */
export function lastMove(view: CarnacView, log: string[]): string {
  const move = log.at(-1);
  if (!move) return m.carnac_first();
  const counts = m.carnac_count({ red: sizes(view, 0).length, white: sizes(view, 1).length });
  const text = moveInWords(move);
  return `${isPlacement(move) ? m.labelled({ label: move.slice(0, -2), text }) : text} ${counts}`;
}
