// Who sits at the boards of an introduction: the learner and a novice.
import * as m from '$messages';
import type { SeatView } from '$lib/api';
import { seatName } from '$lib/names';

const nobody = { level: null, player: null, stand_in: false, resigned: false, left: null, invite: null };

export const seats = (): SeatView[] => [
  { ...nobody, kind: 'person', name: m.new_you(), connected: true },
  { ...nobody, kind: 'bot', name: null, level: 'novice', connected: true },
];

export const names = () => seats().map(seatName);
