// Kwatro in sentences.
import * as m from '$messages';
import type { KwatroView, Misfit } from '$lib/api';
import type { LogEntry } from '$lib/board';
import { list, number } from '$lib/format';
import { capital } from '$lib/text';
import { cardName, TRAITS, valueName } from './cards';
import { cellName, placement, type Play } from './moves';
import { turns, type Turn } from './tally';

const FULL = 4;

export const total = (play: Play) => play.lines.reduce((sum, line) => sum + line.sum, 0);
export const factor = (play: Play) => (total(play) ? play.points / total(play) : 1);

/** Why a sum is doubled: lines of four, four cards, the last play. */
export function doublings(play: Play): string[] {
  const kwatros = play.lines.filter((line) => line.cells.length === FULL).length;
  const isFour = play.cells.length === FULL;
  const isLast = factor(play) > 2 ** (kwatros + (isFour ? 1 : 0));
  return [
    ...(kwatros ? [m.kwatro_kwatros({ count: kwatros })] : []),
    ...(isFour ? [m.kwatro_four_cards()] : []),
    ...(isLast ? [m.kwatro_last_play()] : []),
  ];
}

/** "(2 + 4 + 7) × 2 = 26: one line of four." */
export function explained(play: Play): string {
  const sums = play.lines.map((line) => line.sum).join(' + ');
  const points = number(play.points);
  const why = doublings(play);
  if (why.length) return m.kwatro_doubled({ sums, factor: factor(play), points, why: list(why) });
  return play.lines.length > 1 ? m.kwatro_added({ sums, points }) : m.kwatro_single({ points });
}

/** The turns, each with what it brought and why. */
export function entries(view: KwatroView, log: string[]): LogEntry[] {
  const played = turns(log, view.hands.length);
  return played.map((turn, i) => {
    const isLast = played.slice(i + 1).every((later) => !later.play);
    const play = turn.play && isLast && view.last_play ? view.last_play : turn.play;
    const why = play ? explained(play) : turnInWords(turn);
    const move = turn.moves.filter((part) => part !== 'done').join(' · ');
    return {
      ply: turn.ply,
      number: i + 1,
      seat: turn.seat,
      move,
      why: [why],
      gain: play ? `+${number(play.points)}` : '',
    };
  });
}

function turnInWords(turn: Turn): string {
  const count = turn.moves.at(-1)!.split(' ').length - 1;
  return count ? m.kwatro_passed({ count }) : m.kwatro_passed_none();
}

/** The position for the ear, row by row. */
export function describe(view: KwatroView, names: string[]): string[] {
  const cards = [...view.field].sort((a, b) => a.y - b.y || a.x - b.x);
  const rows = [...new Set(cards.map(({ y }) => y))];
  const own = view.hands.find((hand) => Array.isArray(hand));
  return [
    m.kwatro_describe_field({ count: view.field.length, pile: view.pile }),
    ...view.scores.map((points, seat) => m.kwatro_describe_player({ name: names[seat] ?? '', count: points })),
    ...(Array.isArray(own) ? [handInWords(own)] : []),
    ...(view.play ? [m.kwatro_describe_play({ play: explained(view.play) })] : []),
    ...rows.map((y) => {
      const row = cards.filter((laid) => laid.y === y);
      return m.kwatro_describe_row({ y, cards: row.map(({ x, card }) => `${x} ${cardName(card)}`).join(', ') });
    }),
  ];
}

const handInWords = (hand: string[]) =>
  hand.length ? m.kwatro_describe_hand({ cards: hand.map(cardName).join(', ') }) : m.kwatro_describe_empty();

/** What the last move did. */
export function lastMove(view: KwatroView, log: string[], names: string[]): string {
  const move = log.findLast((entry) => !entry.startsWith('*'));
  if (!move) return m.kwatro_first();
  const put = placement(move);
  if (put) {
    const laid = (put.isSwap ? m.kwatro_swapped : m.kwatro_laid)({ card: cardName(put.card), cell: put.cell });
    return view.play && !put.isSwap ? `${capital(laid)} ${explained(view.play)}` : capital(laid);
  }
  if (move === 'done' && view.last_play)
    return m.kwatro_player_played({ name: names[view.last_play.seat] ?? '', play: explained(view.last_play) });
  const last = turns(log, view.hands.length).at(-1);
  return last ? turnInWords(last) : '';
}

const MISFITS: Record<Misfit['reason'], (why: Misfit) => string> = {
  late: m.kwatro_misfit_late,
  apart: m.kwatro_misfit_apart,
  gap: m.kwatro_misfit_gap,
  long: m.kwatro_misfit_long,
  joker: m.kwatro_misfit_joker,
  jokers: ({ trait }) => m.kwatro_misfit_jokers({ trait: trait ? TRAITS[trait]() : '' }),
  line: ({ axis, trait, values }) =>
    (axis === 'row' ? m.kwatro_misfit_row : m.kwatro_misfit_column)({
      trait: trait ? TRAITS[trait]() : '',
      values: values.map((value) => valueName(trait, value)).join(', '),
    }),
};
/** Why a card may not lie somewhere. */
export const misfitInWords = (why: Misfit) => MISFITS[why.reason](why);

/** The cards of a line, by their cells. */
export function cardsOf(view: KwatroView, cells: readonly (readonly number[])[]): string[] {
  const field = new Map(view.field.map(({ x, y, card }) => [cellName([x, y]), card]));
  return cells.map((cell) => field.get(cellName(cell)) ?? 'J');
}
