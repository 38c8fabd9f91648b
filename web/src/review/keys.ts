// The keys of a review, the same in every game.
import * as m from '$messages';
import type { Keys } from '../choice/keys';

export const REVIEW_KEYS = {
  back: { keys: ['ArrowLeft'], label: m.review_back, cap: () => '←', where: 'page' },
  forward: { keys: ['ArrowRight'], label: m.review_forward, cap: () => '→', where: 'page' },
  first: { keys: ['Home'], label: m.review_first, cap: m.review_home_key, where: 'page' },
  last: { keys: ['End'], label: m.review_last, cap: m.review_end_key, where: 'page' },
  next: { keys: ['n'], label: m.review_next_mistake, where: 'page' },
  previous: { keys: ['p'], label: m.review_previous_mistake, where: 'page' },
  play: { keys: [' '], label: m.review_key_play, cap: m.keys_space_key, where: 'board' },
  hands: { keys: ['h'], label: m.review_key_hands, where: 'page' },
} satisfies Keys;
