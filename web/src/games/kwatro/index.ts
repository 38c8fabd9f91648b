import './tokens.css';
import * as m from '$messages';
import type { KwatroView } from '$lib/api';
import type { GamePage } from '$lib/board';
import { seatTint } from '$lib/marks';
import Board from './Board.svelte';
import EntryArt from './EntryArt.svelte';
import { KEYS } from './keys';
import { review } from './review';
import Sign from './Sign.svelte';
import { tell } from './tell';
import Trophy from './Trophy.svelte';
import { advice, describe, entries, explained, heldBy } from './words';

export default {
  Board,
  Sign,
  Trophy,
  EntryArt,
  layout: 'below',
  keys: KEYS,
  tell,
  entries,
  describe,
  advice,
  review,
  facts: () => [], // the pile stands in the rack, with its count
  about: heldBy,
  progress: (view) => m.kwatro_progress({ pile: view.pile }),
  summary: (view) => (view.last_play ? m.kwatro_played_last({ play: explained(view.last_play) }) : ''),
  tint: (_, seat) => seatTint(seat),
} satisfies GamePage<KwatroView>;
