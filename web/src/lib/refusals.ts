// A refusal's code as a sentence of the catalogue. The server's own sentences are English: they
// are shown to who reads English, where they say more.
import * as m from '$messages';
import { baseLocale, getLocale } from '../generated/paraglide/runtime.js';
import { Refused } from './api-client';
import { moment } from './format';

const SENTENCES: Record<string, () => string> = {
  'bad-endpoint': m.error_bad_endpoint,
  'bad-host': m.error_bad_request,
  'bad-link': m.error_bad_link,
  'bad-method': m.error_bad_request,
  'bad-name': m.error_bad_name,
  'bad-notation': m.error_bad_notation,
  'bad-option': m.error_bad_option,
  'bad-origin': m.error_bad_request,
  'bad-record': m.error_bad_record,
  'bad-request': m.error_bad_request,
  'bad-token': m.error_no_identity,
  'bad-type': m.error_bad_request,
  banned: m.error_banned,
  blocked: m.error_blocked,
  busy: m.error_busy,
  failed: m.error_unknown,
  'damaged-entry': m.error_damaged_entry,
  enough: m.error_enough,
  'game-over': m.error_game_over,
  'id-used': m.error_bad_request,
  'illegal-move': m.error_illegal_move,
  muted: m.error_muted,
  'no-draw': m.error_no_draw,
  'no-hints': m.error_no_hints,
  'no-identity': m.error_no_identity,
  'no-offer': m.error_no_offer,
  'no-parts': m.error_no_parts,
  'no-picture': m.error_no_picture,
  'no-preview': m.error_no_preview,
  'no-reviews': m.error_no_reviews,
  'no-seat': m.error_no_seat,
  'no-stand-in': m.error_no_stand_in,
  'no-takeback': m.error_no_takeback,
  'not-away': m.error_not_away,
  'not-invited': m.error_not_invited,
  'not-judged': m.error_not_judged,
  'not-over': m.error_not_over,
  'not-ratable': m.error_not_ratable,
  'not-seated': m.error_not_seated,
  'not-started': m.error_not_started,
  'not-your-turn': m.error_not_your_turn,
  'not-yours': m.error_not_yours,
  'nothing-to-undo': m.error_nothing_to_undo,
  'offer-open': m.error_offer_open,
  offline: m.error_offline,
  'part-given': m.error_part_given,
  preparing: m.error_preparing,
  revoked: m.error_revoked,
  'seat-taken': m.error_seat_taken,
  seated: m.error_seated,
  'stale-ply': m.error_stale_ply,
  'stand-in': m.error_stand_in,
  started: m.error_started,
  'store-failed': m.error_busy,
  'store-unavailable': m.error_busy,
  'time-out': m.error_time_out,
  'too-large': m.error_bad_request,
  'too-many': m.error_too_many,
  'too-many-tables': m.error_too_many_tables,
  'too-many-tokens': m.error_too_many_tokens,
  'unknown-device': m.error_unknown_device,
  'unknown-entry': m.error_unknown_entry,
  'unknown-game': m.error_unknown_game,
  'unknown-line': m.error_unknown_line,
  'unknown-page': m.missing_title,
  'unknown-player': m.error_unknown_player,
  'unknown-ply': m.error_unknown_ply,
  'unknown-seat': m.error_unknown_seat,
  'unknown-table': m.error_unknown_table,
  'unknown-token': m.error_unknown_token,
  'worker-lost': m.error_busy,
  'wrong-rules': m.error_wrong_rules,
};

/** Codes of which the page's own sentence says all there is to say. */
const WHOLE = ['revoked', 'unknown-entry'];

export function refusalText(code: string, sentence: string): string {
  const known = SENTENCES[code]?.();
  if (getLocale() !== baseLocale || !sentence || WHOLE.includes(code)) return known ?? m.error_unknown();
  return known && known !== sentence ? `${known} ${sentence}` : sentence;
}

/** Whatever was thrown, as a sentence. */
export const errorText = (error: unknown) => {
  if (!(error instanceof Refused)) return m.error_unknown();
  return error.code === 'banned' ? bannedText(error) : refusalText(error.code, error.message);
};

/** Until when one is kept out, and why. */
function bannedText({ reason }: Refused): string {
  const { until, why } = reason ?? {};
  const told = typeof until === 'number' ? m.error_banned_until({ when: moment(until) }) : m.error_banned_for_good();
  return typeof why === 'string' && why ? `${told} ${m.error_banned_why({ why })}` : told;
}
