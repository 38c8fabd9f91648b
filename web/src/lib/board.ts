// What a game's folder gives the table. A fifth game is a fifth folder; nothing else changes.
import type { Component, Snippet } from 'svelte';
import type { View } from './api';

export type BoardProps<V extends View = View> = {
  view: V;
  legal: string[];
  log: string[];
  /** Who sits where. */
  names?: string[];
  play: (move: string) => void;
  /** Not to be played on: it is not one's turn, the link is down, or an old position is shown. */
  disabled?: boolean;
  /** A move on its way, however it was chosen; shown as played. */
  sent?: string | null;
  /** A move to put on the board as if it had been chosen. */
  hint?: string | null;
  /** The move that is shown but not yet played. */
  pending?: string | null;
  /** What could be done with a piece of one's own; the answer is the game's. */
  preview?: (piece: string) => Promise<unknown>;
  /** What the table offers next to confirming: take back, hint, resign. */
  actions?: Snippet;
};

export type SignProps<V extends View = View> = { view: V; seat: number };
export type ExplainProps<V extends View = View> = { view: V; names?: string[]; pending: string | null };

export type LogEntry = {
  ply: number;
  number: number;
  seat: number;
  move: string;
  why: string[];
  gain: string;
};

export type Fact = { value: string; label: string };

export type GamePage<V extends View = View> = {
  Board: Component<BoardProps<V>, object, 'pending'>;
  Sign: Component<SignProps<V>>;
  /** Beside the result: a piece of the winner's. */
  Trophy: Component<SignProps<V>>;
  /** Beside the board on a desk, a row under it on a phone. */
  Explain?: Component<ExplainProps<V>>;
  isWide: boolean;
  entries: (view: V, log: string[]) => LogEntry[];
  describe: (view: V, names: string[]) => string[];
  lastMove: (view: V, log: string[], names: string[]) => string;
  /** A move as advice: "keep wool and roll the others"; for games that can be solved. */
  advice?: (move: string) => string;
  facts: (view: V) => Fact[];
  /** Beside a seat's clock: its colour. */
  about: (view: V, seat: number) => string;
  /** Below that, what the score is made of. */
  detail?: (view: V, seat: number) => string;
  /** How far the match is, for the title. */
  progress: (view: V) => string;
  /** How the result came about. */
  summary: (view: V) => string;
  /** A seat's colour for bars, as a CSS value. */
  tint: (view: V, seat: number) => string;
};
