import * as m from '$messages';
import type { About } from '$lib/names';

export default { title: m.catan_dice_title, size: m.catan_dice_players, about: m.catan_dice_about } satisfies About;
