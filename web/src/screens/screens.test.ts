import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as m from '$messages';
import type { Lobby } from '$lib/api';
import { Refused } from '$lib/api-client';
import { moment } from '$lib/format';
import { paceText } from '$lib/names';
import { bests, games, history, lobby, ME, profile } from '../specimen/data.svelte';
import Failure from './Failure.svelte';
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
const home = (changes: Partial<Lobby> = {}, name: string | null = 'Ines') =>
  render(Home, { games, me: ME, name, source: { lobby: { ...lobby, ...changes }, link: 'open' } });
const sent = (fetched: ReturnType<typeof answering>, at = 0) =>
  JSON.parse((fetched.mock.calls[at]![1] as RequestInit).body as string);
const game = (title: string) => within(screen.getByRole('article', { name: title }));

describe('home', () => {
  beforeEach(() => localStorage.clear());

  test('opens a table against a bot with one click', async () => {
    const fetched = answering({ id: 'new-one', mine: [], may: [] });
    home({ mine: [] });
    await fireEvent.click(screen.getByRole('button', { name: m.home_play_now() }));
    await vi.waitFor(() => expect(location.pathname).toBe('/table/new-one'));
    expect(fetched).toHaveBeenCalledOnce();
  });

  test('remembers for each game how strong a bot one likes', async () => {
    const fetched = answering({ id: 'new-one', mine: [], may: [] });
    home();
    const menu = game(m.carnac_title()).getByRole('menu', { hidden: true });
    Object.assign(menu, { hidePopover: () => {} }); // the tests' document has no popovers
    const master = within(menu).getByRole('menuitemradio', { name: new RegExp(m.level_master()), hidden: true });
    await fireEvent.click(master);
    for (const [i, title] of [m.carnac_title(), m.kwatro_title()].entries()) {
      const play = game(title).getByRole<HTMLButtonElement>('button', { name: new RegExp(m.home_play_bot()) });
      await vi.waitFor(() => expect(play.disabled).toBe(false));
      await fireEvent.click(play);
      expect(fetched).toHaveBeenCalledTimes(i + 1);
    }
    expect([0, 1].map((at) => sent(fetched, at).seats[1].level)).toEqual(['master', 'skilled']);
  });

  test('leads to the rules and the documentation', () => {
    home();
    const leads = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
    expect(leads(m.help_rules())).toBe('/help/rules/en/index.html');
    expect(leads(m.help_documentation())).toBe('/help/');
  });

  test('says why a table could not be opened', async () => {
    answering({ code: 'bad-option', sentence: 'No such board.' }, false);
    home({ mine: [] });
    await fireEvent.click(screen.getByRole('button', { name: m.home_play_now() }));
    expect((await screen.findByRole('alert')).textContent?.trim()).toBe('That cannot be chosen. No such board.');
  });

  test('lists tables that wait, tables that run and own matches', () => {
    home();
    expect(screen.getAllByRole('link', { name: m.sit_down() })).toHaveLength(3);
    expect(screen.getAllByRole('link', { name: m.watch() })).toHaveLength(1);
    expect(screen.getAllByText(m.home_your_turn())).toHaveLength(2);
    expect(screen.getByText(m.home_their_turn({ name: 'Bo' }))).toBeTruthy();
  });

  test('greets by name who is to move, and others as always', () => {
    home();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your move, Ines.');
    cleanup();
    home({}, null);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your move.');
    cleanup();
    home({ mine: [] });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(m.home_title());
  });

  describe('removes a match that nobody else plays', () => {
    const remove = () => screen.getByRole('button', { name: m.home_remove({ game: m.kwatro_title() }) });
    beforeEach(() => vi.useFakeTimers());
    afterEach(() => vi.useRealTimers());

    test('after a while in which it can be taken back', async () => {
      const fetched = answering(undefined);
      home();
      expect(screen.queryByRole('button', { name: m.home_remove({ game: m.carnac_title() }) })).toBeNull();
      await fireEvent.click(remove());
      await fireEvent.click(screen.getByRole('button', { name: m.home_undo() }));
      vi.advanceTimersByTime(60_000);
      expect(fetched).not.toHaveBeenCalled();
      await fireEvent.click(remove());
      vi.advanceTimersByTime(7_999);
      expect(fetched).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(fetched.mock.calls).toEqual([['/api/tables/h', { method: 'DELETE', keepalive: true }]]);
    });

    test('at once when one leaves', async () => {
      const fetched = answering(undefined);
      home();
      await fireEvent.click(remove());
      cleanup();
      expect(fetched).toHaveBeenCalledOnce();
    });
  });
});

describe('a new table', () => {
  const open = () => fireEvent.click(screen.getByRole('button', { name: m.new_open() }));
  const seat = (number: number, kind: string) =>
    fireEvent.change(screen.getByLabelText(m.new_seat_kind({ seat: number })), { target: { value: kind } });

  test('is asked for with the chosen options and seats', async () => {
    const fetched = answering({ id: 'made', mine: [], may: [] });
    render(NewTable, { game: games[1]! });
    await fireEvent.click(screen.getByRole('radio', { name: 'large' }));
    await seat(2, 'invite');
    await open();
    await vi.waitFor(() => expect(location.pathname).toBe('/table/made'));
    expect(sent(fetched).options).toEqual({ board: 'large', final_tilt: false });
    expect(sent(fetched).seats).toEqual([{ kind: 'me' }, { kind: 'invite' }]);
    expect(sent(fetched).listed).toBe(false);
  });

  test('is listed as soon as a seat is for whoever comes, and says so', async () => {
    const fetched = answering({ id: 'made', mine: [], may: [] });
    render(NewTable, { game: games[1]! });
    await seat(2, 'open');
    expect(screen.getByText(m.new_anyone_help())).toBeTruthy();
    await open();
    expect(sent(fetched).listed).toBe(true);
  });

  test('that is rated has a clock, and is not rated without one', async () => {
    const fetched = answering({ id: 'made', mine: [], may: [] });
    render(NewTable, { game: games[1]! });
    const rated = screen.getByRole('checkbox', { name: new RegExp(m.new_rated()) }) as HTMLInputElement;
    expect(screen.getByText(m.new_rated_clock())).toBeTruthy();
    await fireEvent.click(rated);
    expect(rated.checked).toBe(true);
    for (const name of [m.new_takeback(), m.new_hints()])
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name }).checked).toBe(false);
    expect(screen.queryByText(m.new_rated_clock())).toBeNull();
    await open();
    expect(sent(fetched)).toMatchObject({ rated: true, clock: { kind: 'live', seconds: 900 } });
    await fireEvent.click(screen.getByRole('radio', { name: paceText(null) }));
    expect(rated.checked).toBe(false);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: m.new_hints() }).checked).toBe(true);
    await open();
    expect(sent(fetched, 1)).toMatchObject({ rated: false, clock: null });
  });

  test('has a name for everybody at this device', async () => {
    const fetched = answering({ id: 'made', mine: [], may: [] });
    render(NewTable, { game: games[1]! });
    expect(screen.queryByLabelText(m.new_name({ seat: 1 }))).toBeNull();
    await seat(2, 'me');
    await fireEvent.input(screen.getByLabelText(m.new_name({ seat: 1 })), { target: { value: 'Ann' } });
    await fireEvent.input(screen.getByLabelText(m.new_name({ seat: 2 })), { target: { value: ' Bo ' } });
    await open();
    expect(sent(fetched).seats).toEqual([
      { kind: 'me', name: 'Ann' },
      { kind: 'me', name: 'Bo' },
    ]);
  });

  test('of Carat offers two players two colours each', async () => {
    const fetched = answering({ id: 'made', mine: [], may: [] });
    render(NewTable, { game: games[0]! });
    expect(screen.queryByRole('radiogroup', { name: m.option_colours() })).toBeNull();
    await fireEvent.click(screen.getByRole('radio', { name: '2' }));
    const colours = within(screen.getByRole('radiogroup', { name: m.option_colours() }));
    await fireEvent.click(colours.getByRole('radio', { name: m.option_colours_two() }));
    await open();
    expect(sent(fetched).options).toEqual({ players: 2, hand: 1, colours: ['RB', 'YG'] });
  });

  test('for a friend has two seats', async () => {
    const fetched = answering({ id: 'made', mine: [], may: [] });
    render(NewTable, { game: games[0]!, isInvite: true });
    await open();
    expect(sent(fetched).seats).toEqual([{ kind: 'me' }, { kind: 'invite' }]);
  });
});

test('the profile tells how matches ended, and leads everybody to the ratings', () => {
  render(Profile, { profile, history, bests, games, isMe: true });
  expect(screen.getByText(m.profile_count({ count: 3, won: 1 }))).toBeTruthy();
  expect(screen.getByText(m.outcome_drawn())).toBeTruthy();
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  for (const { key } of games) expect(links).toContain(`/ratings/${key}`);
});

describe('a part of the page that is gone after a new build', () => {
  const error = new TypeError('Failed to fetch dynamically imported module');

  test('is fetched by loading the page anew, once', () => {
    sessionStorage.clear();
    const reload = vi.fn();
    vi.stubGlobal('location', { ...location, reload });
    render(Failure, { error, retry: vi.fn() });
    expect(reload).toHaveBeenCalledOnce();
    cleanup();
    render(Failure, { error, retry: vi.fn() });
    expect(reload).toHaveBeenCalledOnce();
    expect(screen.getByText(m.failure_part())).toBeTruthy();
  });

  test('tells who is kept out until when and why, once, and lets them take their data along', () => {
    const why = 'Insults.';
    const error = new Refused('banned', 'You cannot play here until 2026.', { until: 1_800_000_000, why });
    render(Failure, { error, retry: vi.fn() });
    const told = m.error_banned_until({ when: moment(1_800_000_000) });
    expect(screen.getByText(`${told} ${m.error_banned_why({ why })}`)).toBeTruthy();
    expect(screen.getByRole('link', { name: m.people_export() })).toBeTruthy();
    expect(screen.queryByRole('button', { name: m.retry() })).toBeNull();
  });
});
