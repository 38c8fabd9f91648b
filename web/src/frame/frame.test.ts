import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatLine } from '$lib/api';
import Chat from './Chat.svelte';
import Clock from './Clock.svelte';
import Deadline from './Deadline.svelte';
import Notation from './Notation.svelte';

afterEach(cleanup);

describe('the notation field', () => {
  const legal = ['a1rr', 'a1rw', 'b1rr'];
  const type = async (text: string) => {
    const play = vi.fn();
    render(Notation, { legal, play });
    await fireEvent.input(screen.getByLabelText('Move'), { target: { value: text } });
    return play;
  };
  const submit = () => fireEvent.submit(document.querySelector('form')!);

  test('plays a legal move', async () => {
    const play = await type(' A1RW ');
    await submit();
    expect(play).toHaveBeenCalledExactlyOnceWith('a1rw');
  });

  test('plays what only one move begins with', async () => {
    const play = await type('b');
    await submit();
    expect(play).toHaveBeenCalledExactlyOnceWith('b1rr');
  });

  test('offers what begins so', async () => {
    await type('a1');
    expect([...document.querySelectorAll('option')].map((option) => option.value)).toEqual(['a1rr', 'a1rw']);
  });

  test('completes with Tab as far as the moves agree', async () => {
    await type('a');
    await fireEvent.keyDown(screen.getByLabelText('Move'), { key: 'Tab' });
    expect(screen.getByLabelText<HTMLInputElement>('Move').value).toBe('a1r');
  });

  test('says what is wrong and plays nothing', async () => {
    const play = await type('c9ww');
    await submit();
    expect(play).not.toHaveBeenCalled();
    expect(screen.getByRole('status').textContent).toBe('c9ww is not possible here.');
  });
});

describe('the talk', () => {
  const line = (number: number, player: string): ChatLine => ({
    number,
    at: 0,
    player,
    name: player,
    text: `${number}`,
  });

  test('keeps the text of a line that was refused', async () => {
    const say = vi.fn(async () => false);
    render(Chat, { lines: [line(1, 'Jo')], say, refusal: 'Too fast.' });
    const field = screen.getByLabelText<HTMLInputElement>('Say something');
    await fireEvent.input(field, { target: { value: 'hello there' } });
    await fireEvent.submit(field.closest('form')!);
    await vi.waitFor(() => expect(field.value).toBe('hello there'));
    expect(screen.getByRole('alert').textContent).toBe('Too fast.');
  });

  test('forgets it once it was taken', async () => {
    render(Chat, { lines: [], say: async () => true });
    const field = screen.getByLabelText<HTMLInputElement>('Say something');
    await fireEvent.input(field, { target: { value: 'hello there' } });
    await fireEvent.submit(field.closest('form')!);
    await vi.waitFor(() => expect(field.value).toBe(''));
  });
});

describe('time', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  test('counts from when the turn began, also right after it began', async () => {
    const { rerender } = render(Clock, { seconds: 60, isRunning: false, at: 0 });
    vi.setSystemTime(1_100_000);
    await rerender({ seconds: 60, isRunning: true, at: 1_100_000 });
    expect(screen.getByRole('timer').textContent).toBe('1:00');
    await rerender({ seconds: 60, isRunning: true, at: 1_090_000 });
    expect(screen.getByRole('timer').textContent).toBe('0:50');
  });

  test('over days is told as a date and as what is left', () => {
    render(Deadline, { at: 1_000 + 2 * 86_400 + 4 * 3_600, ahead: 0 });
    expect(screen.getByRole('timer').textContent).toMatch(/2 days 4 hr.*until/);
  });
});
