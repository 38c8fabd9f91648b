// Which sounds a change at a table makes. Pure: what was known, what is known now.
import type { TableSource } from './live.svelte';

export type Sound = 'own' | 'other' | 'dice' | 'points' | 'turn' | 'won' | 'over' | 'refused';
export type Moment = Pick<TableSource, 'table' | 'log' | 'sent' | 'refusal'>;

const WITH_DICE = new Set(['catan_dice']); // elsewhere chance draws tiles and cards, silently
const isChance = (move: string) => move.startsWith('*');

/** The sounds in the order in which they are heard; none for what was there when one came. */
export function heard(before: Moment, after: Moment): Sound[] {
  if (!before.table || !after.table) return [];
  if (after.refusal && after.refusal !== before.refusal) return ['refused'];
  const sounds = moved(before, after);
  if (hasGained(before, after)) sounds.push('points');
  if (after.table.state === 'over') return before.table.state === 'over' ? sounds : [...sounds, ending(after)];
  return isMyTurn(after) && !isMyTurn(before) ? [...sounds, 'turn'] : sounds;
}

const isMyTurn = ({ table }: Moment) => table!.may.includes('play');
const ending = ({ table }: Moment) =>
  table!.mine.some((seat) => table!.result?.winners.includes(seat)) ? 'won' : 'over';

/** One's own piece is heard when it is laid, not again when the server has it. */
function moved(before: Moment, after: Moment): Sound[] {
  const sounds: Sound[] = after.sent && !before.sent ? ['own'] : [];
  const added = after.log.slice(before.log.length);
  const moves = added.filter((move) => !isChance(move)).length;
  const isMine = before.table!.mine.includes(before.table!.match?.view.actor ?? -1);
  if (moves && isMine && !before.sent) sounds.push('own');
  if (moves > (isMine ? 1 : 0)) sounds.push('other');
  return added.some(isChance) && WITH_DICE.has(after.table!.game) ? ['dice'] : sounds;
}

function hasGained(before: Moment, after: Moment): boolean {
  const [then, now] = [before.table!.match?.view, after.table!.match?.view];
  return !!then && !!now && now.ply > then.ply && now.scores.some((score, seat) => score > then.scores[seat]!);
}
