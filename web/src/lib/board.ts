// What a game's folder gives the page. A fifth game is a fifth folder; nothing else changes.
import type { Component } from 'svelte';
import type { Keys } from '../choice/keys';
import type { Turn } from '../choice/choice.svelte';
import type { Beat, Step, Telling } from '../moments/telling';
import type { View } from './api';

export type BoardProps<V extends View = View> = {
  view: V;
  log: string[];
  /** Who sits where. */
  names: string[];
  turn: Turn;
  /** What is being told of the last move; what it has not told yet is not to be seen yet. */
  beat: Beat | null;
};

export type SignProps<V extends View = View> = { view: V; seat: number };

/** A line of the log. */
export type LogEntry = {
  ply: number;
  number: number;
  seat: number;
  /** The move in words. */
  text: string;
  /** The same in notation, for those who want it. */
  move: string;
  why: string[];
  gain: string;
};

export type Fact = { value: string; label: string };

/**
 * How the frame divides a desk: the hand `below` the board with the seats and the log beside it, or
 * `beside` the board, which then has the whole height, with the log behind a tab.
 */
export type Layout = 'below' | 'beside';

export type GamePage<V extends View = View> = {
  /** Draws into the frame's places: board, strip, hand, confirm, explain. */
  Board: Component<BoardProps<V>>;
  Sign: Component<SignProps<V>>;
  /** Beside the result: a piece of the winner's. */
  Trophy: Component<SignProps<V>>;
  /** In a seat's card where there is room: what it has built. */
  SeatArt?: Component<SignProps<V>>;
  /** In a line of the log: its pieces as pictures. */
  EntryArt?: Component<{ view: V; entry: LogEntry }>;
  layout: Layout;
  keys: Keys;
  /** A move, and what it scored, in sentences. */
  tell: (step: Step<V>) => Telling;
  entries: (view: V, log: string[], names: string[]) => LogEntry[];
  /** The position for the ear. */
  describe: (view: V, names: string[]) => string[];
  /** A move as advice: "keep wool and roll the others". */
  advice: (view: V, move: string) => string;
  facts: (view: V) => Fact[];
  /** Beside a seat's clock: its colour. */
  about: (view: V, seat: number) => string;
  /** Below that, what the score is made of. */
  detail?: (view: V, seat: number) => string;
  /** How far the match is, for the head. */
  progress: (view: V) => string;
  /** How the result came about. */
  summary: (view: V) => string;
  /** A seat's colour for bars, as a CSS value. */
  tint: (view: V, seat: number) => string;
};
