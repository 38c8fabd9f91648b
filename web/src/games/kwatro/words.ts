// Kwatro in sentences: sums, places, reasons. What happened is told in tell.ts.
import * as m from '$messages';
import type { KwatroObjection, KwatroView, Laid, Misfit } from '$lib/api';
import type { LogEntry } from '$lib/board';
import { list, number } from '$lib/format';
import { cardName, ofCard, theCard, TRAITS, valueName } from './cards';
import { cellAt, cellName, isPass, passedCards, placement, type Play } from './moves';
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

/** "(2 + 4 + 7) × 2 = 26: one line of four". */
export function explained(play: Play): string {
  const sums = play.lines.map((line) => line.sum).join(' + ');
  const points = number(play.points);
  const why = doublings(play);
  if (why.length) return m.kwatro_doubled({ sums, factor: factor(play), points, why: list(why) });
  return play.lines.length > 1 ? m.kwatro_added({ sums, points }) : m.kwatro_single({ points });
}

const SIDES = [
  { dx: -1, dy: 0, side: m.kwatro_right_of },
  { dx: 1, dy: 0, side: m.kwatro_left_of },
  { dx: 0, dy: -1, side: m.kwatro_below },
  { dx: 0, dy: 1, side: m.kwatro_above },
];
/** Where a cell is, by a card beside it; every card but the joker is there once. */
export function whereIs(field: Laid[], cell: string): string {
  const [x, y] = cellAt(cell);
  const beside = SIDES.flatMap(({ dx, dy, side }) => {
    const found = field.find((laid) => laid.x === x + dx && laid.y === y + dy);
    return found ? [{ card: found.card, side }] : [];
  });
  const { card, side } = beside.find(({ card }) => card !== 'J') ?? beside[0] ?? {};
  return card && side ? side({ card: ofCard(card) }) : '';
}

/** The turns, each with what it brought and why. */
export function entries(view: KwatroView, log: string[]): LogEntry[] {
  const played = turns(log, view.hands.length);
  return played.map((turn, i) => {
    const isLast = played.slice(i + 1).every((later) => !later.play);
    const play = turn.play && isLast && view.last_play ? view.last_play : turn.play;
    return {
      ply: turn.ply,
      number: i + 1,
      seat: turn.seat,
      move: turn.moves.filter((part) => part !== 'done').join(' · '),
      text: turnInWords(turn),
      why: play ? [explained(play)] : [],
      gain: play ? `+${number(play.points)}` : '',
    };
  });
}

function turnInWords({ moves, play }: Turn): string {
  if (play) return m.kwatro_cards({ count: play.cells.length });
  const { length: count } = passedCards(moves.at(-1)!);
  return count ? m.kwatro_passed({ count }) : m.kwatro_passed_none();
}

const cardsHeld = (hand: string[] | number | undefined) => (Array.isArray(hand) ? hand.length : (hand ?? 0));
export const heldBy = ({ hands }: KwatroView, seat: number) => m.kwatro_cards({ count: cardsHeld(hands[seat]) });

/** The position for the ear: counts, hand, play, then the field row by row. */
export function describe(view: KwatroView, names: string[]): string[] {
  const cards = [...view.field].sort((a, b) => a.y - b.y || a.x - b.x);
  const rows = [...new Set(cards.map(({ y }) => y))];
  const own = view.hands.find((hand) => Array.isArray(hand));
  const last = view.last_play;
  return [
    m.kwatro_describe_field({ count: view.field.length, pile: view.pile }),
    ...(view.under.length ? [m.kwatro_describe_under({ cards: view.under.map(underName).join(', ') })] : []),
    ...view.scores.map((count, seat) =>
      m.kwatro_describe_seat({ name: names[seat] ?? '', points: m.points({ count }), cards: heldBy(view, seat) }),
    ),
    ...(Array.isArray(own) ? [handInWords(own)] : []),
    ...(view.play ? [m.kwatro_describe_play({ play: explained(view.play) })] : []),
    ...(last ? [m.kwatro_describe_last({ name: names[last.seat] ?? '', play: explained(last) })] : []),
    ...rows.map((y) => {
      const row = cards.filter((laid) => laid.y === y);
      return m.kwatro_describe_row({ y, cards: row.map(({ x, card }) => `${x} ${cardName(card)}`).join(', ') });
    }),
  ];
}

/** A card under the pile, if one knows it. */
export const underName = (card: string | null) => cardName(card ?? '?');

const handInWords = (hand: string[]) =>
  hand.length ? m.kwatro_describe_hand({ cards: hand.map(cardName).join(', ') }) : m.kwatro_describe_empty();

/** A move as advice. */
export function advice(view: KwatroView, move: string): string {
  const put = placement(move);
  if (put) {
    const told = { card: theCard(put.card), where: whereIs(view.field, put.cell) };
    return put.isSwap ? m.kwatro_advise_swap(told) : m.kwatro_advise_lay(told);
  }
  if (!isPass(move)) return m.kwatro_advise_done({ points: number(view.play?.points ?? 0) });
  const cards = passedCards(move).map(theCard);
  return cards.length ? m.kwatro_advise_exchange({ cards: list(cards) }) : m.kwatro_advise_pass();
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

const OBJECTIONS: Record<KwatroObjection['reason'], (why: KwatroObjection) => string> = {
  misfit: ({ misfit }) => (misfit ? misfitInWords(misfit) : ''),
  taken: ({ cards }) => m.kwatro_no_taken({ cards: list(cards.map(cardName)) }),
  hand: ({ cards }) => m.kwatro_no_hand({ cards: list(cards.map(theCard)) }),
  late: m.kwatro_no_late,
  early: m.kwatro_no_early,
  pile: m.kwatro_no_pile,
  joker: m.kwatro_no_joker,
  drawn: () => '', // chance's, never at a table
};
/** Why a move may not be played. */
export const objection = (why: unknown) => OBJECTIONS[(why as KwatroObjection).reason](why as KwatroObjection);

/** The cards of a line, by their cells. */
export function cardsOf(view: KwatroView, cells: readonly (readonly number[])[]): string[] {
  const field = new Map(view.field.map(({ x, y, card }) => [cellName([x, y]), card]));
  return cells.map((cell) => field.get(cellName(cell)) ?? 'J');
}
