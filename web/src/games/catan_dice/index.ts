import './catan_dice.css';
import * as m from '$messages';
import type { CatanDiceView } from '$lib/api';
import type { GamePage } from '$lib/board';
import { seatTint } from '$lib/marks';
import Board from './Board.svelte';
import Explain from './Explain.svelte';
import { TURNS } from './island';
import Sign from './Sign.svelte';
import Trophy from './Trophy.svelte';
import { advice, builtInWords, describe, entries, lastMove } from './words';

export default {
  Board,
  Sign,
  Trophy,
  Explain,
  isWide: true,
  entries,
  describe,
  lastMove,
  advice,
  facts: (view) => [
    { value: String(view.rolls_left), label: m.catan_rolls_left_label({ count: view.rolls_left }) },
    { value: `+${view.gained}`, label: m.catan_gained_label() },
  ],
  about: (view, seat) => m.catan_jokers_left({ count: view.sheets[seat]?.jokers.length ?? 0 }),
  progress: (view) => m.catan_progress({ turn: view.turn, turns: TURNS }),
  summary: (view) => {
    const sheet = view.sheets[view.winners[0] ?? 0];
    return sheet ? builtInWords(sheet) : '';
  },
  tint: (_, seat) => seatTint(seat),
} satisfies GamePage<CatanDiceView>;
