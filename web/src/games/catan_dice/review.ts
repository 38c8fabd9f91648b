// The dice game looked back at: which turn it was, and what the dice showed.
import * as m from '$messages';
import type { CatanDiceView } from '$lib/api';
import type { Marks, ReviewWords } from '$lib/board';
import { chanceOf } from '../../moments/telling';
import Rolled from './Rolled.svelte';
import { diceInWords, shownSeat } from './words';

/** Whose sheet is looked at: whoever decided, or is about to. */
export function seatLookedAt(view: CatanDiceView, marks: Marks<CatanDiceView> | null): number {
  const actor = marks?.before.actor ?? view.actor ?? -1;
  return actor < 0 ? shownSeat(view) : actor;
}

export const review: ReviewWords<CatanDiceView> = {
  points: m.catan_expected,
  turn: (view, ply, log) => {
    const ended = log.slice(0, ply).filter((move) => move === 'end').length;
    return m.catan_turn_number({ turn: Math.floor(ended / view.sheets.length) + 1 });
  },
  chance(_, after, move, names) {
    const seat = seatLookedAt(after, null);
    return { seat, text: m.catan_tell_roll_all({ name: names[seat] ?? '', dice: diceInWords(chanceOf(move)) }) };
  },
  ChanceArt: Rolled,
};
