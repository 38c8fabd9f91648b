import './tokens.css';
import * as m from '$messages';
import type { CatanDiceView } from '$lib/api';
import type { GamePage } from '$lib/board';
import { seatTint } from '$lib/marks';
import Board from './Board.svelte';
import { TURNS } from './island';
import { KEYS } from './keys';
import { review } from './review';
import SeatArt from './SeatArt.svelte';
import Sign from './Sign.svelte';
import { tell } from './telling';
import Trophy from './Trophy.svelte';
import { advice, builtInWords, describe, entries } from './words';

export default {
  Board,
  Sign,
  Trophy,
  SeatArt,
  layout: 'beside',
  keys: KEYS,
  entries,
  describe,
  tell,
  advice,
  review,
  facts: () => [],
  about: (view, seat) => m.catan_jokers_left({ count: view.sheets[seat]?.jokers.length ?? 0 }),
  progress: (view) => m.catan_progress({ turn: view.turn, turns: TURNS }),
  summary: (view) => {
    const sheet = view.sheets[view.winners[0] ?? 0];
    return sheet ? builtInWords(sheet) : '';
  },
  tint: (_, seat) => seatTint(seat),
} satisfies GamePage<CatanDiceView>;
