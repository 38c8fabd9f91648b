// What can be said of a game that the page does not know: who moved, how, and who has how much.
import * as m from '$messages';
import type { View } from '$lib/api';
import type { LogEntry, ReviewWords } from '$lib/board';
import { chanceOf, isChance, type Step, type Telling } from '../../moments/telling';
import { drawing } from './drawing.svelte';
import { isShape } from './spots';

const SEEN = 900; // milliseconds that one needs for a move on a board one does not know

const moved = (move: string, name: string | undefined) =>
  isChance(move) ? m.plain_chance({ move: chanceOf(move) }) : name ? m.plain_moved({ name, move }) : '';

export function tell({ before, after, moves, seat, names }: Step): Telling {
  const isOver = after.winners.length > 0; // then the result says it
  return {
    text: moves.map((move) => moved(move, names[seat])).join(' · '),
    sound: 'piece',
    lasts: SEEN,
    reasons: after.scores.flatMap((score, at) => {
      const points = score - before.scores[at]!;
      const reason = { seat: at, text: names[at] ?? '', detail: '', points, marks: [] };
      return points && !isOver ? [reason] : [];
    }),
  };
}

/** Who played is told with the picture. */
export const entries = (_: View, log: string[], names: string[]): LogEntry[] =>
  log.map((move, ply) => {
    const seat = drawing.picture?.movers[ply] ?? -1;
    return { ply, number: ply + 1, seat, text: moved(move, names[seat]), move, why: [], gain: '' };
  });

/** The shapes that have a name, then who has how much. */
export function describe(view: View, names: string[]): string[] {
  const shapes = drawing.picture?.ply === view.ply ? drawing.picture.shapes : [];
  const scores = view.scores.map((count, seat) => m.plain_score({ name: names[seat] ?? '', count }));
  return [...shapes.filter(isShape).flatMap(({ name }) => name || []), ...scores];
}

export const review: ReviewWords = {
  points: m.plain_expected,
  turn: (_, ply) => m.plain_turn({ ply: ply + 1 }),
  chance: (_before, _after, move) => ({ seat: null, text: m.plain_chance({ move: chanceOf(move) }) }),
};

/** Of a game that the page does not know, the notation is all there is. */
export const advice = (_: View, move: string) => move;
