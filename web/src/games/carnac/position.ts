// A position of Carnac in sentences: for the ear, for a seat, for the result.
import * as m from '$messages';
import type { CarnacView, Stone } from '$lib/api';
import { list } from '$lib/format';
import { capital } from '$lib/text';
import { openFalls, squareAt } from './squares';
import { colourName, directionName } from './words';

const sizes = (view: CarnacView, seat: number) =>
  view.dolmens.filter((dolmen) => dolmen.seat === seat).map((dolmen) => dolmen.squares.length);

/** A seat's dolmens: "3 dolmens of 7, 4, 3". */
export function dolmensInWords(view: CarnacView, seat: number): string {
  const found = sizes(view, seat);
  return found.length ? m.carnac_dolmens({ count: found.length, sizes: found.join(', ') }) : m.carnac_no_dolmen();
}

/** "Red: 3 dolmens of 7, 4, 3". */
const seatInWords = (view: CarnacView, seat: number) =>
  m.labelled({ label: capital(colourName(seat === 0 ? 'r' : 'w')), text: dolmensInWords(view, seat) });

/** How the result came about: the dolmens, and what decided between equal numbers. */
export function summary(view: CarnacView): string {
  const counted = `${seatInWords(view, 0)}. ${seatInWords(view, 1)}.`;
  const [red, white] = [sizes(view, 0), sizes(view, 1)];
  if (view.actor !== null || red.length !== white.length) return counted;
  const at = red.findIndex((size, i) => size !== white[i]);
  if (at < 0) return `${counted} ${m.carnac_drawn()}`;
  const [more, less] = [Math.max(red[at]!, white[at]!), Math.min(red[at]!, white[at]!)];
  const winner = capital(colourName(red[at]! > white[at]! ? 'r' : 'w'));
  return `${counted} ${m.carnac_decided({ winner, more, less })}`;
}

/** The position for the ear: what is to be done, then the stones row by row. */
export function describe(view: CarnacView, names: string[]): string[] {
  const stones = [...view.stones].sort((a, b) => {
    const [p, q] = [squareAt(a.squares[0]!), squareAt(b.squares[0]!)];
    return p[1] - q[1] || p[0] - q[0];
  });
  return [
    m.carnac_describe_board({ columns: view.columns, rows: view.rows, stock: view.stock }),
    ...(view.actor === null ? [] : [toDo(view, names[view.actor] ?? '')]),
    ...[0, 1].map((seat) => `${seatInWords(view, seat)}.`),
    ...stones.map((stone) => stoneInWords(stone, list(stone.squares))),
  ];
}

function toDo(view: CarnacView, name: string): string {
  if (!view.tilting) return m.carnac_describe_raise({ name });
  const directions = list(openFalls(view, view.tilting).map(directionName));
  return m.carnac_describe_decide({ name, square: view.tilting, directions });
}

const stoneInWords = (stone: Stone, square: string) =>
  stone.side
    ? m.carnac_describe_standing({ square, top: colourName(stone.colour), across: colourName(stone.side) })
    : m.carnac_describe_lying({ squares: square, colour: colourName(stone.colour) });

/** What is on a square. */
export function squareInWords(view: CarnacView, square: string): string {
  const stone = view.stones.find((one) => one.squares.includes(square));
  return stone ? stoneInWords(stone, square) : m.cell_empty({ cell: square });
}
