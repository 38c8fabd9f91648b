// The Catan dice game in sentences. Everything said is read off the view and the log.
import * as m from '$messages';
import type { CatanDiceView, Sheet } from '$lib/api';
import type { LogEntry } from '$lib/board';
import { list } from '$lib/format';
import { capital } from '$lib/text';
import { sorted } from './dice';
import { faceName, facesInWords } from './faces';
import { COSTS, kindOf, KINDS_IN_ORDER, missingRoad, nextOf, TURNS, type Face, type Look } from './island';
import { isBuild, jokers } from './moves';

export const CROSS = -2; // in a box

/** Whose sheet is the large one: one's own, or for watchers that of the seat whose turn it is. */
export const shownSeat = (view: CatanDiceView) => view.seat ?? Math.max(view.actor ?? 0, 0);

/** "road R4", "settlement 7". */
export function thing(id: string): string {
  const points = id.slice(1);
  const name = {
    road: m.catan_the_road,
    settlement: m.catan_the_settlement,
    city: m.catan_the_city,
    knight: m.catan_the_knight,
  };
  if (id === 'free') return m.catan_the_free_road();
  return name[kindOf(id)]({ name: kindOf(id) === 'road' ? id : points });
}

export type JokerState = 'none' | 'ready' | 'used';
export function jokerState(sheet: Sheet, knight: number): JokerState {
  if (sheet.jokers.includes(knight)) return 'ready';
  return sheet.knights.length >= knight ? 'used' : 'none';
}

const STATES: Record<Look | JokerState, () => string> = {
  built: m.catan_is_built,
  lit: m.catan_is_lit,
  next: m.catan_is_next,
  locked: m.catan_is_locked,
  none: m.catan_is_locked,
  ready: m.catan_is_ready,
  used: m.catan_is_used,
};
export const stateInWords = (state: Look | JokerState) => STATES[state]();

export const diceInWords = (dice: string) => facesInWords(dice) || m.catan_no_dice();

/** A move as advice. */
export function advice(_: CatanDiceView, move: string): string {
  if (isBuild(move)) return m.catan_advise_build({ thing: thing(move) });
  if (move.startsWith('trade')) return m.catan_advise_trade({ face: faceName(move[6] as Face) });
  const [joker] = jokers([move]);
  if (joker) return m.catan_advise_joker({ knight: joker.knight, from: faceName(joker.from), to: faceName(joker.to) });
  if (move === 'keep') return m.catan_advise_roll();
  if (move.startsWith('keep')) return m.catan_advise_keep({ dice: diceInWords(move.slice(5)) });
  return move === 'stop' ? m.catan_advise_stop() : m.catan_advise_end();
}

export type Turn = { ply: number; dice: string; acts: string[]; isOver: boolean };

/** The turns in the log; the last may still be going on. */
export function turns(log: string[]): Turn[] {
  const found: Turn[] = [];
  let kept = '';
  log.forEach((move, ply) => {
    if (found.at(-1)?.isOver !== false) {
      found.push({ ply, dice: '', acts: [], isOver: false });
      kept = '';
    }
    const turn = found.at(-1)!;
    turn.ply = ply;
    if (move.startsWith('keep')) kept = move.slice(5);
    else if (move.startsWith('*')) turn.dice = sorted([...kept, ...move.slice(1)] as Face[]);
    else if (move === 'end') turn.isOver = true;
    else if (move !== 'stop') turn.acts.push(move);
  });
  return found;
}

export const signed = (points: number) => (points < 0 ? `−${-points}` : `+${points}`);

/** "Road R0 and settlement 3"; nothing built is a cross. */
export const builtInTurn = (acts: string[]) =>
  capital(list(acts.filter(isBuild).map(thing))) || m.catan_nothing_built();

export function entries(view: CatanDiceView, log: string[]): LogEntry[] {
  const players = view.sheets.length;
  return turns(log).map(({ ply, dice, acts, isOver }, i) => {
    const seat = i % players;
    const points = isOver ? view.sheets[seat]!.boxes[Math.floor(i / players)] : undefined;
    const built = acts.filter(isBuild);
    return {
      ply,
      number: Math.floor(i / players) + 1,
      seat,
      text: built.length || isOver ? builtInTurn(acts) : m.catan_going_on(),
      move: built.join(' ') || (isOver ? '–' : '…'),
      why: [
        m.catan_rolls({ dice: diceInWords(dice) }),
        ...acts.filter((act) => !isBuild(act)).map((act) => `${capital(advice(view, act))}.`),
      ],
      gain: points === undefined ? '' : signed(points),
    };
  });
}

const sheetInWords = (view: CatanDiceView, seat: number, name: string) => {
  const sheet = view.sheets[seat]!;
  const built = [...sheet.roads, ...sheet.settlements, ...sheet.cities, ...sheet.knights];
  return m.catan_describe_player({
    name,
    count: view.scores[seat] ?? 0,
    built: built.map(thing).join(', ') || m.catan_nothing(),
    jokers: sheet.jokers.join(', ') || m.catan_none(),
  });
};

/** What the sheet offers next, with what it costs. */
const openInWords = (view: CatanDiceView, seat: number, name: string) => {
  const sheet = view.sheets[seat]!;
  const sites = KINDS_IN_ORDER.flatMap((kind) => nextOf(sheet, kind)).filter((id) => !missingRoad(sheet, id));
  const priced = sites.map((id) => m.catan_describe_site({ thing: thing(id), cost: facesInWords(COSTS[kindOf(id)]) }));
  return priced.length ? [m.catan_describe_open({ name, sites: list(priced) })] : [];
};

/** The position for the ear. */
export function describe(view: CatanDiceView, names: string[]): string[] {
  const own = shownSeat(view);
  return [
    m.catan_describe_turn({ turn: view.turn, turns: TURNS, dice: diceInWords(view.dice) }),
    ...(view.actor === null || view.actor < 0 ? [] : [`${m.catan_turn_of({ name: names[view.actor] ?? '' })}.`]),
    ...(view.rolls_left ? [m.catan_rolls_left({ count: view.rolls_left })] : []),
    ...(view.gained ? [m.catan_gained({ points: view.gained })] : []),
    ...openInWords(view, own, names[own] ?? ''),
    ...view.sheets.map((_, seat) => sheetInWords(view, seat, names[seat] ?? '')),
  ];
}

/** "Roads 12, settlements 3, cities 2, knights 6." */
export const builtInWords = (sheet: Sheet) =>
  m.catan_built_count({
    roads: sheet.roads.length,
    settlements: sheet.settlements.length,
    cities: sheet.cities.length,
    knights: sheet.knights.length,
  });
