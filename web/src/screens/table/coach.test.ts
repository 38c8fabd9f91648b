import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CoachView, Judged } from '$lib/api';
import type { Live } from '../../sources/live.svelte';
import { settings } from '$lib/settings.svelte';
import { loadGame } from '../../games';
import { position, StillTable, tableOf } from '../../specimen/data.svelte';
import Table from '../Table.svelte';
import { inAll, Coach, verdicts } from './coach.svelte';

beforeAll(() => loadGame('catan_dice'), 30_000);
afterEach(() => {
  cleanup();
  settings.coach = false;
});

const judged = (ply: number, loss: number, best = 'keep gg'): Judged => ({ ply, loss, best });
const entry = (ply: number) => ({ ply, number: 1, seat: 0, text: '', move: '', why: [], gain: '' });

describe('the coach', () => {
  const answers = (decisions: Judged[], ply: number) =>
    vi.fn(async (since: number): Promise<CoachView> => ({
      solved: true,
      ply,
      decisions: decisions.filter((one) => one.ply >= since),
    }));

  test('asks for what is new, and forgets what was taken back', async () => {
    const coach = new Coach();
    const first = answers([judged(1, 0), judged(3, 1)], 5);
    coach.ask(5, first);
    coach.ask(5, first);
    await vi.waitFor(() => expect(coach.decisions).toHaveLength(2));
    expect(first).toHaveBeenCalledExactlyOnceWith(0);
    coach.ask(3, first);
    await vi.waitFor(() => expect(coach.decisions).toHaveLength(1));
    const second = answers([judged(1, 0), judged(3, 2)], 4);
    coach.ask(4, second);
    await vi.waitFor(() => expect(coach.decisions).toEqual([judged(1, 0), judged(3, 2)]));
    expect(second).toHaveBeenCalledExactlyOnceWith(3);
  });

  test('goes on after a failure', async () => {
    const coach = new Coach();
    coach.ask(2, () => Promise.reject(new Error('away')));
    await vi.waitFor(() => expect(coach.state).toBe('failed'));
    coach.ask(2, answers([judged(1, 0)], 2));
    await vi.waitFor(() => expect(coach.state).toBe('solved'));
  });
});

test('a turn’s verdict adds its losses up and names what was better than the worst', () => {
  const decisions = [judged(1, 0.4, 'a'), judged(3, 1, 'b'), judged(4, 0), judged(8, 0.01)];
  const told = verdicts([entry(5), entry(8), entry(9)], decisions, (move) => `do ${move}`);
  expect([...told]).toEqual([
    [5, '1.4 points below the best. Better: do b.'],
    [8, 'no better choice.'],
  ]);
  expect(inAll(decisions)).toBe('In all 1.4 points below the best choices.');
});

describe('a table for one', () => {
  const show = async (changes: Partial<Live> = {}, name = 'catan_dice-alone') => {
    const still = new StillTable(tableOf(position(name)));
    const own = { send: vi.fn(async () => true), coach: vi.fn(still.coach) };
    const source = Object.assign(still, own, changes);
    render(Table, { source, game: await loadGame('catan_dice') });
    await screen.findByRole('list', { name: 'Seats' }, { timeout: 5000 });
    return source;
  };
  const toggle = () => fireEvent.click(screen.getByRole('switch', { name: 'Compare with the best choice' }));

  test('compares with the best choice only if that is wished', async () => {
    const source = await show();
    expect(source.coach).not.toHaveBeenCalled();
    await toggle();
    expect(await screen.findByText(/^Turn 9: /)).toBeTruthy();
    expect(screen.getAllByText(/Better: keep .*grain and roll the others/).length).toBeGreaterThan(0);
    expect(localStorage.getItem('coach')).toBe('on');
    expect(source.send).not.toHaveBeenCalled();
  });

  test('offers to solve the game, and does not by itself', async () => {
    const source = await show({ coach: async () => ({ solved: false, ply: 0, decisions: [] }) });
    await toggle();
    const solve = await screen.findByRole('button', { name: 'Solve it now' });
    expect(source.send).not.toHaveBeenCalled();
    await fireEvent.click(solve);
    expect(source.send).toHaveBeenCalledExactlyOnceWith({ type: 'solve' });
  });

  test('ends with one’s best results', async () => {
    await show({}, 'catan_dice-done');
    expect(await screen.findByText('Your best: 97. This is number 3 on your list.')).toBeTruthy();
  });

  test('is the only one that compares', async () => {
    await show({}, 'catan_dice-roll');
    expect(screen.queryByRole('switch')).toBeNull();
  });
});
