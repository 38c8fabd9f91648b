import * as m from '$messages';
import { ARROWS, type Keys } from '../../choice/keys';

export const KEYS = {
  hold: { keys: ['1', '2', '3', '4'], label: m.kwatro_keys_hold, cap: () => '1–4', where: 'page' },
  move: { keys: ARROWS, label: m.kwatro_keys_move, cap: m.keys_arrow_keys, where: 'board' },
  look: {
    keys: ARROWS.map((key) => `Shift+${key}`),
    label: m.kwatro_keys_look,
    cap: m.kwatro_keys_shift_arrows,
    where: 'board',
  },
  confirm: { keys: ['Enter'], label: m.kwatro_keys_confirm, cap: m.keys_enter_key, where: 'board' },
  back: { keys: ['Backspace'], label: m.kwatro_keys_back, cap: m.kwatro_keys_back_key, where: 'board' },
  pass: { keys: ['p'], label: m.kwatro_keys_pass, where: 'page' },
  cancel: { keys: ['Escape'], label: m.keys_escape, cap: m.keys_escape_key, where: 'page' },
  zoom: { keys: ['+', '=', '-', '0'], label: m.kwatro_keys_zoom, cap: () => '+ − 0', where: 'board' },
} satisfies Keys;
