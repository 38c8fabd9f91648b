import * as m from '$messages';
import { ARROWS, type Keys } from '../../choice/keys';

export const KEYS = {
  move: { keys: ARROWS, label: m.keys_arrows, cap: m.keys_arrow_keys, where: 'board' },
  turn: { keys: ['r'], label: m.keys_rotate, where: 'page' },
  hold: { keys: ['1', '2', '3'], label: m.keys_numbers, cap: () => '1–3', where: 'page' },
  confirm: { keys: ['Enter'], label: m.keys_enter, cap: m.keys_enter_key, where: 'board' },
  cancel: { keys: ['Escape'], label: m.keys_escape, cap: m.keys_escape_key, where: 'page' },
} satisfies Keys;
