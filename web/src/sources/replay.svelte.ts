// A finished match as a source: every position of it, as one of its seats saw it. Positions come in
// pieces, those about the cursor first; where one lands at once, nothing is told.
import { untrack } from 'svelte';
import type { Replay, SeatView, View } from '$lib/api';
import { api } from '$lib/api-client';
import type { Arrival, Scene, TableSource } from './source';

const PIECE = 64; // positions an answer has at most

/** Where the positions come from: the server, or a test. */
export type Ask = (since: number, seat: number | null) => Promise<Replay>;

/** What a seat saw, as far as it is known. */
type Sight = { log: string[]; views: ReadonlyMap<number, View> };

export class ReplayTable implements TableSource {
  /** How many moves have been played where one looks. */
  at = $state(0);
  /** Moves of the match. */
  total = $state(0);
  /** Who moved, by ply; null is chance. */
  actors: (number | null)[] = $state.raw([]);
  /** Whose eyes; null is an onlooker's. */
  eyes: number | null = $state(null);
  /** What kept the positions from coming. */
  failure: unknown = $state.raw(null);

  readonly mine: number[] = []; // nobody is to act
  readonly legal: string[] = [];
  readonly sent = null;
  readonly hint = null;
  readonly refusal = null;
  arrive: (arrival: Arrival) => void = () => {};

  #sights: ReadonlyMap<number | null, Sight> = $state.raw(new Map());
  #asked = new Map<string, Promise<void>>();
  #isClosed = false;
  #ask: Ask;

  constructor(
    readonly game: string,
    readonly seats: SeatView[],
    id: string,
    eyes: number | null,
    ask: Ask = (since, seat) => api.replay(id, since, seat),
  ) {
    this.#ask = ask;
    this.eyes = eyes;
  }

  /** Load what is needed to begin at a ply, or at the end; the rest follows by itself. */
  async open(ply: number | null): Promise<void> {
    await this.#load(ply ?? 0, this.eyes);
    if (this.failure) return;
    this.at = this.nearest(ply ?? this.total);
    await this.#load(this.at, this.eyes);
    void this.#rest();
  }

  /** A position that there is. */
  nearest(ply: number): number {
    return Math.max(0, Math.min(this.total, Math.round(ply)));
  }

  get log(): string[] {
    return this.#sights.get(this.eyes)?.log ?? [];
  }
  get scene(): Scene | null {
    return this.#scene(this.at);
  }
  /** What was seen after so many moves; null while it is on its way. */
  viewAt(ply: number, eyes: number | null = this.eyes): View | null {
    return this.#sights.get(eyes)?.views.get(ply) ?? null;
  }
  /** Everybody's views of the present position, once they are there. */
  get hands(): View[] | null {
    const views = this.seats.map((_, seat) => this.viewAt(this.at, seat));
    return views.every((view) => view !== null) ? views : null;
  }

  /** Go to a position at once. */
  async jump(ply: number): Promise<void> {
    this.at = this.nearest(ply);
    await this.#load(this.at, this.eyes);
    this.#land();
  }
  /** Go on to a later position, telling the one move from `before` that leads there. */
  async follow(before: number, ply: number): Promise<void> {
    await Promise.all([this.#load(before, this.eyes), this.#load(ply, this.eyes)]);
    this.at = this.nearest(ply);
    const [from, to] = [this.#scene(before), this.#scene(ply)];
    if (from) this.arrive({ scenes: [from], isJump: true });
    if (to) this.arrive({ scenes: [to], isJump: false });
  }
  /** See it with the eyes of another seat. */
  async look(seat: number | null): Promise<void> {
    await this.#load(this.at, seat);
    this.eyes = seat;
    this.#land();
    void this.#rest();
  }
  /** Have everybody's views about the present position. */
  async reveal(): Promise<void> {
    await Promise.all(this.seats.map((_, seat) => this.#load(this.at, seat)));
  }

  play(): void {}
  preview(): Promise<unknown> {
    return Promise.resolve([]);
  }
  why(): Promise<unknown> {
    return Promise.resolve(null);
  }
  close(): void {
    this.#isClosed = true;
    this.arrive = () => {};
  }

  #scene(ply: number): Scene | null {
    const view = this.viewAt(ply);
    return view && { view, log: this.log.slice(0, ply), isOver: false };
  }
  #land(): void {
    const { scene } = this;
    if (scene) this.arrive({ scenes: [scene], isJump: true });
  }

  /** The piece with a ply as a seat saw it: asked for once, and again only after it failed. */
  #load(ply: number, eyes: number | null): Promise<void> {
    const since = Math.floor(ply / PIECE) * PIECE;
    const name = `${eyes} ${since}`;
    const known = this.#asked.get(name);
    if (known) return known;
    const asked = this.#ask(since, eyes).then(
      (replay) => this.#take(replay, eyes),
      (error) => {
        this.#asked.delete(name);
        this.failure = error;
      },
    );
    this.#asked.set(name, asked);
    return asked;
  }
  #take({ total, actors, log, steps }: Replay, eyes: number | null): void {
    const known = untrack(() => this.#sights.get(eyes)?.views) ?? [];
    const views = new Map([...known, ...steps.map(({ ply, view }): [number, View] => [ply, view])]);
    [this.total, this.actors, this.failure] = [total, actors, null];
    this.#sights = new Map([...this.#sights, [eyes, { log, views }]]);
  }

  /** Everything else, what is near first, one piece after the other. */
  async #rest(): Promise<void> {
    const { eyes } = this;
    const pieces = Array.from({ length: Math.floor(this.total / PIECE) + 1 }, (_, i) => i * PIECE);
    const far = (since: number) => Math.abs(since + PIECE / 2 - this.at);
    for (const since of pieces.sort((a, b) => far(a) - far(b))) {
      if (this.#isClosed || this.eyes !== eyes) return;
      await this.#load(since, eyes);
    }
  }
}
