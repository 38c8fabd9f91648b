// What home asks of a table in its lists.
import type { SeatView, TableSummary } from '$lib/api';

export const isTaken = ({ kind }: SeatView) => kind === 'person' || kind === 'bot';

export const isMyTurn = ({ actor, seats }: TableSummary, me: string) => actor !== null && seats[actor]?.player === me;

/** Whether nobody else would miss it. */
export const mayDrop = ({ seats, rated, state }: TableSummary, me: string) =>
  state !== 'over' && !rated && seats.every(({ kind, player }) => kind !== 'person' || player === me);
