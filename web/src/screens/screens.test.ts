import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bests, games, history, lobby, ME, profile } from '../specimen/data.svelte';
import Home from './Home.svelte';
import NewTable from './NewTable.svelte';
import Profile from './Profile.svelte';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const answering = (body: unknown, ok = true) => {
  const fetched = vi.fn(async (..._: unknown[]) => ({ ok, status: ok ? 200 : 400, json: async () => body }));
  vi.stubGlobal('fetch', fetched);
  return fetched;
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
