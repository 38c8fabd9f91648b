// Carat in sentences. Everything said is read off the view.
import * as m from '$messages';
import type { CaratView, Chip } from '$lib/api';
import type { LogEntry } from '$lib/board';
import type { Step, Telling } from '../../moments/telling';
import { list } from '$lib/format';
import { capital } from '$lib/text';
import { COLOUR_NAMES, LETTERS, type Letter } from './cuts';
import { cellsAround } from './layout';
import { coloursPresent, placement } from './moves';

export const colourName = (letter: string) =>
  ({ red: m.colour_red, yellow: m.colour_yellow, blue: m.colour_blue, green: m.colour_green })[
    COLOUR_NAMES[letter as Letter]
  ]();

/** Sums from high to low. */
export const ranked = (sums: Record<string, number>) =>
  LETTERS.map((letter) => ({ letter, carats: sums[letter] ?? 0 })).sort((a, b) => b.carats - a.carats);

/** Who takes a settled chip: "Blue 6 beats red 5". */
export function verdict(chip: Chip): string {
  const sums = ranked(chip.sums);
  if (chip.winner === null) return m.carat_nobody({ value: chip.value, sums: sumsInWords(chip.sums) });
  const own = chip.sums[chip.winner] ?? 0;
  const winner = `${colourName(chip.winner)} ${own}`;
  const above = sums.filter((sum) => sum.carats > own).map((sum) => colourName(sum.letter));
  const below = sums.find((sum) => sum.carats < own);
  if (above.length) return m.carat_next({ tied: capital(list(above)), winner });
  if (!below) return m.carat_takes({ winner: capital(winner) });
  return m.carat_beats({ winner: capital(winner), other: `${colourName(below.letter)} ${below.carats}` });
}

/** The same with what it is worth: "Blue 6 beats red 5: 3 × 4 colours = 12". */
export function settlement(chip: Chip): string {
  if (chip.winner === null) return verdict(chip);
  const prize = m.carat_prize({ value: chip.value, count: coloursPresent(chip.sums), prize: chip.prize });
  return m.labelled({ label: verdict(chip), text: prize });
}

export const sumsInWords = (sums: Record<string, number>) =>
  ranked(sums)
    .map(({ letter, carats }) => `${colourName(letter)} ${carats}`)
    .join(', ');

/** What lies at a chip so far, or how it was settled. */
export const chipInWords = (chip: Chip) =>
  chip.settled ? settlement(chip) : m.labelled({ label: chip.value, text: sumsInWords(chip.sums) });

/** A tile that lies, corner by corner. */
export function tileInWords(tile: string): string {
  const at = (corner: number) => colourName(tile[corner]!);
  return m.carat_tile({ value: Number(tile[0]), nw: at(1), ne: at(2), se: at(3), sw: at(4) });
}

/** The log's placements, each with the chips that it settled. */
export function entries(view: CaratView, log: string[]): LogEntry[] {
  const placed = log.flatMap((move, ply) => (move.includes('=') ? [{ move, ply }] : []));
  const filledAt = new Map(placed.map(({ move }, order) => [placement(move).cell, order]));
  const settledBy = new Map<number, Chip[]>();
  view.chips.forEach((chip, point) => {
    if (!chip.settled) return;
    const order = Math.max(...cellsAround(point).map((cell) => filledAt.get(cell) ?? -1));
    settledBy.set(order, [...(settledBy.get(order) ?? []), chip]);
  });
  return placed.map(({ move, ply }, order) => {
    const seat = order % view.colours.length;
    const chips = settledBy.get(order) ?? [];
    const won = chips.filter((chip) => chip.winner && view.colours[seat]?.includes(chip.winner));
    const gain = won.reduce((sum, chip) => sum + chip.prize, 0);
    return {
      ply,
      number: order + 1,
      seat,
      move,
      text: m.carat_advise(placement(move)),
      why: chips.map(settlement),
      gain: gain ? `+${gain}` : '',
    };
  });
}

/** The position for the ear. */
export function describe(view: CaratView, names: string[]): string[] {
  const tiles = view.tiles.map(({ cell, tile }) => m.carat_laid({ cell, tile: tileInWords(tile) }));
  const own = view.hands.find((hand) => Array.isArray(hand));
  return [
    m.carat_describe_board({ count: view.tiles.length, stock: view.stock }),
    ...view.colours.map((letters, seat) =>
      m.carat_describe_player({
        name: names[seat] ?? '',
        colours: list([...letters].map(colourName)),
        count: view.scores[seat] ?? 0,
      }),
    ),
    ...(Array.isArray(own) ? [m.carat_describe_hand({ tiles: own.map(tileInWords).join('; ') })] : []),
    ...tiles,
  ];
}

/** A placement, and each chip that it settled. */
export function tell({ after, moves, names, seat, isMine }: Step<CaratView>): Telling {
  const move = placement(moves.find((one) => one.includes('='))!);
  const laid = { name: names[seat] ?? '', value: move.value, cell: move.cell };
  return {
    text: isMine ? m.carat_you_lay(laid) : m.carat_lays(laid),
    sound: 'piece',
    lasts: LAID,
    reasons: after.settled_last.map((point) => {
      const chip = after.chips[point]!;
      const winner = after.colours.findIndex((letters) => chip.winner !== null && letters.includes(chip.winner));
      return {
        seat: winner < 0 ? null : winner,
        text: verdict(chip),
        detail:
          winner < 0 ? '' : m.carat_prize({ value: chip.value, count: coloursPresent(chip.sums), prize: chip.prize }),
        points: winner < 0 ? 0 : chip.prize,
        marks: [String(point)],
      };
    }),
  };
}
const LAID = 900; // milliseconds

/** A move as advice. */
export function advice(_: CaratView, move: string): string {
  const { value, cell } = placement(move);
  return m.carat_advise({ value, cell });
}
