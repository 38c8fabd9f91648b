// A decision of a finished match to be made again: the position as it was, any legal move to try, and
// what that would have lost. Nothing of it reaches the match.
import type { DecisionView, Position, SeatView, Tried } from '$lib/api';
import { api, Refused } from '$lib/api-client';
import type { Arrival, Refusal, Scene, TableSource } from './source';

/** Where positions and judgements come from: the server, or a test. */
export type Judge = {
  position: (ply: number) => Promise<Position>;
  try: (ply: number, move: string) => Promise<Tried>;
  preview: (ply: number, piece: string) => Promise<unknown>;
  why: (ply: number, move: string) => Promise<unknown>;
};
export const judgeOf = (id: string): Judge => ({
  position: (ply) => api.position(id, ply),
  try: (ply, move) => api.try(id, { ply, move }),
  preview: (ply, piece) => api.preview(id, ply, piece),
  why: (ply, move) => api.why(id, ply, move),
});

/** What became of a try: as good as it gets, some of the loss made good, or none of it. */
export type Outcome = { kind: 'best' | 'better' | 'none'; move: string; loss: Tried['loss'] };

const GAINED = { win: 0.005, points: 0.05 } as const; // less is no gain

export class ExerciseTable implements TableSource {
  decision: DecisionView | null = $state.raw(null);
  outcome: Outcome | null = $state.raw(null);
  sent: string | null = $state(null);
  refusal: Refusal | null = $state.raw(null);
  arrive: (arrival: Arrival) => void = () => {};
  #position: Position | null = $state.raw(null);
  #hint: { move: string } | null = $state.raw(null);

  constructor(
    readonly game: string,
    readonly seats: SeatView[],
    readonly log: (ply: number) => string[],
    readonly judge: Judge,
  ) {}

  get mine(): number[] {
    return this.#position ? [this.#position.seat] : [];
  }
  get scene(): Scene | null {
    const position = this.#position;
    return position && { view: position.view, log: this.log(position.ply), isOver: false };
  }
  get legal(): string[] {
    return this.#isHere && this.outcome?.kind !== 'best' ? (this.#position?.legal ?? []) : [];
  }
  /** The best move, where it was asked for. */
  get hint(): { move: string } | null {
    return this.#isHere ? this.#hint : null;
  }
  /** Whether the board shows the decision, and not the one before it while this one is on its way. */
  get #isHere(): boolean {
    return this.#position?.ply === this.decision?.ply;
  }

  /** Put a decision on the board as it was before it was made. */
  async show(decision: DecisionView): Promise<void> {
    [this.decision, this.outcome, this.sent, this.#hint, this.refusal] = [decision, null, null, null, null];
    try {
      const position = await this.judge.position(decision.ply);
      if (this.decision !== decision) return;
      this.#position = position;
      this.arrive({ scenes: [this.scene!], isJump: true });
    } catch (error) {
      this.#refuse(error);
    }
  }
  play(move: string): void {
    void this.#try(move);
  }
  /** Put the best move on the board. */
  answer(): void {
    if (this.decision) this.#hint = { move: this.decision.best };
  }
  /** Look on after a try. */
  again(): void {
    this.outcome = null;
  }
  preview(piece: string): Promise<unknown> {
    return this.#position ? this.judge.preview(this.#position.ply, piece) : Promise.resolve([]);
  }
  why(move: string): Promise<unknown> {
    return this.#position ? this.judge.why(this.#position.ply, move) : Promise.resolve(null);
  }

  async #try(move: string): Promise<void> {
    const { decision } = this;
    if (!decision) return;
    [this.sent, this.outcome, this.#hint, this.refusal] = [move, null, null, null];
    try {
      const loss = await this.#lossOf(decision, move);
      if (this.decision === decision && this.sent === move) this.outcome = this.#judged(decision, move, loss);
    } catch (error) {
      if (this.decision === decision) this.#refuse(error);
    }
    if (this.decision === decision) this.sent = null;
  }
  /** What the review knows already need not be asked. */
  async #lossOf(decision: DecisionView, move: string): Promise<Tried['loss']> {
    if (move === decision.best) return { win: 0, points: 0 };
    return move === decision.move ? decision.loss : (await this.judge.try(decision.ply, move)).loss;
  }
  #judged(decision: DecisionView, move: string, loss: Tried['loss']): Outcome {
    const scale = this.seats.length === 1 ? 'points' : 'win';
    if (loss[scale] < GAINED[scale]) return { kind: 'best', move, loss };
    return { kind: decision.loss[scale] - loss[scale] > GAINED[scale] ? 'better' : 'none', move, loss };
  }
  #refuse(error: unknown): void {
    const { code, message } = error instanceof Refused ? error : new Refused('failed', '');
    this.refusal = { code, sentence: message };
  }
}
