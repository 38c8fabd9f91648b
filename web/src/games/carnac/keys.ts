import * as m from '$messages';
import { ARROWS, type Keys } from '../../choice/keys';

export const KEYS = {
  move: { keys: ARROWS, label: m.carnac_keys_arrows, cap: m.keys_arrow_keys, where: 'board' },
  leave: { keys: [' '], label: m.carnac_keys_leave, cap: m.keys_space_key, where: 'board' },
  pick: { keys: ['1', '2', '3', '4'], label: m.carnac_keys_pick, cap: () => '1–4', where: 'page' },
  top: { keys: ['t'], label: m.carnac_keys_top, where: 'page' },
  sides: { keys: ['f'], label: m.carnac_keys_sides, where: 'page' },
  next: { keys: ['r'], label: m.carnac_keys_next, where: 'page' },
  eye: { keys: ['v'], label: m.carnac_keys_eye, where: 'page' },
  confirm: { keys: ['Enter'], label: m.carnac_keys_confirm, cap: m.keys_enter_key, where: 'board' },
  cancel: { keys: ['Escape'], label: m.keys_escape, cap: m.keys_escape_key, where: 'page' },
} satisfies Keys;
