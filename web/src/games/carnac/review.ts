// Carnac looked back at. Nothing is left to chance.
import * as m from '$messages';
import type { CarnacView } from '$lib/api';
import type { ReviewWords } from '$lib/board';
import { isPlacement } from './squares';

export const review: ReviewWords<CarnacView> = {
  points: m.carnac_expected,
  turn: (_, ply, log) => m.carnac_stone_number({ stone: log.slice(0, ply + 1).filter(isPlacement).length }),
  chance: () => null,
};
