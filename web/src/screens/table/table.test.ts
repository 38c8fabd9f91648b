import * as m from '$messages';
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { TableMessage } from '$lib/api';
import { loadGame } from '../../games';
import type { Live } from '../../sources/live.svelte';
import { position, sharedTable, StillTable, tableOf, waitingTable } from '../../specimen/data.svelte';
import Table from '../Table.svelte';

HTMLElement.prototype.hidePopover ??= () => {}; // this document has none
afterEach(cleanup);

/** A table as it stands; what is sent and played from it. */
const show = async (table: TableMessage, changes: Partial<Live> = {}) => {
  const [send, play] = [vi.fn(async () => true), vi.fn()];
  const source = Object.assign(new StillTable(table), { send, play }, changes);
  render(Table, { source, game: await loadGame(table.game) });
  await screen.findByRole('list', { name: 'Seats' }, { timeout: 5000 });
  return { send, play };
};

describe('a table', () => {
  test('offers a spectator nothing to play', async () => {
    await show(tableOf(position('carat-watched')));
    expect(screen.queryByLabelText('Move')).toBeNull();
    expect(screen.queryAllByRole('button', { name: /^[a-f][1-6]: free/ })).toEqual([]);
  });

  test('asks before resigning', async () => {
    const { send } = await show(tableOf(position('carat-middle')));
    const [menu, confirm] = screen.getAllByRole('button', { name: 'Resign', hidden: true });
    await fireEvent.click(menu!);
    expect(send).not.toHaveBeenCalled();
    await fireEvent.click(confirm!);
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'resign' });
  });

  test('answers an offer', async () => {
    const { send } = await show(
      tableOf(position('carat-middle'), { offer: { kind: 'takeback', seat: 0, agreed: [0] }, may: ['reply'] }),
    );
    await fireEvent.click(screen.getByRole('button', { name: 'Accept' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'reply', accept: true });
  });

  test('gives an absent seat to a bot', async () => {
    const { send } = await show(tableOf(position('carat-middle'), { may: ['handover'] }));
    await fireEvent.click(screen.getByRole('button', { name: 'Let a bot play on' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'handover', seat: 3 });
  });

  test('hides the next hand at a shared device until it is asked for, never the board', async () => {
    await show(sharedTable());
    expect(screen.getByRole('group', { name: /^Carat/ })).toBeTruthy();
    expect(screen.queryByRole('group', { name: 'Your tiles' })).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Show my hand' }));
    expect(screen.getByRole('group', { name: 'Your tiles' })).toBeTruthy();
  });

  test('tells nothing of a covered hand in the log, the move field and the words', async () => {
    await show(sharedTable());
    const [tile] = (position('carat-start').view as unknown as { hands: string[][] }).hands.find(Array.isArray)!;
    expect(screen.queryByLabelText('Move')).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'In words' }));
    expect(document.body.textContent).not.toContain('In your hand');
    expect(document.body.innerHTML).not.toContain(tile);
    await fireEvent.click(screen.getByRole('button', { name: 'Show my hand' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Moves' }));
    expect(screen.getByLabelText<HTMLInputElement>('Move').placeholder).toContain('=');
  });

  test('shows a link and its code while somebody is missing', async () => {
    const { send } = await show(waitingTable());
    expect(await screen.findByRole('img', { name: 'The link as a QR code' })).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Link to this table').value).toMatch(/\?invite=secret$/);
    await fireEvent.click(screen.getByRole('button', { name: 'Stand up' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'leave' });
  });

  test('tells the result and offers a rematch', async () => {
    const { send } = await show(tableOf(position('carat-over')));
    expect(screen.getByRole('region', { name: 'Result' }).textContent).toContain('wins by 2.');
    await fireEvent.click(screen.getByRole('button', { name: 'Rematch' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'offer', kind: 'rematch' });
  });

  test('takes a hint onto the board, to be confirmed', async () => {
    const shown = position('carat-middle');
    const move = shown.legal.at(-1)!;
    const { play } = await show(tableOf(shown), { hint: { move } });
    await fireEvent.click(screen.getByRole('button', { name: `Place on ${move.slice(0, 2)}` }));
    expect(play).toHaveBeenCalledExactlyOnceWith(move);
  });

  test('names what is advised in words', async () => {
    const shown = position('carat-middle');
    const reason = { gain: 8, answer: 4.2, by: 3, usual: 9, follow: null };
    const hints = [
      { move: 'b4=3RYBG', reason },
      { move: 'c4=3RYBG', reason: null },
    ];
    const advise = vi.fn();
    await show(tableOf(shown), { hints, hint: { move: 'b4=3RYBG' }, advise });
    const told = screen.getByText(/The bot would play/).parentElement!.textContent;
    expect(told).toContain('3 on b4');
    expect(told).toContain('It scores 8 points.');
    expect(told).toMatch(/can then take 4 at most; after most other moves it would be 9\./);
    await fireEvent.click(screen.getByRole('radio', { name: '2' }));
    expect(advise).toHaveBeenCalledExactlyOnceWith('c4=3RYBG');
  });

  test('says that an own move is on its way', async () => {
    const shown = position('carat-middle');
    await show(tableOf(shown), { sent: shown.legal[0]! });
    expect(screen.getAllByText('Sent …')).toHaveLength(2);
  });

  test('numbers bots that would be called the same', async () => {
    const table = tableOf(position('carat-middle'));
    const bot = table.seats.find(({ kind }) => kind === 'bot')!;
    await show({ ...table, seats: table.seats.map((seat, i) => (i === 2 ? seat : bot)) });
    const seats = screen.getByRole('list', { name: 'Seats' }).textContent;
    expect(seats).toContain('Skilled bot 1');
    expect(seats).toContain('Skilled bot 3');
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
    const { send } = await show(tableOf(position('carat-middle'), { may: ['return'] }));
    await fireEvent.click(screen.getByRole('button', { name: 'Take your seat back' }));
    expect(send).toHaveBeenCalledExactlyOnceWith({ type: 'return' });
  });

  test('says so at once when the line is broken, and takes no move', async () => {
    await show(tableOf(position('carat-middle')), { link: 'lost' });
    expect(screen.getByRole('alert').textContent).toContain(m.link_lost());
    expect(screen.queryAllByRole('button', { name: /^[a-f][1-6]: free/ })).toEqual([]);
  });
});
