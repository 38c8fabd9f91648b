import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { position, tableOf } from '../specimen/data';
import { LiveTable } from './live.svelte';
import type { TableState } from './server';

/** The other end of the line. */
class Socket {
  static OPEN = 1;
  static all: Socket[] = [];
  readyState = 0;
  sent: { id: string; type: string }[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number }) => void;
  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send = (text: string) => this.sent.push(JSON.parse(text));
  close = () => this.onclose?.({ code: 1000 });
  open() {
    this.readyState = Socket.OPEN;
    this.onopen?.();
  }
  say = (message: unknown) => this.onmessage?.({ data: JSON.stringify(message) });
  break(code = 1006) {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

let live: LiveTable;
const last = () => Socket.all.at(-1)!;
const table = (changes: Partial<TableState> = {}) => tableOf(position('carnac-tilt'), changes);

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

test('a table arrives whole, and older news are not taken', () => {
  last().open();
  last().say(table({ version: 7 }));
  last().say(table({ version: 6, state: 'open' }));
  expect(live.link).toBe('open');
  expect(live.table?.state).toBe('running');
});

test('a log that begins later is put behind what is known', () => {
  last().open();
  const whole = table({ version: 1 });
  last().say(whole);
  const match = { ...whole.match!, log_from: whole.match!.log.length, log: ['tilt W'] };
  last().say({ ...whole, version: 2, match });
  expect(live.log).toEqual([...whole.match!.log, 'tilt W']);
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

test('what was answered is not sent again', () => {
  last().open();
  live.send({ type: 'resign' });
  last().say({ type: 'answer', id: last().sent[0]!.id, ok: true });
  last().break();
  vi.advanceTimersByTime(500);
  last().open();
  expect(last().sent).toEqual([]);
});

test('a refusal stands until the next command', () => {
  last().open();
  live.send({ type: 'play', ply: 3, move: 'tilt N' });
  last().say({ type: 'answer', id: last().sent[0]!.id, ok: false, code: 'illegal-move', sentence: 'No.' });
  expect(live.refusal).toEqual({ code: 'illegal-move', sentence: 'No.' });
  live.send({ type: 'hint' });
  expect(live.refusal).toBeNull();
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

test('a table that is not there is not tried again', () => {
  last().break(4404);
  vi.advanceTimersByTime(60_000);
  expect(live.link).toBe('missing');
  expect(Socket.all).toHaveLength(1);
});
