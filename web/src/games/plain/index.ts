// A game without a board of its own: played by notation, the position read out.
import './plain.css';
import * as m from '$messages';
import type { View } from '$lib/api';
import type { GamePage } from '$lib/board';
import Board from './Board.svelte';
import Sign from './Sign.svelte';
import { describe, entries } from './words';

export default {
  Board,
  Sign,
  Trophy: Sign,
  isWide: false,
  entries,
  describe,
  lastMove: (_, log) => log.at(-1) ?? '',
  facts: () => [],
  about: (_, seat) => m.plain_seat({ seat: seat + 1 }),
  progress: (view) => m.plain_ply({ ply: view.ply }),
  summary: (view) => m.plain_scores({ scores: view.scores.join(' – ') }),
  tint: () => 'var(--ink-3)',
} satisfies GamePage<View>;
