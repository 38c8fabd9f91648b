// Any game without a folder of its own: its picture, names and words come from the server.
import * as m from '$messages';
import type { View } from '$lib/api';
import type { GamePage } from '$lib/board';
import { seatTint } from '$lib/marks';
import { capital } from '$lib/text';
import Board from './Board.svelte';
import { drawing } from './drawing.svelte';
import { KEYS } from './keys';
import Sign from './Sign.svelte';
import { advice, describe, entries, review, tell } from './words';

export default {
  Board,
  Sign,
  Trophy: Sign,
  layout: 'below',
  keys: KEYS,
  tell,
  entries,
  describe,
  advice,
  review,
  facts: () => [],
  about: (_, seat) => capital(drawing.picture?.sides[seat]?.name ?? '') || m.plain_seat({ seat: seat + 1 }),
  progress: (view) => m.plain_ply({ ply: view.ply + 1 }),
  summary: (view) => m.plain_scores({ scores: view.scores.join(' – ') }),
  tint: (_, seat) => drawing.picture?.sides[seat]?.fill ?? seatTint(seat),
} satisfies GamePage<View>;
