import * as m from '$messages';
import { ARROWS, type Keys } from '../../choice/keys';

export const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export const KEYS = {
  move: { keys: ARROWS, label: m.plain_keys_move, cap: m.keys_arrow_keys, where: 'board' },
  choose: { keys: ['Enter', ' '], label: m.plain_keys_choose, cap: m.keys_enter_key, where: 'board' },
  cancel: { keys: ['Escape'], label: m.keys_escape, cap: m.keys_escape_key, where: 'board' },
} satisfies Keys;
