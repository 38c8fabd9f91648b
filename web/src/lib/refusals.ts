// A refusal's code as a sentence of the catalogue; the server's own where it says more.
import * as m from '$messages';
import { Refused } from './api-client';

const SENTENCES: Record<string, () => string> = {
  'bad-link': m.error_bad_link,
  'bad-name': m.error_bad_name,
  'bad-notation': m.error_bad_notation,
  'bad-option': m.error_bad_option,
  busy: m.error_busy,
  'game-over': m.error_game_over,
  'illegal-move': m.error_illegal_move,
  muted: m.error_muted,
  'no-seat': m.error_no_seat,
  'not-invited': m.error_not_invited,
  'not-your-turn': m.error_not_your_turn,
  'nothing-to-undo': m.error_nothing_to_undo,
  offline: m.error_offline,
  preparing: m.error_preparing,
  'seat-taken': m.error_seat_taken,
  'stale-ply': m.error_stale_ply,
  started: m.error_started,
  'store-unavailable': m.error_busy,
  'time-out': m.error_time_out,
  'too-many': m.error_too_many,
  'unknown-game': m.error_unknown_game,
  'unknown-player': m.error_unknown_player,
  'unknown-seat': m.error_unknown_seat,
  'wrong-rules': m.error_wrong_rules,
};

export function refusalText(code: string, sentence: string): string {
  const known = SENTENCES[code]?.();
  if (!known) return sentence || m.error_unknown();
  return sentence && sentence !== known ? `${known} ${sentence}` : known;
}

/** Whatever was thrown, as a sentence. */
export const errorText = (error: unknown) =>
  error instanceof Refused ? refusalText(error.code, error.message) : m.error_unknown();
