import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { position, tableOf } from '../specimen/data.svelte';
import { LiveTable } from './live.svelte';
import type { TableMessage } from '$lib/api';
import type { Arrival } from './source';

/** The other end of the line. */
class Socket {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 3;
  static all: Socket[] = [];
  readyState = Socket.CONNECTING;
  sent: { id: string; type: string }[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: ((event: { code: number }) => void) | null;
  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send = (text: string) => this.sent.push(JSON.parse(text));
  close = () => this.break(1000);
  open() {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }
  say = (message: unknown) => this.onmessage?.({ data: JSON.stringify(message) });
  break(code = 1006) {
    this.readyState = Socket.CLOSED;
    this.onclose?.({ code });
  }
}

let live: LiveTable;
const last = () => Socket.all.at(-1)!;
const table = (changes: Partial<TableMessage> = {}) => tableOf(position('carnac-tilt'), changes);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
  Socket.all = [];
  live = new LiveTable('x');
});
afterEach(() => {
  live.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('what is left before it stands is closed once it does', () => {
  const left = last();
  live.close();
  expect(left.readyState).toBe(Socket.CONNECTING);
  left.open();
  expect(left.readyState).toBe(Socket.CLOSED);
});

test('a table arrives whole, and older news are not taken', () => {
  last().open();
  last().say(table({ version: 7 }));
  last().say(table({ version: 6, state: 'open' }));
  expect(live.link).toBe('open');
  expect(live.table?.state).toBe('running');
});

test('a change tells what differs, and nothing new where it says nothing', () => {
  last().open();
  expect(last().url).toContain('changes=1');
  const whole = table({ version: 7, watchers: 1 });
  last().say(whole);
  const { log } = live.scene!;
  last().say({ type: 'change', after: 7, version: 7, now: 2, watchers: 2, match: { since: log.length } });
  expect(live.table).toEqual({
    ...whole,
    now: 2,
    watchers: 2,
    chat: [],
    match: { ...whole.match, since: log.length, log: [], steps: [] },
  });
  const ply = whole.match!.view.ply + 1;
  const match = { since: log.length, log: ['tilt W'], legal: [], view: { ply } };
  const line = { number: 99, at: 1, player: 'a', name: 'Ann', text: 'Hello' };
  last().say({ type: 'change', after: 7, version: 8, now: 3, chat: [line], match });
  expect(live.table?.watchers).toBe(2);
  expect(live.table?.match?.view).toEqual({ ...whole.match!.view, ply });
  expect(live.scene?.log).toEqual([...log, 'tilt W']);
  expect(live.chat.at(-1)).toEqual(line);
});

test('a change of a message that is not known is not guessed at: the line begins again', () => {
  last().open();
  last().say(table({ version: 7, watchers: 1 }));
  const [line] = Socket.all;
  last().say({ type: 'change', after: 9, version: 10, now: 2, watchers: 5 });
  expect(live.table?.watchers).toBe(1);
  expect(live.link).toBe('lost');
  vi.advanceTimersByTime(1000);
  expect(last()).not.toBe(line);
});

test('a log that begins later is put behind what is known', () => {
  last().open();
  const whole = table({ version: 1 });
  last().say(whole);
  const match = { ...whole.match!, since: whole.match!.log.length, log: ['tilt W'] };
  last().say({ ...whole, version: 2, match });
  expect(live.scene?.log).toEqual([...whole.match!.log, 'tilt W']);
});

test('what was not answered is sent again, under the same id, when the line is back', () => {
  last().open();
  live.send({ type: 'play', ply: 3, move: 'tilt W' });
  const [first] = last().sent;
  last().break();
  expect(live.link).toBe('lost');
  vi.advanceTimersByTime(500);
  last().open();
  expect(Socket.all).toHaveLength(2);
  expect(last().sent).toEqual([first]);
});

test('what was sent twice and could not be looked up is asked once more until it is known', () => {
  last().open();
  live.send({ type: 'play', ply: 3, move: 'tilt W' });
  const [first] = last().sent;
  last().break();
  vi.advanceTimersByTime(500);
  last().open();
  last().say({ type: 'refused', id: first!.id, code: 'store-unavailable', sentence: 'Later.' });
  expect(live.sent).toBe('tilt W');
  expect(live.failed).toBeNull();
  vi.advanceTimersByTime(1000);
  expect(last().sent).toEqual([first, first]);
  last().say({ type: 'accepted', id: first!.id, version: 1, ply: 4 });
  vi.advanceTimersByTime(5000);
  expect(last().sent.filter(({ type }) => type === 'play')).toHaveLength(2);
});

test('what could not be stored the first time is refused', () => {
  last().open();
  live.send({ type: 'play', ply: 3, move: 'tilt W' });
  last().say({ type: 'refused', id: last().sent[0]!.id, code: 'store-unavailable', sentence: 'Later.' });
  expect(live.failed?.code).toBe('store-unavailable');
});

test('what was answered is not sent again', () => {
  last().open();
  live.send({ type: 'resign' });
  last().say({ type: 'accepted', id: last().sent[0]!.id, version: 1, ply: 3 });
  last().break();
  vi.advanceTimersByTime(500);
  last().open();
  expect(last().sent).toEqual([]);
});

test('a refusal stands until the next command', () => {
  last().open();
  live.send({ type: 'play', ply: 3, move: 'tilt N' });
  last().say({ type: 'refused', id: last().sent[0]!.id, code: 'illegal-move', sentence: 'No.' });
  expect(live.sent).toBeNull();
  expect(live.refusal).toMatchObject({ code: 'illegal-move', sentence: 'No.' });
  live.send({ type: 'hint' });
  expect(live.refusal).toBeNull();
});

test('an own move is told at once, and forgotten when the table shows it', () => {
  last().open();
  const whole = table({ version: 1 });
  last().say(whole);
  const { ply } = whole.match!.view;
  live.send({ type: 'play', ply, move: 'tilt W' });
  expect(live.sent).toBe('tilt W');
  last().say({ ...whole, version: 2, match: { ...whole.match!, view: { ...whole.match!.view, ply: ply + 1 } } });
  expect(live.sent).toBeNull();
});

test('what is known is said when the line is back, and talk is kept together', () => {
  last().open();
  const whole = table({ version: 7 });
  last().say(whole);
  const line = { ...whole.chat[0]!, number: 2, text: 'and on' };
  last().say({ ...whole, version: 8, chat: [line], chat_since: 1 });
  last().break();
  vi.advanceTimersByTime(500);
  expect(live.chat.map(({ number }) => number)).toEqual([1, 2]);
  expect(last().url).toMatch(new RegExp(`/live\\?changes=1&version=8&ply=${live.scene?.log.length}&chat=2$`));
});

test('a line that has gone silent is asked, then dropped', () => {
  last().open();
  vi.advanceTimersByTime(15_000);
  expect(last().sent).toEqual([{ type: 'ping' }]);
  last().say({ type: 'pong', now: 0 });
  vi.advanceTimersByTime(15_000 + 5_999);
  expect(live.link).toBe('open');
  vi.advanceTimersByTime(1);
  expect(live.link).toBe('lost');
  vi.advanceTimersByTime(500);
  last().open();
  expect(live.link).toBe('open');
});

test('what came between is shown in its steps; after a broken line one lands in the present', () => {
  const arrivals: Arrival[] = [];
  live.arrive = (arrival) => arrivals.push(arrival);
  last().open();
  const whole = table({ version: 1 });
  last().say(whole);
  const { view, log } = whole.match!;
  const later = (version: number, ply: number) => ({
    ...whole,
    version,
    match: {
      ...whole.match!,
      since: log.length,
      log: ['tilt W', 'a1rr'],
      view: { ...view, ply },
      steps: [{ ply: log.length + 1, seat: 0, view: { ...view, ply: ply - 1 } }],
    },
  });
  last().say(later(2, view.ply + 2));
  expect(arrivals.map(({ isJump }) => isJump)).toEqual([true, false]);
  expect(arrivals[1]!.scenes.map((scene) => scene.log.length)).toEqual([log.length + 1, log.length + 2]);
  last().break();
  vi.advanceTimersByTime(500);
  last().open();
  last().say(later(3, view.ply + 2));
  expect(arrivals.at(-1)!.isJump).toBe(true);
});

test('a hint is forgotten when one has played before it came', () => {
  last().open();
  last().say(table({ version: 1 }));
  live.send({ type: 'hint' });
  live.play('tilt W');
  const [hint] = last().sent;
  last().say({ type: 'refused', id: hint!.id, code: 'stale-ply', sentence: 'Too late.' });
  expect(live.failed).toBeNull();
  expect(live.isHinting).toBe(false);
});

test('each hint is news, also the same one again', () => {
  last().open();
  const whole = table({ version: 1 });
  last().say(whole);
  const hints = [1, 2].map((n) => {
    live.send({ type: 'hint' });
    last().say({
      type: 'accepted',
      id: last().sent.at(-1)!.id,
      version: n,
      ply: whole.match!.view.ply,
      hints: [{ move: 'tilt W', reason: null }],
    });
    return live.hint;
  });
  expect(hints[0]).toEqual({ move: 'tilt W' });
  expect(hints[0]).not.toBe(hints[1]);
});

test('a refused line of talk is told to who said it, and is no refused move', async () => {
  last().open();
  last().say(table({ version: 1 }));
  const isTaken = live.send({ type: 'chat', text: 'hello' });
  last().say({ type: 'refused', id: last().sent[0]!.id, code: 'muted', sentence: 'No.' });
  expect(await isTaken).toBe(false);
  expect(live.refusal).toBeNull();
  expect(live.failed?.command).toBe('chat');
});

test('a server that is full is not called back in a hurry', () => {
  for (const wait of [500, 1000, 2000]) {
    last().open();
    last().say({ type: 'refused', id: '', code: 'too-many', sentence: 'Full.' });
    last().break(1013);
    const before = Socket.all.length;
    vi.advanceTimersByTime(wait - 1);
    expect(Socket.all).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(Socket.all).toHaveLength(before + 1);
  }
});

test('a broken line is tried again, ever more rarely', () => {
  last().break();
  vi.advanceTimersByTime(500);
  last().break();
  vi.advanceTimersByTime(999);
  expect(Socket.all).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(Socket.all).toHaveLength(3);
});

test.each([
  [4404, 'missing'],
  [4403, 'refused'],
])('a line closed with %i is %s and not tried again', (code, link) => {
  last().break(code);
  vi.advanceTimersByTime(60_000);
  expect(live.link).toBe(link);
  expect(Socket.all).toHaveLength(1);
});
