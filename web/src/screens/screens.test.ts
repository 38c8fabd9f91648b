import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TableSource } from '$lib/live.svelte';
import type { TableState } from '$lib/server';
import { games, history, position, sourceOf, tableOf, tables } from '../specimen/data';
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
const show = async (table: TableState, changes: Partial<TableSource> = {}) => {
  const send = vi.fn();
  render(Table, { source: { ...sourceOf(table), send, ...changes } });
  await screen.findByRole('list', { name: 'Seats' }, { timeout: 5000 });
  return send;
};

describe('home', () => {
  test('opens a table against a bot with one click', async () => {
    const fetched = answering({ id: 'new-one' });
    render(Home, { games, tables });
    await fireEvent.click(screen.getByRole('button', { name: 'Play a bot now' }));
    await vi.waitFor(() => expect(location.pathname).toBe('/table/new-one'));
    expect(fetched).toHaveBeenCalledOnce();
  });

  test('says why a table could not be opened', async () => {
    answering({ code: 'bad-option', sentence: 'No such board.' }, false);
    render(Home, { games, tables });
    await fireEvent.click(screen.getByRole('button', { name: 'Play a bot now' }));
    expect((await screen.findByRole('alert')).textContent?.trim()).toBe('That cannot be chosen. No such board.');
  });

  test('lists tables that wait, tables that run and own matches', () => {
    render(Home, { games, tables });
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
  expect(sent.seats.map((seat: { kind: string }) => seat.kind)).toEqual(['me', 'invite']);
});

test('the profile tells how matches ended', () => {
  render(Profile, { me: { player: 'x', name: 'Ines' }, matches: history });
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
    const send = await show(tableOf(position('carat-middle'), { offers: [{ kind: 'takeback', by: 0 }] }));
    await fireEvent.click(screen.getByRole('button', { name: 'Accept' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'answer', kind: 'takeback', accept: true });
  });

  test('gives an absent seat to a bot', async () => {
    const table = tableOf(position('carat-middle'));
    table.seats[3]!.away = 90;
    const send = await show(table);
    await fireEvent.click(screen.getByRole('button', { name: 'Let a bot play on' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'handover', seat: 3 });
  });

  test('hides the next hand at a shared device until it is asked for', async () => {
    await show(tableOf(position('carat-start'), { mine: [0, 1, 2, 3] }));
    expect(document.querySelector('.hand')).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Show my hand' }));
    expect(document.querySelector('.hand')).not.toBeNull();
  });

  test('shows a link and its code while somebody is missing', async () => {
    const waiting = tableOf(position('carnac-start'), { state: 'open', match: null });
    waiting.seats[1] = { ...waiting.seats[1]!, kind: 'invite', name: null };
    const send = await show(waiting);
    expect(await screen.findByRole('img', { name: 'The link as a QR code' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Start' })).toHaveProperty('disabled', true);
    await fireEvent.click(screen.getByRole('button', { name: 'Stand up' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'leave' });
  });

  test('tells the result and offers a rematch', async () => {
    const send = await show(tableOf(position('carat-over')));
    expect(screen.getByRole('region', { name: 'Result' }).textContent).toContain('wins by 2.');
    await fireEvent.click(screen.getByRole('button', { name: 'Rematch' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'offer', kind: 'rematch' });
  });

  test('says so at once when the line is broken, and takes no move', async () => {
    await show(tableOf(position('carat-middle')), { link: 'lost' });
    expect(screen.getByRole('alert').textContent).toContain('The line is broken');
    expect(document.querySelectorAll('.cell.is-legal')).toHaveLength(0);
  });
});
