// Carat in sentences. Everything said is read off the view.
import * as m from '$messages';
import type { CaratObjection, CaratView, Chip } from '$lib/api';
import type { LogEntry } from '$lib/board';
import { list } from '$lib/format';
import { capital } from '$lib/text';
import type { Step, Telling } from '../../moments/telling';
import { COLOUR_NAMES, CORNERS, LETTERS, type CornerKey, type Letter } from './cuts';
import { cellsAround, cornersOf } from './layout';
import { coloursPresent, ownerOf, placement, type Corner } from './moves';

export const colourName = (letter: string) =>
  ({ red: m.colour_red, yellow: m.colour_yellow, blue: m.colour_blue, green: m.colour_green })[
    COLOUR_NAMES[letter as Letter]
  ]();

export const cornerName = (corner: CornerKey) =>
  ({ nw: m.carat_upper_left, ne: m.carat_upper_right, se: m.carat_lower_right, sw: m.carat_lower_left })[corner]();

/** Sums from high to low. */
export const ranked = (sums: Record<string, number>) =>
  LETTERS.map((letter) => ({ letter, carats: sums[letter] ?? 0 })).sort((a, b) => b.carats - a.carats);

const inWords = (sums: { letter: string; carats: number }[]) =>
  sums.map(({ letter, carats }) => `${colourName(letter)} ${carats}`).join(', ');

/** Who takes a settled chip: "Blue 6 beats red 5". */
export function verdict(chip: Chip): string {
  const sums = ranked(chip.sums);
  if (chip.winner === null) return m.carat_nobody({ value: chip.value, sums: inWords(sums) });
  const own = chip.sums[chip.winner] ?? 0;
  const winner = `${colourName(chip.winner)} ${own}`;
  const above = sums.filter((sum) => sum.carats > own).map((sum) => colourName(sum.letter));
  const below = sums.find((sum) => sum.carats < own);
  if (above.length) return m.carat_next({ tied: capital(list(above)), winner });
  if (!below) return m.carat_takes({ winner: capital(winner) });
  return m.carat_beats({ winner: capital(winner), other: `${colourName(below.letter)} ${below.carats}` });
}

const sum = (chip: Chip) => m.carat_prize({ value: chip.value, count: coloursPresent(chip.sums), prize: chip.prize });

/** The same with what it is worth: "Blue 6 beats red 5: 3 × 4 colours = 12". */
export const settlement = (chip: Chip) =>
  chip.winner === null ? verdict(chip) : m.labelled({ label: verdict(chip), text: sum(chip) });

/** What a settled chip brings, and whom: "3 × 4 colours = 12 for Marta". */
export function prizeInWords(chip: Chip, view: CaratView, names: string[]): string {
  if (chip.winner === null) return '';
  const seat = ownerOf(view, chip.winner);
  if (seat === null) return m.carat_lost({ sum: sum(chip), colour: colourName(chip.winner) });
  return seat === view.seat ? m.carat_for_you({ sum: sum(chip) }) : m.carat_for({ sum: sum(chip), name: names[seat]! });
}

/** The carats at a chip so far: "red 5, blue 3". */
export const gemsInWords = (sums: Record<string, number>) =>
  inWords(ranked(sums).filter(({ carats }) => carats > 0)) || m.carat_bare();

/** What lies at a chip so far, or how it was settled. */
export const chipInWords = (chip: Chip) =>
  chip.settled ? settlement(chip) : m.labelled({ label: chip.value, text: gemsInWords(chip.sums) });

/** A tile that lies, corner by corner. */
export function tileInWords(tile: string): string {
  const at = (corner: number) => colourName(tile[corner]!);
  return m.carat_tile({ value: Number(tile[0]), nw: at(1), ne: at(2), se: at(3), sw: at(4) });
}

/** A cell for the ear: its tile, or the chips that a tile there would point at. */
export function cellInWords(view: CaratView, cell: string, isFree: boolean): string {
  const laid = view.tiles.find((tile) => tile.cell === cell);
  if (laid) return m.labelled({ label: cell, text: tileInWords(laid.tile) });
  const chips = cornersOf(cell).flatMap((point, corner) => {
    const chip = view.chips[point];
    if (!chip) return []; // they are not laid out yet
    const text = chip.settled ? m.carat_chip_gone() : `${chip.value}, ${gemsInWords(chip.sums)}`;
    return capital(m.labelled({ label: cornerName(CORNERS[corner]!.key), text }));
  });
  return [isFree ? m.cell_free({ cell }) : m.cell_empty({ cell }), ...chips].join('. ');
}

export type Preview = { title: string; detail: string; points: number | null };

/** What a placement would settle and whom that would bring how much. */
export function preview(view: CaratView, cell: string, corners: Corner[], names: string[]): Preview {
  const complete = corners.filter(({ chip }) => chip.settled);
  const mine = complete.filter(({ chip }) => ownerOf(view, chip.winner) === view.seat);
  const points = mine.reduce((all, { chip }) => all + chip.prize, 0) || null;
  const [only] = complete;
  if (!only) return { title: m.carat_settles_none({ cell }), detail: '', points };
  if (complete.length > 1) {
    const why = complete.map(({ at, chip }) => m.labelled({ label: capital(cornerName(at)), text: verdict(chip) }));
    return { title: shares(view, complete, names), detail: why.join('. '), points };
  }
  const detail = [prizeInWords(only.chip, view, names), cornerName(only.at)].filter(Boolean).join(', ');
  return { title: verdict(only.chip), detail: capital(detail), points };
}

/** "You +8, Marta +3": oneself first. */
function shares(view: CaratView, complete: Corner[], names: string[]): string {
  const seats = view.colours.map((_, seat) => ({
    seat,
    points: complete.reduce((all, { chip }) => all + (ownerOf(view, chip.winner) === seat ? chip.prize : 0), 0),
  }));
  const won = seats.filter(({ points }) => points > 0);
  won.sort((a, b) => Number(b.seat === view.seat) - Number(a.seat === view.seat));
  const name = (seat: number) => (seat === view.seat ? m.carat_you() : names[seat]!);
  return won.map(({ seat, points }) => `${name(seat)} +${points}`).join(', ') || m.carat_none_score();
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
    const won = chips.filter((chip) => ownerOf(view, chip.winner) === seat);
    const gain = won.reduce((all, chip) => all + chip.prize, 0);
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

/** The position for the ear, complete enough to play by it. */
export function describe(view: CaratView, names: string[]): string[] {
  const own = view.hands.find((hand) => Array.isArray(hand));
  const chip = (point: number, { value }: Chip) => m.carat_chip({ value, cells: list(cellsAround(point)) });
  return [
    m.carat_describe_board({ count: view.tiles.length, stock: view.stock }),
    ...view.colours.map((letters, seat) =>
      m.carat_describe_player({
        name: names[seat] ?? '',
        colours: list([...letters].map(colourName)),
        count: view.scores[seat] ?? 0,
      }),
    ),
    ...(Array.isArray(own) ? own.map((tile) => m.carat_describe_hand({ tile: tileInWords(tile) })) : []),
    ...view.tiles.map(({ cell, tile }) => m.carat_laid({ cell, tile: tileInWords(tile) })),
    ...view.chips.map((one, point) =>
      m.labelled({ label: chip(point, one), text: one.settled ? settlement(one) : gemsInWords(one.sums) }),
    ),
  ];
}

/** A placement, and each chip that it settled. */
export function tell({ after, moves, names, seat, isMine }: Step<CaratView>): Telling {
  const { value, cell } = placement(moves.find((one) => one.includes('='))!);
  const laid = { name: names[seat] ?? '', value, cell };
  return {
    text: isMine ? m.carat_you_lay(laid) : m.carat_lays(laid),
    sound: 'piece',
    lasts: LAID,
    reasons: after.settled_last.map((point) => {
      const chip = after.chips[point]!;
      const winner = ownerOf(after, chip.winner);
      const corner = CORNERS[cornersOf(cell).indexOf(point)]!.key;
      const where = m.carat_at({ corner: cornerName(corner), cell });
      return {
        seat: winner,
        text: verdict(chip),
        detail: [prizeInWords(chip, after, names), where].filter(Boolean).join(', '),
        points: winner === null ? 0 : chip.prize,
        marks: [String(point)],
      };
    }),
  };
}
const LAID = 900; // milliseconds

/** A move as advice; one corner tells how the tile is turned. */
export function advice(_: CaratView, move: string): string {
  const { value, cell, colours } = placement(move);
  return m.carat_advise_turned({ value, cell, colour: colourName(colours[0]!) });
}

/** Why a tile may not be laid. */
export function objection(told: unknown): string {
  const { reason, cell } = told as CaratObjection;
  if (reason === 'taken') return m.carat_taken({ cell: cell ?? '' });
  if (reason === 'edge') return m.carat_edge();
  if (reason === 'apart') return m.carat_apart({ cell: cell ?? '' });
  return reason === 'hand' ? m.carat_not_yours() : '';
}
