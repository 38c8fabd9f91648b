// What a game's folder gives the page. A fifth game is a fifth folder; nothing else changes.
import type { Component } from 'svelte';
import type { Keys } from '../choice/keys';
import type { Turn } from '../choice/choice.svelte';
import type { Beat, Step, Telling } from '../moments/telling';
import type { DecisionView, View } from './api';

export type Verdict = DecisionView['verdict'];

/** What a review draws on a board that shows the position after a decision. */
export type Marks<V extends View = View> = {
  /** The position in which it was made. */
  before: V;
  /** Lies on the board already: a solid ring with the verdict's sign; null is not judged yet. */
  played: { move: string; verdict: Verdict | null };
  /** Does not lie there: a dashed ring, a star, the piece a little faded. */
  better: string | null;
};

export type BoardProps<V extends View = View> = {
  view: V;
  log: string[];
  /** Who sits where. */
  names: string[];
  turn: Turn;
  /** What is being told of the last move; what it has not told yet is not to be seen yet. */
  beat: Beat | null;
  /** In a review: the move that led here, and a better one. */
  marks?: Marks<V> | null;
  /** In a review, when all hands are shown: the view of every seat; else only one's own hand is. */
  hands?: V[] | null;
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

export type ReviewWords<V extends View = View> = {
  /** What the graph of expected points is called. */
  points: () => string;
  /** In which turn a decision was made, by its ply: "turn 19". */
  turn: (view: V, ply: number, log: string[]) => string;
  /** A moment of chance in words, with the seat that drew or rolled; null where there is nothing to tell. */
  chance: (before: V, after: V, move: string, names: string[]) => { seat: number | null; text: string } | null;
  /** In a line of the log: what chance brought, as pictures. */
  ChanceArt?: Component<{ view: V; move: string }>;
};

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
  /** The board is much wider than high: in a review the verdict stands under it. */
  isWide?: boolean;
  keys: Keys;
  /** A move, and what it scored, in sentences. */
  tell: (step: Step<V>) => Telling;
  entries: (view: V, log: string[], names: string[]) => LogEntry[];
  /** The position for the ear. */
  describe: (view: V, names: string[]) => string[];
  /** A move as advice: "keep wool and roll the others". */
  advice: (view: V, move: string) => string;
  facts: (view: V) => Fact[];
  /** So much of what is scored, in words; points unless the game counts something else. */
  amount?: (count: number) => string;
  /** Beside a seat's clock: its colour. */
  about: (view: V, seat: number) => string;
  /** Below that, what the score is made of. */
  detail?: (view: V, seat: number) => string;
  /** How far the match is, for the head. */
  progress: (view: V) => string;
  /** How the result came about. */
  summary: (view: V) => string;
  /** What a review says of the game. */
  review: ReviewWords<V>;
  /** A seat's colour for bars, as a CSS value. */
  tint: (view: V, seat: number) => string;
};
