// Names of games, options, levels and clocks in the page's language.
import * as m from '$messages';
import type { BotLevel, Clock, GameOption, SeatView } from './api';
import { DAY, duration } from './format';

/** What a game's folder says of it before its board is loaded. */
export type About = {
  title: () => string;
  /** How many play, and how long. */
  size: () => string;
  about: () => string;
  /** What may be chosen of an option for which the server lists nothing. */
  choices?: Record<string, (options: Record<string, unknown>) => Choice[]>;
};
export type Choice = { value: unknown; label: string };
type GameText = { title: string; size: string; about: string };

const found = import.meta.glob<About>('../games/*/about.ts', { import: 'default', eager: true });
const GAMES: Record<string, About> = Object.fromEntries(
  Object.entries(found).map(([path, about]) => [path.split('/').at(-2)!, about]),
);

/** In the page's words, or for a game it does not know in the server's. */
export function gameText(key: string, told?: { title: string; summary: string }): GameText {
  const known = GAMES[key];
  if (known) return { title: known.title(), size: known.size(), about: known.about() };
  return { title: told?.title || key, size: '', about: told?.summary ?? '' };
}

/** A table's game in the page's words, or for one it does not know in the server's. */
export const titleOf = ({ game, title }: { game: string; title: string }) =>
  gameText(game, { title, summary: '' }).title;

/** Of the games that the page knows, by key. */
export const gameTitles = () => Object.fromEntries(Object.entries(GAMES).map(([key, text]) => [key, text.title()]));

/** What may be chosen of an option, given the others. */
export function choicesOf(game: string, option: GameOption, options: Record<string, unknown>): Choice[] {
  const listed = option.choices.map((choice) => ({ value: choice, label: choiceName(choice) }));
  return listed.length ? listed : (GAMES[game]?.choices?.[option.name]?.(options) ?? []);
}

const OPTIONS: Record<string, () => string> = {
  players: m.option_players,
  hand: m.option_hand,
  board: m.option_board,
  colours: m.option_colours,
  final_tilt: m.option_final_tilt,
  same_turn_joker: m.option_same_turn_joker,
};
/** In the page's words, or in the server's. */
export const optionName = ({ name, summary }: GameOption) => OPTIONS[name]?.() ?? (summary || name);

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
  if (Array.isArray(options['colours']) && String(options['colours'][0]).length === 2)
    parts.push(m.option_colours_are());
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

const GONE = 'Deleted player'; // what the server calls who wished to be forgotten

/** A person's name; who has none is given a number by the server. */
export function personName(name: string): string {
  if (name === GONE) return m.people_gone();
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
