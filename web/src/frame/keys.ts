// The keys of the frame itself, the same in every game.
import * as m from '$messages';
import type { Keys } from '../choice/keys';

export const FRAME_KEYS = {
  skip: { keys: [' '], label: m.keys_skip, cap: m.keys_space_key, where: 'board' },
} satisfies Keys;
