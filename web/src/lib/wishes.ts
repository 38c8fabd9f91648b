// Tables to ask for.
import type { CreateTable, GameInfo, SeatWish } from './api';
import { choicesOf } from './names';

/** A game against bots at once: the fewest seats, the middle level if no other is asked for, casual. */
export function botTable(game: GameInfo, level = middleLevel(game)): CreateTable {
  const seats = Math.max(2, game.seats[0] ?? 2);
  const bots = Array.from({ length: seats - 1 }, (): SeatWish => ({ kind: 'bot', level }));
  return { game: game.key, options: knownOptions(game, { players: seats }), seats: [{ kind: 'me' }, ...bots] };
}

export type Level = NonNullable<SeatWish['level']>;

export const middleLevel = ({ levels }: GameInfo) =>
  (levels[Math.floor((levels.length - 1) / 2)]?.level ?? 'casual') as Level;

/** Those of the options that the game has and that may be chosen as they are. */
export function knownOptions(game: GameInfo, options: Record<string, unknown>): Record<string, unknown> {
  const known = game.options.filter((option) =>
    choicesOf(game.key, option, options).some(({ value }) => value !== null),
  );
  const isChosen = ({ name }: { name: string }) => options[name] !== undefined && options[name] !== null;
  return Object.fromEntries(known.filter(isChosen).map(({ name }) => [name, options[name]]));
}
