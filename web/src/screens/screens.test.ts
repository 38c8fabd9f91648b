import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TableSource } from '../sources/live.svelte';
import type { TableMessage } from '$lib/api';
import {
  bests,
  games,
  history,
  lobby,
  ME,
  position,
  profile,
  sharedTable,
  sourceOf,
  tableOf,
  waitingTable,
} from '../specimen/data.svelte';
import { loadGame } from '../games';
import Home from './Home.svelte';
import NewTable from './NewTable.svelte';
import Profile from './Profile.svelte';
import Table from './Table.svelte';

beforeAll(() => Promise.all([loadGame('carat'), loadGame('carnac')]), 30_000);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const answering = (body: unknown, ok = true) => {
  const fetched = vi.fn(async (..._: unknown[]) => ({ ok, status: ok ? 200 : 400, json: async () => body }));
  vi.stubGlobal('fetch', fetched);
  return fetched;
};
const show = async (table: TableMessage, changes: Partial<TableSource> = {}) => {
  const send = vi.fn();
  render(Table, { source: { ...sourceOf(table), send, ...changes } });
  await screen.findByRole('list', { name: 'Seats' }, { timeout: 5000 });
  return send;
};

describe('home', () => {
  test('opens a table against a bot with one click', async () => {
    const fetched = answering({ id: 'new-one' });
    render(Home, { games, me: ME, source: { lobby, link: 'open' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Play a bot now' }));
    await vi.waitFor(() => expect(location.pathname).toBe('/table/new-one'));
    expect(fetched).toHaveBeenCalledOnce();
  });

  test('says why a table could not be opened', async () => {
    answering({ code: 'bad-option', sentence: 'No such board.' }, false);
    render(Home, { games, me: ME, source: { lobby, link: 'open' } });
    await fireEvent.click(screen.getByRole('button', { name: 'Play a bot now' }));
    expect((await screen.findByRole('alert')).textContent?.trim()).toBe('That cannot be chosen. No such board.');
  });

  test('lists tables that wait, tables that run and own matches', () => {
    render(Home, { games, me: ME, source: { lobby, link: 'open' } });
    expect(screen.getAllByRole('link', { name: 'Sit down' })).toHaveLength(3);
    expect(screen.getAllByRole('link', { name: 'Watch' })).toHaveLength(1);
    expect(screen.getByText('Your turn')).toBeTruthy();
  });
});

test('a new table is asked for with the chosen options and seats', async () => {
  const fetched = answering({ id: 'made' });
  render(NewTable, { game: games[1]! });
  await fireEvent.click(screen.getByRole('radio', { name: 'large' }));
  await fireEvent.change(screen.getByLabelText('Who takes seat 2'), { target: { value: 'invite' } });
  await fireEvent.click(screen.getByRole('button', { name: 'Open the table' }));
  await vi.waitFor(() => expect(location.pathname).toBe('/table/made'));
  const sent = JSON.parse((fetched.mock.calls[0]![1] as RequestInit).body as string);
  expect(sent.options).toEqual({ board: 'large', final_tilt: false });
  expect(sent.seats).toEqual([{ kind: 'me' }, { kind: 'invite' }]);
});

test('the profile tells how matches ended', () => {
  render(Profile, { profile, history, bests, isMe: true });
  expect(screen.getByText('3 played, 2 won')).toBeTruthy();
});

describe('a table', () => {
  test('plays a move with the ply that it is for', async () => {
    const shown = position('carnac-tilt');
    const send = await show(tableOf(shown));
    await fireEvent.keyDown(window, { key: 'ArrowLeft' });
    await fireEvent.click(screen.getByRole('button', { name: 'Tilt west' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'play', ply: shown.view.ply, move: 'tilt W' });
  });

  test('offers a spectator nothing to play', async () => {
    await show(tableOf(position('carat-watched')));
    expect(screen.queryByLabelText('Move')).toBeNull();
    expect(document.querySelectorAll('.cell.is-legal')).toHaveLength(0);
  });

  test('asks before resigning', async () => {
    const send = await show(tableOf(position('carat-middle')));
    await fireEvent.click(screen.getByRole('button', { name: 'Resign' }));
    expect(send).not.toHaveBeenCalled();
    const [, confirm] = screen.getAllByRole('button', { name: 'Resign', hidden: true });
    await fireEvent.click(confirm!);
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'resign' });
  });

  test('answers an offer', async () => {
    const send = await show(
      tableOf(position('carat-middle'), { offer: { kind: 'takeback', seat: 0, agreed: [0] }, may: ['reply'] }),
    );
    await fireEvent.click(screen.getByRole('button', { name: 'Accept' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'reply', accept: true });
  });

  test('gives an absent seat to a bot', async () => {
    const send = await show(tableOf(position('carat-middle'), { may: ['handover'] }));
    await fireEvent.click(screen.getByRole('button', { name: 'Let a bot play on' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'handover', seat: 3 });
  });

  test('hides the next hand at a shared device until it is asked for', async () => {
    await show(sharedTable());
    expect(document.querySelector('.hand')).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Show my hand' }));
    expect(document.querySelector('.hand')).not.toBeNull();
  });

  test('shows a link and its code while somebody is missing', async () => {
    const send = await show(waitingTable());
    expect(await screen.findByRole('img', { name: 'The link as a QR code' })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Link to this table').value).toMatch(
      /\/table\/specimen\?invite=secret$/,
    );
    await fireEvent.click(screen.getByRole('button', { name: 'Stand up' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'leave' });
  });

  test('tells the result and offers a rematch', async () => {
    const send = await show(tableOf(position('carat-over')));
    expect(screen.getByRole('region', { name: 'Result' }).textContent).toContain('wins by 2.');
    await fireEvent.click(screen.getByRole('button', { name: 'Rematch' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'rematch' });
  });

  test('takes a hint onto the board, to be confirmed', async () => {
    const shown = position('carat-middle');
    const move = shown.legal.at(-1)!;
    const send = await show(tableOf(shown), { hint: move });
    await fireEvent.click(screen.getByRole('button', { name: `Place on ${move.slice(0, 2)}` }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'play', ply: shown.view.ply, move });
  });

  test('shows an own move on the board and in the log before it is confirmed', async () => {
    const shown = position('carat-middle');
    const move = shown.legal[0]!;
    await show(tableOf(shown), { sent: { ply: shown.view.ply, move } });
    expect(document.querySelector('.ghost.is-sent')).not.toBeNull();
    expect(document.querySelector('.entry.is-sent')!.textContent).toContain(move);
  });

  test('is played through its notation where a game has no board of its own', async () => {
    const shown = position('carnac-tilt');
    const send = await show(tableOf(shown, { game: 'another' }));
    await fireEvent.click(screen.getByRole('button', { name: 'tilt W' }));
    await fireEvent.click(screen.getAllByRole('button', { name: 'Play' })[0]!);
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'play', ply: shown.view.ply, move: 'tilt W' });
  });

  test('tells how far the rules are and why a match cannot go on', async () => {
    const waiting = { ...waitingTable(), state: 'preparing' as const };
    await show({ ...waiting, preparing: { what: 'rules', done: 3, of: 12 } });
    expect(screen.getByRole('progressbar')).toHaveProperty('value', 3);
    cleanup();
    await show({
      ...waiting,
      trouble: { type: 'refused', code: 'wrong-rules', sentence: 'Version 2.', id: '', reason: null },
    });
    expect(screen.getByRole('alert').textContent).toContain('other rules. Version 2.');
  });

  test('gives the seat back to who returns', async () => {
    const send = await show(tableOf(position('carat-middle'), { may: ['return'] }));
    await fireEvent.click(screen.getByRole('button', { name: 'Take your seat back' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'return' });
  });

  test('says so at once when the line is broken, and takes no move', async () => {
    await show(tableOf(position('carat-middle')), { link: 'lost' });
    expect(screen.getByRole('alert').textContent).toContain('The line is broken');
    expect(document.querySelectorAll('.cell.is-legal')).toHaveLength(0);
  });
});
