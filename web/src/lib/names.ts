// Names of games, options, levels and clocks in the page's language.
import * as m from '$messages';
import type { Clock, SeatView } from './api';

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

const DAY = 86_400; // seconds

/** Whether nobody is expected to wait at the table. */
export const isOverDays = (clock: Clock | null) => clock?.kind === 'move' && clock.seconds >= DAY;

export function paceText(clock: Clock | null): string {
  if (!clock) return m.pace_none();
  if (clock.kind === 'live') return m.pace_minutes({ minutes: Math.round(clock.seconds / 60) });
  if (clock.seconds < DAY) return m.pace_move({ minutes: Math.round(clock.seconds / 60) });
  return m.pace_days({ count: Math.round(clock.seconds / DAY) });
}

const LEVELS: Record<string, () => string> = {
  novice: m.level_novice,
  casual: m.level_casual,
  skilled: m.level_skilled,
  expert: m.level_expert,
  master: m.level_master,
};
export const levelName = (level: string) => LEVELS[level]?.() ?? level;

/** Who sits there, or that nobody does. */
export function seatName(seat: SeatView): string {
  if (seat.kind === 'bot') return m.bot_name({ level: levelName(seat.level ?? '') });
  return seat.name ?? m.seat_open();
}
