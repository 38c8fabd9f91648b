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

/** Those of the options that may be chosen as they are; the server has the rest by default. */
export function knownOptions(game: GameInfo, options: Record<string, unknown>): Record<string, unknown> {
  const isOffered = (option: GameInfo['options'][number]) => {
    const chosen = options[option.name] ?? null;
    const offers = choicesOf(game.key, option, options).map(({ value }) => JSON.stringify(value));
    return chosen !== null && offers.includes(JSON.stringify(chosen));
  };
  return Object.fromEntries(game.options.filter(isOffered).map(({ name }) => [name, options[name]]));
}
