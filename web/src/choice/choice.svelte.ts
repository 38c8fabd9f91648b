// What every board repeats: may one act, what is chosen but not yet confirmed, what was hinted,
// sent or refused. A board keeps its half-made choice in `draft` and says how a draft becomes a
// move and a move a draft; everything is forgotten at the next ply.
import { untrack } from 'svelte';
import type { Picture } from '$lib/api';
import type { Refusal } from '../sources/source';

/** What the frame lets a board do at the ply that it shows. */
export type Turn = {
  ply: number;
  /** The moves one may choose from; none while one looks on. */
  legal: string[];
  /** One's own move on its way. */
  sent: string | null;
  hint: { move: string } | null;
  refusal: Refusal | null;
  play: (move: string) => void;
  /** Takes one's last move back; answers whether it was done. */
  undo?: (() => Promise<boolean>) | null;
  preview: (piece: string) => Promise<unknown>;
  why: (move: string) => Promise<unknown>;
  picture?: (ply: number, isOpen: boolean) => Promise<Picture>;
};

type Ways<D> = {
  /** Nothing chosen yet. */
  blank: () => D;
  /** The move that a draft stands for, once it is whole. */
  write: (draft: D) => string | null;
  /** The draft that stands for a move, so that a hint lies on the board as if chosen. */
  read: (move: string) => D;
  /** A reason of the game's in words; without one the refusal has no more to say. */
  reason?: (reason: unknown) => string;
};

export class Choice<D> {
  draft: D = $state() as D;
  /** Why the last thing one tried cannot be done. */
  complaint: string = $state('');

  #turn: () => Turn;
  #ways: Ways<D>;

  constructor(turn: () => Turn, ways: Ways<D>) {
    this.#turn = turn;
    this.#ways = ways;
    this.draft = ways.blank();
    // Each by itself: the turn is told anew with every message, and most change none of them.
    const ply = $derived(this.turn.ply);
    const hint = $derived(this.turn.hint);
    const refusal = $derived(this.turn.refusal);
    $effect.pre(() => {
      void ply;
      untrack(() => this.cancel());
    });
    $effect.pre(() => {
      const told = hint;
      untrack(() => {
        if (told && this.turn.legal.includes(told.move)) this.draft = ways.read(told.move);
      });
    });
    $effect.pre(() => {
      const told = refusal;
      if (told) untrack(() => (this.complaint = this.#told(told.reason)));
    });
  }

  get turn(): Turn {
    return this.#turn();
  }
  get legal(): string[] {
    return this.isActive ? this.turn.legal : [];
  }
  /** Whether one may choose now. */
  get isActive(): boolean {
    return this.turn.legal.length > 0 && this.turn.sent === null;
  }
  /** The move that confirming would play. */
  get move(): string | null {
    const move = this.#ways.write(this.draft);
    return move !== null && this.legal.includes(move) ? move : null;
  }
  /** The move to draw: chosen, or already on its way. */
  get shown(): string | null {
    return this.turn.sent ?? this.move;
  }

  /** Choose; what was complained of is settled. */
  choose(draft: D): void {
    if (!this.isActive) return;
    this.complaint = '';
    this.draft = draft;
  }
  cancel(): void {
    this.complaint = '';
    this.draft = this.#ways.blank();
  }
  confirm(): void {
    if (this.move !== null) this.play(this.move);
  }
  /** Play a move that needs no confirming, because choosing it took a decision of its own. */
  play(move: string): void {
    if (this.legal.includes(move)) this.turn.play(move);
  }
  /** Somebody tried what cannot be done: ask why, and say it. */
  async refuse(move: string): Promise<void> {
    if (!this.isActive) return;
    const { ply } = this.turn;
    const reason = await this.turn.why(move).catch(() => null);
    if (ply === this.turn.ply) this.complaint = this.#told(reason);
  }

  #told(reason: unknown): string {
    return reason ? (this.#ways.reason?.(reason) ?? '') : '';
  }
}
