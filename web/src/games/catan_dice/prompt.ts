// What the strip says: what there is to do, or what is chosen and would come of it.
import * as m from '$messages';
import type { CatanDiceView } from '$lib/api';
import { capital } from '$lib/text';
import type { Die } from './dice';
import { ROLL, type Draft } from './draft';
import { faceName, facesInWords } from './faces';
import { pointsOf, type Face } from './island';
import { isBuild, isWild, jokers, type Joker } from './moves';
import { thing } from './words';

type Prompt = { title: string; detail?: string; points?: number | null };
type Situation = {
  view: CatanDiceView;
  names: string[];
  draft: Draft;
  /** The move that confirming would play. */
  move: string | null;
  isActive: boolean;
  isSent: boolean;
  turnable: Joker[];
  dice: readonly Die[];
};

/** What confirming does, on its button. */
export function actLabel(move: string | null): string {
  if (!move) return m.catan_choose_die();
  if (isBuild(move)) return m.catan_build({ thing: thing(move) });
  const [joker] = jokers([move]);
  if (joker) return m.catan_turn({ from: faceName(joker.from), to: faceName(joker.to) });
  return m.catan_trade_for({ face: faceName(move[6] as Face) });
}

export function promptOf({ view, names, draft, move, isActive, isSent, turnable, dice }: Situation): Prompt {
  const { act, knight, wish, kept } = draft;
  if (isSent) return { title: m.sent() };
  if (view.actor === null) return { title: m.catan_over() };
  if (!isActive) return { title: m.catan_turn_of({ name: names[view.actor] ?? '' }) };
  if (act === 'stop') return { title: m.catan_stop_ask() };
  if (act === 'end') return { title: m.catan_end_ask() };
  if (view.phase === 'choosing') {
    const faces = facesInWords(dice.flatMap(({ face }, i) => (face && kept.has(i) ? [face] : [])));
    const keeping = faces ? m.catan_keeping({ dice: faces }) : act === ROLL ? m.catan_keeping_none() : '';
    return { title: m.catan_keep_title(), detail: keeping };
  }
  if (move && isBuild(move)) return { title: capital(thing(move)), points: pointsOf(move) };
  if (move) return { title: capital(actLabel(move)) };
  if (knight !== null && isWild(knight) && !wish) return { title: m.catan_wish_title() };
  if (knight !== null) return { title: m.catan_joker_title({ face: faceName(turnable[0]?.to ?? 'any') }) };
  if (!view.gained) return { title: m.catan_act_title() };
  return { title: m.catan_act_title(), detail: m.catan_so_far(), points: view.gained };
}
