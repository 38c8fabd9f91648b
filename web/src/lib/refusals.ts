// A refusal's code as a sentence of the catalogue; the server's own where it says more.
import * as m from '$messages';

const SENTENCES: Record<string, () => string> = {
  'bad-notation': m.error_bad_notation,
  'bad-option': m.error_bad_option,
  'game-over': m.error_game_over,
  'illegal-move': m.error_illegal_move,
  'not-your-turn': m.error_not_your_turn,
  'nothing-to-undo': m.error_nothing_to_undo,
  'stale-ply': m.error_stale_ply,
  'unknown-game': m.error_unknown_game,
  'unknown-seat': m.error_unknown_seat,
  offline: m.error_offline,
};

export function refusalText(code: string, sentence: string): string {
  const known = SENTENCES[code]?.();
  if (!known) return sentence || m.error_unknown();
  return sentence ? `${known} ${sentence}` : known;
}
