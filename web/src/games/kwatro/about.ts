import * as m from '$messages';
import type { About } from '$lib/names';

export default { title: m.kwatro_title, size: m.kwatro_players, about: m.kwatro_about } satisfies About;
