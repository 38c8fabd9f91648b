import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, test } from 'vitest';
import Qr from './Qr.svelte';
import { nextCell } from '../choice/keys';
import { refusalText } from './refusals';
import { routeOf } from './router.svelte';
import { botTable } from './wishes';
import { games } from '../specimen/data.svelte';

afterEach(cleanup);

describe('addresses', () => {
  test.each([
    ['/', 'home'],
    ['/new/carat', 'new'],
    ['/table/x-1', 'table'],
    ['/settings', 'settings'],
    ['/profile', 'profile'],
    ['/player/bot:skilled', 'player'],
    ['/account', 'account'],
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

test('a link becomes a code of squares', () => {
  render(Qr, { link: 'http://localhost/table/x' });
  expect(screen.getByRole('img').querySelector('path')!.getAttribute('d')).toMatch(/^(M\d+ \d+h1v1h-1z)+$/);
});
