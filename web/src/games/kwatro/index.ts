import './kwatro.css';
import * as m from '$messages';
import type { KwatroView } from '$lib/api';
import type { GamePage } from '$lib/board';
import { seatTint } from '$lib/marks';
import Board from './Board.svelte';
import Explain from './Explain.svelte';
import Sign from './Sign.svelte';
import Trophy from './Trophy.svelte';
import { describe, entries, explained, lastMove } from './words';

const cardsOf = (hand: string[] | number | undefined) => (Array.isArray(hand) ? hand.length : (hand ?? 0));

export default {
  Board,
  Sign,
  Trophy,
  Explain,
  isWide: true,
  entries,
  describe,
  lastMove,
  facts: (view) => [
    { value: String(view.pile), label: m.kwatro_pile({ count: view.pile }) },
    { value: String(view.field.length), label: m.kwatro_on_field({ count: view.field.length }) },
  ],
  about: (view, seat) => m.kwatro_cards({ count: cardsOf(view.hands[seat]) }),
  progress: (view) => m.kwatro_progress({ pile: view.pile }),
  summary: (view) => (view.last_play ? m.kwatro_played_last({ play: explained(view.last_play) }) : ''),
  tint: (_, seat) => seatTint(seat),
} satisfies GamePage<KwatroView>;
