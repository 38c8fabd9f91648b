import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Choice, type Turn } from './choice.svelte';

const blank: Turn = {
  ply: 3,
  legal: ['a', 'b'],
  sent: null,
  hint: null,
  refusal: null,
  play: vi.fn(),
  preview: async () => null,
  why: async () => null,
};

let turn: Turn = $state.raw(blank);
let choice: Choice<{ move: string | null }>;
let close: () => void;
const tell = (changes: Partial<Turn>) => {
  turn = { ...turn, ...changes };
  flushSync();
};

beforeEach(() => {
  turn = blank;
  close = $effect.root(() => {
    choice = new Choice<{ move: string | null }>(() => turn, {
      blank: () => ({ move: null }),
      write: ({ move }) => move,
      read: (move) => ({ move }),
      reason: String,
    });
  });
  flushSync();
});
afterEach(() => close());

test('what is chosen stays while others talk and while it is on its way', () => {
  choice.choose({ move: 'b' });
  tell({ legal: ['a', 'b'] });
  tell({ sent: 'b' });
  expect(choice.draft).toEqual({ move: 'b' });
});

test('at the next ply it is forgotten', () => {
  choice.choose({ move: 'b' });
  tell({ ply: 4 });
  expect(choice.draft).toEqual({ move: null });
});

test('a hint is put on the board once; what one chooses then stays', () => {
  tell({ hint: { move: 'a' } });
  expect(choice.move).toBe('a');
  choice.choose({ move: 'b' });
  tell({ legal: ['a', 'b'] });
  expect(choice.move).toBe('b');
  tell({ hint: { move: 'a' } });
  expect(choice.move).toBe('a');
});

test('a complaint is gone with the next choice, whatever is told meanwhile', () => {
  tell({ refusal: { code: 'illegal-move', sentence: '', reason: 'not there' } });
  expect(choice.complaint).toBe('not there');
  choice.choose({ move: 'b' });
  tell({ legal: ['a', 'b'] });
  expect(choice.complaint).toBe('');
});
