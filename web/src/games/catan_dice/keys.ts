import * as m from '$messages';
import { ARROWS, type Keys } from '../../choice/keys';

export const KEYS = {
  move: { keys: ARROWS, label: m.catan_keys_move, cap: m.keys_arrow_keys, where: 'board' },
  dice: { keys: ['1', '2', '3', '4', '5', '6'], label: m.catan_keys_dice, cap: () => '1–6', where: 'page' },
  roll: { keys: ['r'], label: m.catan_keys_roll, where: 'page' },
  stop: { keys: ['s'], label: m.catan_keys_stop, where: 'page' },
  end: { keys: ['e'], label: m.catan_keys_end, where: 'page' },
  confirm: { keys: ['Enter'], label: m.catan_keys_enter, cap: m.keys_enter_key, where: 'page' },
  cancel: { keys: ['Escape'], label: m.keys_escape, cap: m.keys_escape_key, where: 'page' },
} satisfies Keys;
