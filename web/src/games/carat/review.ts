// Carat looked back at: what a turn is called, and what chance brought.
import * as m from '$messages';
import type { CaratView } from '$lib/api';
import type { ReviewWords } from '$lib/board';
import { drawer } from '../../frame/hands';
import { chanceOf } from '../../moments/telling';
import DrawnTile from './DrawnTile.svelte';

const isPlacement = (move: string) => move.includes('=');

export const review: ReviewWords<CaratView> = {
  points: m.carat_expected,
  turn: (_, ply, log) => m.carat_turn({ turn: log.slice(0, ply + 1).filter(isPlacement).length }),
  chance(before, after, move, names) {
    const drawn = chanceOf(move);
    if (drawn.startsWith('chips')) return { seat: null, text: m.carat_lays_out() };
    const seat = drawer(before, after);
    if (seat === null) return null;
    const name = names[seat] ?? '';
    return { seat, text: drawn === '?' ? m.carat_draws_hidden({ name }) : m.carat_draws({ name, value: drawn[0]! }) };
  },
  ChanceArt: DrawnTile,
};
