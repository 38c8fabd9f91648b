import * as m from '$messages';
import type { CaratView } from '$lib/api';
import type { GamePage } from '$lib/board';
import { list } from '$lib/format';
import Board from './Board.svelte';
import { COLOUR_NAMES, type Letter } from './cuts';
import { KEYS } from './keys';
import { review } from './review';
import Sign from './Sign.svelte';
import Trophy from './Trophy.svelte';
import { colourName, describe, entries, tell, advice, settlement } from './words';

const TILES = 36;

export default {
  Board,
  Sign,
  Trophy,
  layout: 'below',
  keys: KEYS,
  entries,
  describe,
  tell,
  advice,
  review,
  facts(view) {
    const chips = view.chips.filter((chip) => !chip.settled).length;
    return [
      { value: String(view.stock), label: m.carat_stock({ count: view.stock }) },
      { value: String(chips), label: m.carat_chips_left({ count: chips }) },
    ];
  },
  about: (view, seat) => list([...(view.colours[seat] ?? '')].map(colourName)),
  progress: (view) => m.carat_progress({ turn: Math.min(view.tiles.length + 1, TILES), turns: TILES }),
  summary(view) {
    const settled = view.chips.filter((chip) => chip.settled);
    const won = settled.filter((chip) => chip.winner);
    const best = [...won].sort((a, b) => b.prize - a.prize)[0];
    const counted = m.carat_counted({ count: won.length, tied: settled.length - won.length });
    return best ? `${counted} ${m.carat_best({ settlement: settlement(best) })}` : counted;
  },
  tint: (view, seat) => `var(--p-${COLOUR_NAMES[(view.colours[seat]?.[0] ?? 'R') as Letter]})`,
} satisfies GamePage<CaratView>;
