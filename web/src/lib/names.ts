// Names of games, options, levels and clocks in the page's language.
import * as m from '$messages';
import type { BotLevel, Clock, SeatView } from './api';
import { DAY, duration } from './format';

type GameText = { title: string; size: string; about: string };

const GAMES: Record<string, () => GameText> = {
  carat: () => ({ title: m.carat_title(), size: m.carat_players(), about: m.carat_about() }),
  carnac: () => ({ title: m.carnac_title(), size: m.carnac_players(), about: m.carnac_about() }),
  catan_dice: () => ({ title: m.catan_dice_title(), size: m.catan_dice_players(), about: m.catan_dice_about() }),
  kwatro: () => ({ title: m.kwatro_title(), size: m.kwatro_players(), about: m.kwatro_about() }),
};
/** In the page's words, or for a game it does not know in the server's. */
export const gameText = (key: string, told?: { title: string; summary: string }): GameText =>
  GAMES[key]?.() ?? { title: told?.title ?? key, size: '', about: told?.summary ?? '' };

/** Of the games that the page knows, by key. */
export const gameTitles = () => Object.fromEntries(Object.entries(GAMES).map(([key, text]) => [key, text().title]));

const OPTIONS: Record<string, () => string> = {
  players: m.option_players,
  hand: m.option_hand,
  board: m.option_board,
  final_tilt: m.option_final_tilt,
  same_turn_joker: m.option_same_turn_joker,
};
export const optionName = (name: string) => OPTIONS[name]?.() ?? name;

const CHOICES: Record<string, () => string> = {
  small: m.board_small,
  medium: m.board_medium,
  large: m.board_large,
  true: m.yes,
  false: m.no,
};
export const choiceName = (choice: unknown) => CHOICES[String(choice)]?.() ?? String(choice);

/** What is special about a table, shortly. */
export function optionsText(options: Record<string, unknown>): string {
  const parts: string[] = [];
  if (typeof options['board'] === 'string') parts.push(m.option_board_is({ board: choiceName(options['board']) }));
  if (options['hand'] === 3) parts.push(m.option_hand_is({ count: 3 }));
  return parts.join(' · ');
}

/** Whether nobody is expected to wait at the table. */
export const isOverDays = (clock: Clock | null) => clock?.kind === 'move' && clock.seconds >= DAY;

export function paceText(clock: Clock | null): string {
  if (!clock) return m.pace_none();
  const time = duration(clock.seconds);
  return clock.kind === 'live' ? m.pace_each({ time }) : m.pace_move({ time });
}

const LEVELS: Record<string, () => string> = {
  novice: m.level_novice,
  casual: m.level_casual,
  skilled: m.level_skilled,
  expert: m.level_expert,
  master: m.level_master,
};
export const levelName = (level: string) => LEVELS[level]?.() ?? level;

const PLAYING: Record<string, () => string> = {
  novice: m.level_novice_plays,
  casual: m.level_casual_plays,
  skilled: m.level_skilled_plays,
  expert: m.level_expert_plays,
  master: m.level_master_plays,
};
const RECALLING: Record<string, () => string> = {
  skilled: m.level_skilled_recalls,
  expert: m.level_expert_recalls,
  master: m.level_master_recalls,
};
/** How a level plays. */
export const levelText = ({ level, sentence, solved }: BotLevel) =>
  (solved ? RECALLING : PLAYING)[level]?.() ?? sentence;

/** A person's name; who has none is given a number by the server. */
export function personName(name: string): string {
  const number = /^Guest (\d{4})$/.exec(name)?.[1];
  return number ? m.guest({ number }) : name;
}

/** Who sits there, or that nobody does. */
export function seatName(seat: SeatView): string {
  if (seat.kind === 'bot') return m.bot_name({ level: levelName(seat.level ?? '') });
  return seat.name === null ? m.seat_open() : personName(seat.name);
}

/** Everybody's names at a table; who would be called the same is numbered. */
export function seatNames(seats: SeatView[]): string[] {
  const names = seats.map(seatName);
  return names.map((name, seat) => {
    const isShared = seats[seat]!.kind !== 'open' && names.filter((other) => other === name).length > 1;
    return isShared ? `${name} ${names.slice(0, seat + 1).filter((other) => other === name).length}` : name;
  });
}
