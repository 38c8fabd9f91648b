import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import Qr from './Qr.svelte';
import { nextCell } from '../choice/keys';
import { LiveLobby } from './lobby.svelte';
import { gameText, titleOf } from './names';
import { refusalText } from './refusals';
import { routeOf } from './router.svelte';
import { botTable, knownOptions } from './wishes';
import { games } from '../specimen/data.svelte';

afterEach(cleanup);

describe('addresses', () => {
  test.each([
    ['/', 'home'],
    ['/new?friend', 'choose'],
    ['/new/carat', 'new'],
    ['/new/hex_11', 'new'],
    ['/table/x-1', 'table'],
    ['/settings', 'settings'],
    ['/profile', 'profile'],
    ['/player/bot:skilled', 'player'],
    ['/account', 'account'],
    ['/ratings', 'ratings'],
    ['/ratings/carat', 'ratings'],
    ['/claim#secret', 'claim'],
    ['/elsewhere', 'missing'],
  ])('%s is %s', (path, screenName) => {
    expect(routeOf(new URL(path, 'http://localhost')).screen).toBe(screenName);
  });
});

test('arrow keys stay on the board', () => {
  expect(nextCell('ArrowLeft', 'a1', 'abc', 3)).toBe('a1');
  expect(nextCell('ArrowDown', 'a1', 'abc', 3)).toBe('a2');
  expect(nextCell('x', 'a1', 'abc', 3)).toBeNull();
});

test('a refusal is a sentence of the catalogue, then the reason given', () => {
  expect(refusalText('illegal-move', 'c3 is taken.')).toBe('That move is not possible. c3 is taken.');
  expect(refusalText('new-code', 'So it is.')).toBe('So it is.');
});

test('a table against bots takes the fewest seats', () => {
  const wish = botTable(games[0]!);
  expect(wish.seats).toEqual([{ kind: 'me' }, { kind: 'bot', level: 'skilled' }]);
  expect(wish.options).toEqual({ players: 2 });
});

test('two players of Carat may have two colours each, and only two', () => {
  const colours = ['RB', 'YG'];
  expect(knownOptions(games[0]!, { players: 2, colours })).toEqual({ players: 2, colours });
  expect(knownOptions(games[0]!, { players: 2, colours: null })).toEqual({ players: 2 });
  expect(knownOptions(games[0]!, { players: 3, colours })).toEqual({ players: 3 });
});

test('a game that the page does not know has the title that the server tells', () => {
  expect(gameText('hex_11', { title: 'Hex', summary: 'Join two sides.' })).toEqual({
    title: 'Hex',
    size: '',
    about: 'Join two sides.',
  });
  expect(titleOf({ game: 'carat', title: 'Karat' })).toBe('Carat');
});

describe('the lobby', () => {
  let socket: {
    send: () => void;
    onopen: () => void;
    onmessage: (event: { data: string }) => void;
    onclose: (event: object) => void;
  };
  let dialled = 0;
  beforeEach(() => {
    dialled = 0;
    vi.useFakeTimers();
    vi.stubGlobal(
      'WebSocket',
      class {
        static OPEN = 1;
        readyState = 1;
        send = vi.fn();
        close = vi.fn();
        constructor() {
          dialled += 1;
          socket = this as never;
        }
      },
    );
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('is dialled ever more rarely while a full server opens, refuses and closes', () => {
    const lobby = new LiveLobby();
    const turnedAway = () => {
      socket.onopen();
      socket.onmessage({ data: JSON.stringify({ type: 'refused', code: 'busy', sentence: '' }) });
      socket.onclose({ code: 1013 });
    };
    for (const wait of [500, 1000, 2000]) {
      const before = dialled;
      turnedAway();
      vi.advanceTimersByTime(wait - 1);
      expect(dialled).toBe(before);
      vi.advanceTimersByTime(1);
      expect(dialled).toBe(before + 1);
    }
    lobby.close();
  });

  test('that has gone silent is asked, then dialled anew', () => {
    const lobby = new LiveLobby();
    socket.onopen();
    vi.advanceTimersByTime(15_000);
    expect(socket.send).toHaveBeenCalledExactlyOnceWith(JSON.stringify({ type: 'ping' }));
    socket.onmessage({ data: JSON.stringify({ type: 'pong', now: 0 }) });
    vi.advanceTimersByTime(15_000 + 5_999);
    expect(lobby.link).toBe('open');
    vi.advanceTimersByTime(1);
    expect(lobby.link).toBe('lost');
    lobby.close();
  });
});

test('a link becomes a code of squares', () => {
  render(Qr, { link: 'http://localhost/table/x' });
  expect(screen.getByRole('img').querySelector('path')!.getAttribute('d')).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
});

test('what no longer fits the other choices is left to the server', () => {
  const carat = { ...games[0]! };
  const options = { players: 2, hand: 1, colours: ['R', 'Y', 'B', 'G'] };
  expect(knownOptions(carat, options)).toEqual({ players: 2, hand: 1 });
  expect(knownOptions(carat, { ...options, colours: ['RB', 'YG'] })).toMatchObject({ colours: ['RB', 'YG'] });
});
