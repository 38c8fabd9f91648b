// Names of games, options, levels and clocks in the page's language.
import * as m from '$messages';
import type { Pace } from './server';

type GameText = { title: string; size: string; about: string };

const GAMES: Record<string, () => GameText> = {
  carat: () => ({ title: m.carat_title(), size: m.carat_players(), about: m.carat_about() }),
  carnac: () => ({ title: m.carnac_title(), size: m.carnac_players(), about: m.carnac_about() }),
  catan_dice: () => ({ title: m.catan_dice_title(), size: m.catan_dice_players(), about: m.catan_dice_about() }),
  kwatro: () => ({ title: m.kwatro_title(), size: m.kwatro_players(), about: m.kwatro_about() }),
};
export const gameText = (key: string): GameText => GAMES[key]?.() ?? { title: key, size: '', about: '' };

const OPTIONS: Record<string, () => string> = {
  players: m.option_players,
  hand: m.option_hand,
  board: m.option_board,
  final_tilt: m.option_final_tilt,
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

export function paceText(pace: Pace | null): string {
  if (!pace || pace.kind === 'none') return m.pace_none();
  if (pace.kind === 'days') return m.pace_days({ count: pace.days ?? 1 });
  return m.pace_minutes({ minutes: pace.minutes ?? 10 });
}

const LEVELS: Record<string, () => string> = {
  novice: m.level_novice,
  casual: m.level_casual,
  skilled: m.level_skilled,
  expert: m.level_expert,
  master: m.level_master,
};
export const levelName = (level: string) => LEVELS[level]?.() ?? level;
