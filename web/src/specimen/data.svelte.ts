// Real positions, and around them what a server would say of tables and games.
import type {
  Best,
  GameInfo,
  History,
  Lobby,
  Past,
  Profile,
  CoachView,
  SeatView,
  TableMessage,
  TableSummary,
  View,
} from '$lib/api';
import type { Marks } from '$lib/board';
import type { Live } from '../sources/live.svelte';
import type { Arrival, Scene } from '../sources/source';
import matches from './matches.json';

export type Position = { view: View; legal: string[]; log: string[]; previews?: Record<string, unknown> };
/** A decision as a review shows it. */
export type Decision = Position & { marks: Marks | null; hands: View[] | null };
type Name = keyof typeof matches;

export const names = Object.keys(matches) as Name[];
export const position = (name: string) => matches[name as Name] as unknown as Position;
export const decision = (name: string) => matches[name as Name] as unknown as Decision;
export const run = (name: string) => matches[name as Name] as unknown as Position[];

const NAMES = ['Marta', 'Elin', 'Bo', 'Jonas'];
const LEFT = [192, 510, 245, 108];
export const ME = 'player-me';

const seatOf = (changes: Partial<SeatView>): SeatView => ({
  kind: 'person',
  name: null,
  player: null,
  level: null,
  connected: false,
  stand_in: false,
  resigned: false,
  left: null,
  invite: null,
  ...changes,
});
const person = (name: string, changes: Partial<SeatView> = {}) =>
  seatOf({ name, player: `player-${name}`, connected: true, ...changes });
const bot = (level = 'skilled') => seatOf({ kind: 'bot', level, player: `bot:${level}` });
const open = () => seatOf({ kind: 'open' });

export function tableOf({ view, legal, log }: Position, changes: Partial<TableMessage> = {}): TableMessage {
  const own = view.seat ?? 2;
  const isBot = (seat: number) => seat === (own + 3) % view.scores.length && seat !== own;
  const seats = view.scores.map((_, i) => {
    if (isBot(i)) return { ...bot(), left: LEFT[i]! };
    if (i === own && view.seat !== null) return person('Ines', { player: ME, left: LEFT[i]! });
    return person(NAMES[i]!, { connected: i !== 3, left: LEFT[i]! });
  });
  const isOver = view.actor === null;
  const now = Date.now() / 1000;
  const places = view.scores.map((score) => view.scores.filter((other) => other > score).length);
  return {
    type: 'table',
    id: 'specimen',
    version: view.ply,
    now,
    game: view.game,
    options: view.options,
    rules: 1,
    state: isOver ? 'over' : 'running',
    created: now,
    creator: ME,
    listed: false,
    rated: false,
    takeback: true,
    hints: true,
    order: 'lot',
    clock: { kind: 'live', seconds: 600, increment: 0 },
    commitment: '',
    seats,
    mine: view.seat === null ? [] : [view.seat],
    may: mayOf(view, legal),
    watchers: view.scores.length + 2,
    offer: null,
    chat_since: 0,
    chat: [{ number: 1, at: now, player: 'player-Jonas', name: 'Jonas', text: 'nice one' }],
    muted: [],
    match: { view, hidden: 'hands' in view, legal, since: 0, log, turn_since: now, deadline: null, steps: [] },
    result: isOver ? { scores: view.scores, winners: view.winners, reason: 'played', places, outcomes: [] } : null,
    preparing: null,
    trouble: null,
    rematch: null,
    origin: null,
    imported: false,
    declined: null,
    invite: null,
    host: 'Ines',
    title: view.game,
    ...changes,
  };
}

function mayOf(view: View, legal: string[]): string[] {
  const solve = view.game === 'catan_dice' && view.scores.length === 1 ? ['solve'] : [];
  if (view.seat === null) return ['chat'];
  if (view.actor === null) return ['chat', 'rematch', ...solve];
  return [...solve, 'chat', ...(legal.length ? ['play', 'hint'] : []), 'takeback', 'resign'];
}

/** The start of a match that somebody is still missing at. */
export const waitingTable = (): TableMessage => ({
  ...tableOf(position('carnac-start'), { state: 'open', match: null, may: ['chat', 'mute', 'leave', 'start'] }),
  seats: [person('Ines', { player: ME }), seatOf({ kind: 'invite' })],
  invite: 'secret',
  mine: [0],
  clock: null,
});

/** Four at one device. */
export const sharedTable = (): TableMessage => tableOf(position('carat-start'), { mine: [0, 1, 2, 3] });

/** As if every third choice had cost something. */
const coachOf = (log: string[]): CoachView => ({
  solved: true,
  ply: log.length,
  decisions: log.flatMap((move, ply) =>
    move.startsWith('*') ? [] : [{ ply, best: 'keep gg', loss: ply % 3 ? 0 : 0.7 }],
  ),
});
const bestOf = (score: number, i: number): Best => ({ table: i === 2 ? 'specimen' : `t${i}`, at: 0, score });

/** A table that nobody answers: what is sent stays on its way. */
export class StillTable implements Live {
  table: TableMessage = $state.raw()!;
  link = 'open' as const;
  failed = null;
  hints = [];
  hint = null;
  advise = () => {};
  isHinting = false;
  isWilling = false;
  ahead = 0;
  sent: string | null = $state(null);
  arrive: (arrival: Arrival) => void = () => {};

  constructor(
    table: TableMessage,
    readonly previews: Record<string, unknown> = {},
  ) {
    this.table = table;
  }
  get game() {
    return this.table.game;
  }
  get seats() {
    return this.table.seats;
  }
  get mine() {
    return this.table.mine;
  }
  get chat() {
    return this.table.chat;
  }
  get legal() {
    return this.table.may.includes('play') ? (this.table.match?.legal ?? []) : [];
  }
  get scene(): Scene | null {
    const { match, state } = this.table;
    return match && { view: match.view, log: match.log, isOver: state === 'over' };
  }
  refusal = null;
  /** Another position: the next of a match, or wherever one jumps. */
  show(table: TableMessage, isJump: boolean) {
    this.table = table;
    this.arrive({ scenes: [this.scene!], isJump });
  }
  play = (move: string) => {
    this.sent = move;
  };
  send = () => Promise.resolve(true);
  undo = null;
  preview = (piece: string) => Promise.resolve(this.previews[piece] ?? []);
  why = () => Promise.resolve(null);
  picture = () => Promise.reject(new Error('a specimen has a board of its own'));
  coach = () => Promise.resolve(coachOf(this.table.match?.log ?? []));
  reviewed = () => Promise.resolve(null);
  bests = () => Promise.resolve([97, 88, this.table.match?.view.scores[0] ?? 0].map(bestOf));
  forgive = () => {};
  close = () => {};
}

const LEVELS = [
  { level: 'novice', sentence: 'Knows the rules, and little else.', solved: false },
  { level: 'casual', sentence: 'Takes what lies on the table.', solved: false },
  { level: 'skilled', sentence: 'Looks ahead a little.', solved: false },
  { level: 'expert', sentence: 'Looks far ahead.', solved: false },
  { level: 'master', sentence: 'As strong as there is.', solved: false },
];
const option = (name: string, value: unknown, ...choices: unknown[]) => ({
  name,
  summary: '',
  default: value,
  choices,
});
const game = (key: string, seats: number[], options: GameInfo['options']): GameInfo => ({
  key,
  title: key,
  credit: '',
  summary: '',
  rules: 1,
  seats,
  draws: false,
  options,
  levels: LEVELS,
  preparing: null,
});
export const games: GameInfo[] = [
  game('carat', [2, 3, 4], [option('players', 4, 2, 3, 4), option('hand', 1, 1, 3), option('colours', null)]),
  game(
    'carnac',
    [2],
    [option('board', 'medium', 'small', 'medium', 'large'), option('final_tilt', false, false, true)],
  ),
  game('catan_dice', [1, 2, 3, 4], [option('players', 1, 1, 2, 3, 4)]),
  game('kwatro', [2, 3, 4], [option('players', 2, 2, 3, 4)]),
];

const summary = (changes: Partial<TableSummary> & { id: string; game: string }): TableSummary => ({
  options: {},
  state: 'open',
  created: 0,
  changed: 0,
  listed: true,
  rated: false,
  seats: [],
  clock: null,
  actor: null,
  deadline: null,
  scores: null,
  ply: 0,
  title: changes.game,
  result: null,
  imported: false,
  ...changes,
});
const ines = person('Ines', { player: ME });
export const lobby: Lobby = {
  type: 'lobby',
  open: [
    summary({
      id: 'a',
      game: 'carat',
      options: { hand: 3 },
      seats: [person('Marta'), person('Bo'), open()],
      clock: { kind: 'live', seconds: 600, increment: 0 },
    }),
    summary({ id: 'b', game: 'kwatro', seats: [person('Jonas'), open()] }),
    summary({
      id: 'c',
      game: 'carnac',
      options: { board: 'large' },
      seats: [person('Noor'), open()],
      clock: { kind: 'move', seconds: 3 * 86_400, increment: 0 },
    }),
  ],
  running: [summary({ id: 'd', game: 'carnac', state: 'running', seats: [person('Elin'), person('Sam')], actor: 0 })],
  mine: [
    summary({
      id: 'f',
      game: 'carat',
      options: { colours: ['R', 'Y', 'B'] },
      state: 'running',
      seats: [ines, person('Sam'), person('Bo')],
      scores: [21, 44, 33],
      changed: 1_790_000_000,
      actor: 2,
    }),
    summary({ id: 'e', game: 'carnac', state: 'running', seats: [ines, person('Elin')], scores: [1, 2], actor: 0 }),
    summary({ id: 'h', game: 'kwatro', state: 'running', seats: [ines, bot()], scores: [95, 122], actor: 0 }),
    summary({ id: 'g', game: 'carat', state: 'over', seats: [ines, bot()] }),
  ],
};

export const profile: Profile = {
  id: ME,
  name: 'Ines',
  bot: false,
  since: null,
  ratings: { carnac: { mu: 27, sigma: 4, matches: 12, shown: 15 } },
  counts: {
    carnac: { won: 1, shared: 0, drawn: 1, lost: 0, alone: 0 },
    carat: { won: 0, shared: 0, drawn: 0, lost: 1, alone: 0 },
  },
};
const past = (
  table: string,
  key: string,
  seats: SeatView[],
  scores: number[],
  place: number,
  outcome: Past['outcome'],
): Past => ({
  table,
  game: key,
  at: 1_790_000_000 + 90_000 * Number(table),
  seat: 0,
  score: scores[0]!,
  place,
  outcome,
  seats,
  scores,
});
export const bests = [
  { game: 'catan_dice', best: [97, 88, 71, 70, 64].map((score, i) => ({ ...bestOf(score, i), at: 1_790_000_000 })) },
];
export const history: History = {
  matches: [
    past('5', 'carnac', [ines, person('Elin')], [4, 3], 0, 'won'),
    past('4', 'carat', [ines, person('Marta'), bot()], [71, 88, 64], 1, 'lost'),
    past('2', 'carnac', [ines, bot()], [3, 3], 0, 'drawn'),
  ],
  next: null,
};
