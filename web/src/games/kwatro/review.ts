// Kwatro looked back at: what a turn is called, and which cards came.
import * as m from '$messages';
import type { KwatroView } from '$lib/api';
import type { ReviewWords } from '$lib/board';
import { drawer } from '../../frame/hands';
import { chanceOf } from '../../moments/telling';
import { cardName, theCard } from './cards';
import DrawnCard from './DrawnCard.svelte';
import { turns } from './tally';

export const review: ReviewWords<KwatroView> = {
  points: m.kwatro_expected,
  // A turn is a play of several moves: those that are over before this one, and its own.
  turn: (view, ply, log) => m.kwatro_turn({ turn: turns(log.slice(0, ply), view.hands.length).length + 1 }),
  chance(before, after, move, names) {
    const card = chanceOf(move);
    const seat = drawer(before, after);
    if (seat === null) return { seat, text: m.kwatro_starts({ card: cardName(card) }) };
    const told = { name: names[seat] ?? '', card: theCard(card) };
    return { seat, text: before.field.length ? m.kwatro_draws(told) : m.kwatro_dealt(told) };
  },
  ChanceArt: DrawnCard,
};
