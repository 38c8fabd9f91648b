// The games that the page can draw: their art at once, their boards when needed.
import type { Component } from 'svelte';
import type { GamePage } from '$lib/board';

const pages = import.meta.glob<GamePage>('./*/index.ts', { import: 'default' });
const vignettes = import.meta.glob<Component>('./*/Vignette.svelte', { import: 'default', eager: true });

export const hasBoard = (key: string) => `./${key}/index.ts` in pages;
export const vignette = (key: string): Component | undefined => vignettes[`./${key}/Vignette.svelte`];

/** A game's board and words; fails when the page has none. */
export function loadGame(key: string): Promise<GamePage> {
  const load = pages[`./${key}/index.ts`];
  return load ? load() : Promise.reject(new Error(`no board for ${key}`));
}
