// Anything that has a table at a moment: a live one, a lesson, a record. The frame and the boards
// know no more of it than this.
import type { Picture, SeatView, View } from '$lib/api';

/** What lies on the table after a move. Never changed, only followed by another. */
export type Scene = { view: View; log: string[]; isOver: boolean };

/** Scenes that follow each other, the present last. After a jump nobody saw what lies between. */
export type Arrival = { scenes: Scene[]; isJump: boolean };

/** Why something could not be done; `reason` is a game's, in parts. */
export type Refusal = { code: string; sentence: string; reason?: unknown };

export interface TableSource {
  readonly game: string;
  readonly seats: SeatView[];
  /** One's own seats. */
  readonly mine: number[];
  /** The present; none before the match. */
  readonly scene: Scene | null;
  /** The moves one may choose from at present. */
  readonly legal: string[];
  /** One's own move that the table does not show yet. */
  readonly sent: string | null;
  /** A move that was advised; each time a new object. */
  readonly hint: { move: string } | null;
  /** Why one's last move was not taken. */
  readonly refusal: Refusal | null;
  /** Called with what comes; one listens at a time. */
  arrive: (arrival: Arrival) => void;
  play(move: string): void;
  /** Takes one's last move back, where that may be asked for; within a turn it needs nobody's leave. */
  readonly undo?: (() => Promise<boolean>) | null;
  /** What one could do now with a piece of one's own, as the game tells it. */
  preview(piece: string): Promise<unknown>;
  /**
   * The position after so many moves as shapes, where a game may have no board of its own; `isOpen`
   * leaves out what only one's own seat sees.
   */
  picture?(ply: number, isOpen: boolean): Promise<Picture>;
  /** Why a move may not be played now, in the game's parts; null if it may or nobody knows. */
  why(move: string): Promise<unknown>;
}
