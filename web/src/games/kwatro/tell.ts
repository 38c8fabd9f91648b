// What happened, one sentence a move; a play then line by line with its sum.
import * as m from '$messages';
import type { KwatroView } from '$lib/api';
import { list, number } from '$lib/format';
import { isChance, type Reason, type Step, type Telling } from '../../moments/telling';
import { cardName, theCard } from './cards';
import { cellName, isPass, passedCards, placement, type Placement, type Play } from './moves';
import { cardsOf, doublings, factor, whereIs } from './words';

// Milliseconds.
const LAID = 800;
const PLAYED = 600;
const PASSED = 1100;
const LINE = 1100; // before the sum; a line that is all there is stays as long as any reason

export function tell(step: Step<KwatroView>): Telling {
  const move = step.moves.find((one) => !isChance(one))!;
  const put = placement(move);
  if (put) return { text: laid(step, put), sound: 'piece', lasts: LAID, reasons: [] };
  if (isPass(move)) return { text: passed(step, passedCards(move)), sound: null, lasts: PASSED, reasons: [] };
  const play = step.after.last_play;
  return {
    text: played(step, play?.cells.length ?? 0),
    sound: null,
    lasts: PLAYED,
    reasons: play ? reasonsOf(step.after, play) : [],
  };
}

/** A line as the board marks it. */
export const lineMarks = ({ cells }: Play['lines'][number]) => cells.map(cellName);

function laid({ before, after, names, seat, isMine }: Step<KwatroView>, { card, cell, isSwap }: Placement): string {
  const told = { name: names[seat] ?? '', card: theCard(card), where: whereIs(before.field, cell) };
  if (isSwap) return isMine ? m.kwatro_you_swap(told) : m.kwatro_swaps(told);
  return isMine ? m.kwatro_you_lay({ ...told, count: after.play?.points ?? 0 }) : m.kwatro_lays(told);
}

const drawn = (moves: string[]) => moves.filter(isChance).map((move) => move.slice(1));

function played({ moves, names, seat, isMine }: Step<KwatroView>, count: number): string {
  const cards = drawn(moves);
  const name = names[seat] ?? '';
  if (isMine)
    return cards.length
      ? m.kwatro_you_play_draw({ count, cards: list(cards.map(theCard)) })
      : m.kwatro_you_play({ count });
  return cards.length ? m.kwatro_plays_draws({ name, count, drawn: cards.length }) : m.kwatro_plays({ name, count });
}

function passed({ moves, names, seat, isMine }: Step<KwatroView>, out: string[]): string {
  const name = names[seat] ?? '';
  if (!out.length) return isMine ? m.kwatro_you_pass() : m.kwatro_passes({ name });
  if (!isMine) return m.kwatro_passes_exchanging({ name, count: out.length });
  return m.kwatro_you_exchange({ out: list(out.map(theCard)), cards: list(drawn(moves).map(theCard)) });
}

/** Each line; where the play is doubled, the points come with the sum of all. */
function reasonsOf(view: KwatroView, play: Play): Reason[] {
  const why = doublings(play);
  const lines = play.lines.map((line): Reason => {
    const cards = cardsOf(view, line.cells);
    const sum = `${cards.map((card) => Number(card[2]) || 0).join(' + ')} = ${line.sum}`;
    const isRow = line.cells[0]![1] === line.cells.at(-1)![1];
    const told = { size: cards.length, sum };
    return {
      seat: play.seat,
      text: isRow ? m.kwatro_row(told) : m.kwatro_column(told),
      detail: cards.map(cardName).join(', '),
      points: why.length ? 0 : line.sum,
      marks: lineMarks(line),
      ...(why.length && { lasts: LINE }),
    };
  });
  if (!why.length) return lines;
  const sums = play.lines.map(({ sum }) => sum).join(' + ');
  const doubled: Reason = {
    seat: play.seat,
    text: m.kwatro_times({ sums, factor: factor(play), points: number(play.points) }),
    detail: m.kwatro_doubled_by({ why: list(why) }),
    points: play.points,
    marks: [], // all its lines are drawn by then
  };
  return [...lines, doubled];
}
