// A board that is only looked at.
import type { Turn } from './choice.svelte';

/** Nothing may be chosen, nothing is asked. */
export const still = (ply: number): Turn => ({
  ply,
  legal: [],
  sent: null,
  hint: null,
  refusal: null,
  play: () => {},
  preview: () => Promise.resolve(null),
  why: () => Promise.resolve(null),
});
