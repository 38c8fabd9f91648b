import * as m from '$messages';
import type { CarnacView } from '$lib/api';
import type { GamePage } from '$lib/board';
import Board from './Board.svelte';
import { KEYS } from './keys';
import { describe, dolmensInWords, summary } from './position';
import { review } from './review';
import Sign from './Sign.svelte';
import Trophy from './Trophy.svelte';
import { advice, entries, tell } from './words';

const STONES = 28;

export default {
  Board,
  Sign,
  Trophy,
  layout: 'below',
  isWide: true,
  keys: KEYS,
  tell,
  entries,
  describe,
  advice,
  review,
  facts: (view) => [
    { value: String(view.stock), label: m.carnac_stock({ count: view.stock }) },
    { value: `${view.columns} × ${view.rows}`, label: m.carnac_size() },
  ],
  amount: (count) => m.carnac_amount({ count }),
  about: (_, seat) => (seat === 0 ? m.carnac_red() : m.carnac_white()),
  detail: dolmensInWords,
  progress: (view) =>
    m.carnac_progress({ stone: Math.min(STONES - view.stock + (view.tilting ? 0 : 1), STONES), stones: STONES }),
  summary,
  tint: (_, seat) => (seat === 0 ? 'var(--stone-red)' : 'var(--stone-white)'),
} satisfies GamePage<CarnacView>;
