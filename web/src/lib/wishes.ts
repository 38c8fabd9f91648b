// Tables to ask for.
import type { CreateTable, GameInfo, SeatWish } from './api';

/** A game against bots at once: the fewest seats, the middle level if no other is asked for, casual. */
export function botTable(game: GameInfo, level = middleLevel(game)): CreateTable {
  const seats = Math.max(2, game.seats[0] ?? 2);
  const bots = Array.from({ length: seats - 1 }, (): SeatWish => ({ kind: 'bot', level }));
  return { game: game.key, options: knownOptions(game, { players: seats }), seats: [{ kind: 'me' }, ...bots] };
}

export const middleLevel = ({ levels }: GameInfo) =>
  (levels[Math.floor((levels.length - 1) / 2)]?.level ?? 'casual') as NonNullable<SeatWish['level']>;

/** Those of the options that the game has and that can be chosen from a list. */
export function knownOptions(game: GameInfo, options: Record<string, unknown>): Record<string, unknown> {
  const known = new Set(game.options.flatMap((option) => (option.choices.length ? [option.name] : [])));
  return Object.fromEntries(Object.entries(options).filter(([name]) => known.has(name)));
}
