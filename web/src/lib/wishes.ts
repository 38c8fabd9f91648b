// Tables to ask for.
import type { GameInfo, NewTable, SeatWish } from './server';

/** A game against bots at once: the fewest seats, the middle level, casual. */
export function botTable(game: GameInfo): NewTable {
  const level = game.levels[Math.floor((game.levels.length - 1) / 2)]?.key ?? 'casual';
  const seats = Math.max(2, game.seats[0] ?? 2);
  return newTable(game, { players: seats }, [{ kind: 'me' }, ...bots(seats - 1, level)]);
}

export function newTable(game: GameInfo, options: Record<string, unknown>, seats: SeatWish[]): NewTable {
  const known = new Set(game.options.map((option) => option.name));
  return {
    game: game.key,
    options: Object.fromEntries(Object.entries(options).filter(([name]) => known.has(name))),
    seats,
    public: false,
    clock: { kind: 'none' },
    takeback: true,
    hints: true,
    rated: false,
    order: 'lot',
  };
}

const bots = (count: number, level: string): SeatWish[] =>
  Array.from({ length: count }, () => ({ kind: 'bot', level }));
