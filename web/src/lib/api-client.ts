// The server over HTTP: one function a request. Refusals are thrown with their code and sentence.
import type {
  Best,
  Blocked,
  Checked,
  Branch,
  CreateTable,
  Device,
  GameInfo,
  History,
  ImportRecord,
  Leader,
  Link,
  MakeReport,
  Me,
  Picture,
  Position,
  Profile,
  PushKey,
  Replay,
  CoachView,
  ReviewMessage,
  Subscribe,
  TableMessage,
  Token,
  Tried,
  Try,
} from './api';
import { addPart, choosePart } from '../fairness/parts';
import { noteTable } from '../fairness/seals';
import { getLocale } from '../generated/paraglide/runtime.js';

export class Refused extends Error {
  constructor(
    readonly code: string,
    sentence: string,
    /** What a program may want to know of it. */
    readonly reason: Record<string, unknown> | null = null,
  ) {
    super(sentence);
  }
}

/** What a socket was refused with, as if it had been thrown. */
export const refusedBy = (told: { code: string; sentence: string; reason?: unknown } | null) =>
  new Refused(told?.code ?? '', told?.sentence ?? '', (told?.reason ?? null) as Record<string, unknown> | null);

async function ask<T>(path: string, method = 'GET', body?: unknown, how: RequestInit = {}): Promise<T> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(`/api${path}`, { method, ...sent, ...how }).catch(() => {
    throw new Refused('offline', '');
  });
  if (response.status === 204) return undefined as T;
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(answer.code ?? String(response.status), answer.sentence ?? '', answer.reason);
  return answer as T;
}

const player = (id: string) => `/players/${encodeURIComponent(id)}`;
let me: Promise<Me> | null = null;

export const api = {
  games: () => ask<GameInfo[]>('/games'),
  /** Oneself; the first asking makes one known to the server, so sockets wait for it. */
  me: () => (me ??= fresh(ask<Me>('/me'))),
  rename: (name: string) => (me = fresh(ask<Me>('/me', 'PATCH', { name }))),
  claim: (secret: string) => (me = fresh(ask<Me>('/me/claim', 'POST', { secret }))),
  link: () => ask<Link>('/me/link', 'POST'),
  tokens: () => ask<Token[]>('/me/tokens'),
  makeToken: (name: string) => ask<Token>('/me/tokens', 'POST', { name }),
  dropToken: (id: string) => ask<void>(`/me/tokens/${encodeURIComponent(id)}`, 'DELETE'),
  devices: () => ask<Device[]>('/me/devices'),
  dropDevice: (id: string) => ask<void>(`/me/devices/${encodeURIComponent(id)}`, 'DELETE'),
  dropOtherDevices: () => ask<void>('/me/devices', 'DELETE'),
  blocked: () => ask<Blocked[]>('/me/blocks'),
  block: (player: string) => ask<void>('/me/blocks', 'POST', { player }),
  unblock: (player: string) => ask<void>(`/me/blocks/${encodeURIComponent(player)}`, 'DELETE'),
  report: (report: MakeReport) => ask<void>('/reports', 'POST', report),
  /** Deletes all that is kept of oneself. */
  forgetMe: (name: string) => ask<void>('/me', 'DELETE', { name }),
  pushKey: () => ask<PushKey>('/me/push'),
  addPush: (subscription: Subscribe) => ask<void>('/me/push', 'POST', subscription),
  dropPush: (endpoint: string) => ask<void>('/me/push', 'DELETE', { endpoint }),
  /** A new table; what it seals is noted, then one's part of the luck is on its way. */
  async openTable(wish: CreateTable, part = ''): Promise<TableMessage> {
    const table = await ask<TableMessage>('/tables', 'POST', { ...wish, promise: true });
    noteTable(table);
    choosePart(table.id, part);
    void addPart(table, (text) => api.shuffle(table.id, text));
    return table;
  },
  /** Add one's part to the luck of a table; whether it was taken. */
  shuffle: (table: string, part: string) =>
    ask<unknown>(`/tables/${table}/shuffle`, 'POST', { part }).then(
      () => true,
      () => false,
    ),
  /** Gone for good; also asked for while the page is being left. */
  dropTable: (table: string) => ask<void>(`/tables/${table}`, 'DELETE', undefined, { keepalive: true }),
  preview: (table: string, ply: number, piece: string) =>
    ask<unknown>(`/tables/${table}/preview?ply=${ply}&piece=${encodeURIComponent(piece)}`),
  picture: (table: string, ply: number, isOpen: boolean) =>
    ask<Picture>(`/tables/${table}/picture?ply=${ply}&language=${getLocale()}${isOpen ? '&open=1' : ''}`),
  why: (table: string, ply: number, move: string) =>
    ask<unknown>(`/tables/${table}/why?ply=${ply}&move=${encodeURIComponent(move)}`),
  coach: (table: string, since: number) => ask<CoachView>(`/tables/${table}/coach?since=${since}`),
  /** The record of a finished match, as it is told. */
  record: (table: string) => ask<unknown>(`/tables/${table}/record`),
  /** The review of a finished match as far as it is; none is begun by asking. */
  reviewOf: (table: string) => ask<ReviewMessage>(`/tables/${table}/review`),
  /** How far a match from elsewhere is good; nothing is kept. */
  checkRecord: (given: ImportRecord) => ask<Checked>('/records/check', 'POST', given),
  importRecord: (given: ImportRecord) => ask<TableMessage>('/records', 'POST', given),
  /** Positions of a finished match from one on, as a seat saw them; by default as oneself did. */
  replay: (table: string, since: number, seat: number | null) =>
    ask<Replay>(`/tables/${table}/replay?since=${since}${seat === null ? '' : `&seat=${seat}`}`),
  /** What the seat to act at a ply of a finished match saw, and could do. */
  position: (table: string, ply: number) => ask<Position>(`/tables/${table}/position?ply=${ply}`),
  try: (table: string, tried: Try) => ask<Tried>(`/tables/${table}/try`, 'POST', tried),
  branch: (table: string, wish: Branch) =>
    ask<TableMessage>(`/tables/${table}/branch`, 'POST', { ...wish, promise: true }),
  profile: (id: string) => ask<Profile>(player(id)),
  history: (id: string, before?: number | null) =>
    ask<History>(`${player(id)}/history${before ? `?before=${before}` : ''}`),
  bests: (id: string, game: string) => ask<Best[]>(`${player(id)}/bests/${game}`),
  leaders: (game: string) => ask<Leader[]>(`/ratings/${game}`),
};

/** What failed is asked again the next time. */
function fresh(asked: Promise<Me>): Promise<Me> {
  asked.catch(() => (me = null));
  return asked;
}

export const exportPath = '/api/me/export';
export const recordPath = (table: string) => `/api/tables/${table}/record`;
export const sheetPath = (table: string) => `/api/tables/${table}/sheet?language=${getLocale()}`;
export const pngPath = (table: string, ply: number) => `/api/tables/${table}/picture.png?ply=${ply}`;
export const gifPath = (table: string) => `/api/tables/${table}/film.gif`;
