// A guided first match as a source: a step asks for something, right moves go on, others are told
// why not.
import type { SeatView } from '$lib/api';
import type { Lesson, Step } from '$lib/lesson';
import type { Arrival, Scene, TableSource } from './source';

const PAUSE = 700; // milliseconds in which one sees one's own move before the answer
export const LEARNER = 0; // the seat

export class LessonTable implements TableSource {
  at = $state(0);
  sent: string | null = $state(null);
  hint: { move: string } | null = $state.raw(null);
  /** What the coach says to a move that was not meant. */
  advice: string | null = $state(null);
  readonly refusal = null;
  readonly mine = [LEARNER];
  arrive: (arrival: Arrival) => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly game: string,
    readonly lesson: Lesson,
    readonly seats: SeatView[],
    at: number,
  ) {
    this.at = at in lesson.steps ? at : 0;
  }

  get step(): Step {
    return this.lesson.steps[this.at]!;
  }
  get scene(): Scene {
    return sceneOf(this.step);
  }
  get legal(): string[] {
    return this.step.right ? this.step.legal : [];
  }
  get beats(): number {
    return Math.max(...this.lesson.steps.map(({ beat }) => beat)) + 1;
  }

  go(next: number): void {
    const isJump = this.lesson.steps[next]!.beat < this.step.beat;
    [this.at, this.sent, this.hint, this.advice] = [next, null, null, null];
    this.arrive({ scenes: [this.scene], isJump });
  }
  play(move: string): void {
    const next = this.step.right?.[move];
    this.hint = null;
    if (next === undefined) {
      this.advice =
        (this.step.wrong?.find(({ moves }) => moves.includes(move))?.text ?? this.step.otherwise)?.() ?? null;
      return;
    }
    [this.sent, this.advice] = [move, null];
    this.#timer = setTimeout(() => this.go(next), this.lesson.steps[next]!.right ? 0 : PAUSE);
  }
  /** Put a right move on the board. */
  show(): void {
    const [move] = Object.keys(this.step.right ?? {});
    if (move !== undefined) this.hint = { move };
  }
  preview(): Promise<unknown> {
    return Promise.resolve([]);
  }
  why(): Promise<unknown> {
    return Promise.resolve(null);
  }
  close(): void {
    clearTimeout(this.#timer);
  }
}

const sceneOf = ({ view, log }: Step): Scene => ({ view, log, isOver: false });
