import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Judged, Review } from '$lib/api';
import type { Live } from '../../sources/live.svelte';
import { settings } from '$lib/settings.svelte';
import { loadGame } from '../../games';
import { position, StillTable, tableOf } from '../../specimen/data.svelte';
import Table from '../Table.svelte';
import { inAll, Reviewer, verdicts } from './review.svelte';

beforeAll(() => loadGame('catan_dice'), 30_000);
afterEach(() => {
  cleanup();
  settings.review = false;
});

const judged = (ply: number, loss: number, best = 'keep gg'): Judged => ({ ply, loss, best });
const entry = (ply: number) => ({ ply, number: 1, seat: 0, text: '', move: '', why: [], gain: '' });

describe('the reviewer', () => {
  const answers = (decisions: Judged[], ply: number) =>
    vi.fn(async (since: number): Promise<Review> => ({
      solved: true,
      ply,
      decisions: decisions.filter((one) => one.ply >= since),
    }));

  test('asks for what is new, and forgets what was taken back', async () => {
    const reviewer = new Reviewer();
    const first = answers([judged(1, 0), judged(3, 1)], 5);
    reviewer.ask(5, first);
    reviewer.ask(5, first);
    await vi.waitFor(() => expect(reviewer.decisions).toHaveLength(2));
    expect(first).toHaveBeenCalledExactlyOnceWith(0);
    reviewer.ask(3, first);
    await vi.waitFor(() => expect(reviewer.decisions).toHaveLength(1));
    const second = answers([judged(1, 0), judged(3, 2)], 4);
    reviewer.ask(4, second);
    await vi.waitFor(() => expect(reviewer.decisions).toEqual([judged(1, 0), judged(3, 2)]));
    expect(second).toHaveBeenCalledExactlyOnceWith(3);
  });

  test('goes on after a failure', async () => {
    const reviewer = new Reviewer();
    reviewer.ask(2, () => Promise.reject(new Error('away')));
    await vi.waitFor(() => expect(reviewer.state).toBe('failed'));
    reviewer.ask(2, answers([judged(1, 0)], 2));
    await vi.waitFor(() => expect(reviewer.state).toBe('solved'));
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
    const own = { send: vi.fn(async () => true), review: vi.fn(still.review) };
    const source = Object.assign(still, own, changes);
    render(Table, { source, game: await loadGame('catan_dice') });
    await screen.findByRole('list', { name: 'Seats' }, { timeout: 5000 });
    return source;
  };
  const toggle = () => fireEvent.click(screen.getByRole('switch', { name: 'Compare with the best choice' }));

  test('compares with the best choice only if that is wished', async () => {
    const source = await show();
    expect(source.review).not.toHaveBeenCalled();
    await toggle();
    expect(await screen.findByText(/^Turn 9: /)).toBeTruthy();
    expect(screen.getAllByText(/Better: keep .*grain and roll the others/).length).toBeGreaterThan(0);
    expect(localStorage.getItem('review')).toBe('on');
    expect(source.send).not.toHaveBeenCalled();
  });

  test('offers to solve the game, and does not by itself', async () => {
    const source = await show({ review: async () => ({ solved: false, ply: 0, decisions: [] }) });
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
