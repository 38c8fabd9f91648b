// The games that the page can draw: what they are at once, their art and boards when needed.
import type { Component } from 'svelte';
import type { GamePage, SignProps } from '$lib/board';
import type { Lesson } from '$lib/lesson';
import type { Keys } from '../choice/keys';
import type { Lucks } from '../fairness/lots';
import type { Notation } from '../records/notation';

import.meta.glob('./*/tokens.css', { eager: true }); // each game's accent
const PLAIN = './plain/index.ts'; // for a game that has no board of its own
const pages = import.meta.glob<GamePage>('./*/index.ts', { import: 'default' });
const lessons = import.meta.glob<Lesson>('./*/lesson.ts', { import: 'default' });
const keys = import.meta.glob<Keys>('./*/keys.ts', { import: 'KEYS' });
const lucks = import.meta.glob<Lucks>('./*/luck.ts', { import: 'default' });
const notations = import.meta.glob<Notation>('./*/notation.ts', { import: 'default' });
const signs = import.meta.glob<Component<SignProps>>('./*/Sign.svelte', { import: 'default', eager: true });
const vignettes = import.meta.glob<Component>('./*/Vignette.svelte', { import: 'default' });

/** A look at a game's pieces, drawn from the real ones; they are heavy, so they come when all else is there. */
export const loadVignette = async (key: string): Promise<Component | undefined> =>
  vignettes[`./${key}/Vignette.svelte`]?.();

/** How a game marks a seat. */
export const sign = (key: string): Component<SignProps> | undefined => signs[`./${key}/Sign.svelte`];

/** The keys of every game that declares some, by the game. */
export const loadKeys = (): Promise<[string, Keys][]> =>
  Promise.all(Object.entries(keys).map(async ([path, load]) => [path.split('/')[1]!, await load()] as [string, Keys]));

/** A game's board and words. */
export const loadGame = (key: string): Promise<GamePage> => (pages[`./${key}/index.ts`] ?? pages[PLAIN]!)();

/** Whether there is an introduction to a game. */
export const hasLesson = (key: string): boolean => `./${key}/lesson.ts` in lessons;

/** A game's introduction. */
export const loadLesson = (key: string): Promise<Lesson> => lessons[`./${key}/lesson.ts`]!();

/** The games that have one. */
export const lessonKeys = Object.keys(lessons).map((path) => path.split('/')[1]!);

/** Which lots a game's draws are made of, where its folder tells. */
export const loadLuck = async (key: string): Promise<Lucks | undefined> => lucks[`./${key}/luck.ts`]?.();

/** How a game's moves are written, where its folder tells. */
export const loadNotation = async (key: string): Promise<Notation> =>
  (await notations[`./${key}/notation.ts`]?.()) ?? [];

/** Whether a game has a board of its own. */
export const hasBoard = (key: string): boolean => `./${key}/index.ts` in pages;
