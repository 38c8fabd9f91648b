// Real positions, and around them what a server would say of tables and games.
import type { View } from '$lib/api';
import type { TableSource } from '$lib/live.svelte';
import type { GameInfo, PastMatch, SeatState, TableState, TableSummary } from '$lib/server';
import matches from './matches.json';

export type Position = { view: View; legal: string[]; log: string[] };
type Name = keyof typeof matches;

export const names = Object.keys(matches) as Name[];
export const position = (name: string) => matches[name as Name] as unknown as Position;
export const run = (name: string) => matches[name as Name] as unknown as Position[];

const NAMES = ['Marta', 'Elin', 'Bo', 'Jonas'];

export function tableOf({ view, legal, log }: Position, changes: Partial<TableState> = {}): TableState {
  const own = view.seat ?? 2;
  const seats = view.scores.map((_, i): SeatState => {
    const isBot = i === (own + 3) % view.scores.length && i !== own;
    return {
      kind: isBot ? 'bot' : 'person',
      name: isBot ? 'Steady' : i === own ? 'Ines' : NAMES[i]!,
      player: `player-${i}`,
      level: isBot ? 'skilled' : null,
      connected: i !== 3,
      resigned: false,
      away: i === 3 ? 20 : null,
    };
  });
  const isOver = view.actor === null;
  return {
    type: 'table',
    id: 'specimen',
    version: view.ply,
    game: view.game,
    state: isOver ? 'over' : 'running',
    seats,
    mine: view.seat === null ? [] : [view.seat],
    owner: true,
    watchers: ['Elin', 'Bo', 'Sam'],
    pace: { kind: 'match', minutes: 10 },
    rated: false,
    takeback: true,
    hints: true,
    clock: { running: null, left: [192, 510, 245, 108], at: 0 },
    offers: [],
    chat: [{ name: 'Jonas', text: 'nice one', at: 0 }],
    match: { view, legal, log_from: 0, log },
    result: isOver ? { scores: view.scores, winners: view.winners, reason: 'played' } : null,
    ...changes,
  };
}

export const sourceOf = (table: TableState): TableSource => ({
  table,
  log: table.match?.log ?? [],
  link: 'open',
  refusal: null,
  hint: null,
  send: () => {},
});

const LEVELS = [
  { key: 'novice', sentence: 'Knows the rules, and little else.' },
  { key: 'casual', sentence: 'Takes what lies on the table.' },
  { key: 'skilled', sentence: 'Looks ahead a little.' },
  { key: 'expert', sentence: 'Looks far ahead.' },
  { key: 'master', sentence: 'As strong as there is.' },
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
  summary: '',
  seats,
  options,
  levels: LEVELS,
  ready: true,
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
  seats: [],
  clock: null,
  yours: false,
  mine: false,
  scores: [],
  ...changes,
});
export const tables: TableSummary[] = [
  summary({
    id: 'a',
    game: 'carat',
    options: { hand: 3 },
    seats: [{ name: 'Marta' }, { name: 'Bo' }, { name: null }],
    clock: { kind: 'match', minutes: 10 },
  }),
  summary({ id: 'b', game: 'kwatro', seats: [{ name: 'Jonas' }, { name: null }] }),
  summary({
    id: 'c',
    game: 'carnac',
    options: { board: 'large' },
    seats: [{ name: 'Noor' }, { name: null }],
    clock: { kind: 'days', days: 3 },
  }),
  summary({ id: 'd', game: 'carnac', state: 'running', seats: [{ name: 'Elin' }, { name: 'Sam' }] }),
  summary({
    id: 'e',
    game: 'carnac',
    state: 'running',
    mine: true,
    yours: true,
    seats: [{ name: 'Elin' }],
    scores: [3, 2],
  }),
  summary({
    id: 'f',
    game: 'carat',
    state: 'running',
    mine: true,
    seats: [{ name: 'Sam' }, { name: 'Bo' }],
    scores: [21, 19, 17],
  }),
];
const past = (id: string, key: string, players: string[], scores: number[], winners: number[]): PastMatch => ({
  id,
  game: key,
  ended: '2026-10-0' + id,
  players,
  scores,
  winners,
  seat: 0,
});
export const history: PastMatch[] = [
  past('5', 'carnac', ['Ines', 'Elin'], [4, 3], [0]),
  past('4', 'carat', ['Ines', 'Marta', 'Steady'], [71, 88, 64], [1]),
  past('2', 'carnac', ['Ines', 'Steady'], [3, 3], [0, 1]),
];
