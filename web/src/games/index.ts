// The games that the page can draw: their art at once, their boards when needed.
import type { Component } from 'svelte';
import type { GamePage } from '$lib/board';
import type { Lesson } from '$lib/lesson';

const PLAIN = './plain/index.ts'; // for a game that has no board of its own
const pages = import.meta.glob<GamePage>('./*/index.ts', { import: 'default' });
const lessons = import.meta.glob<Lesson>('./*/lesson.ts', { import: 'default' });
const vignettes = import.meta.glob<Component>('./*/Vignette.svelte', { import: 'default', eager: true });

export const vignette = (key: string): Component | undefined => vignettes[`./${key}/Vignette.svelte`];

/** A game's board and words. */
export const loadGame = (key: string): Promise<GamePage> => (pages[`./${key}/index.ts`] ?? pages[PLAIN]!)();

/** Whether there is an introduction to a game. */
export const hasLesson = (key: string): boolean => `./${key}/lesson.ts` in lessons;

/** A game's introduction. */
export const loadLesson = (key: string): Promise<Lesson> => lessons[`./${key}/lesson.ts`]!();

/** The games that have one. */
export const lessonKeys = Object.keys(lessons).map((path) => path.split('/')[1]!);
