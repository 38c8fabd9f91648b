import * as m from '$messages';
import type { About } from '$lib/names';

export default { title: m.carnac_title, size: m.carnac_players, about: m.carnac_about } satisfies About;
