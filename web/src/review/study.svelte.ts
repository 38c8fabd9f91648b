// What one looks at in a review: a position of the replay, and what the reviewer says of it. Every
// part of the screen reads it and steps through it, so graph, log, card and board always agree.
import type { AccountView, DecisionView, View } from '$lib/api';
import type { GamePage, LogEntry, Marks, Verdict } from '$lib/board';
import { seatNames } from '$lib/names';
import type { ReplayTable } from '../sources/replay.svelte';
import type { Reviewer } from './reviewer.svelte';
import { changeIn, worthIn, type Scale } from './scale';

export type Filter = 'all' | 'mine' | 'mistakes';

/** A line of the review's log: what somebody decided, or what chance brought. */
export type Row = {
  /** Index of the move; the position after it is one more. */
  ply: number;
  isChance: boolean;
  /** Of the turn; only its first line has it. */
  number: number | null;
  seat: number | null;
  text: string;
  move: string;
  gain: string;
  /** What the log has of the turn, where this line is the whole of it. */
  entry: LogEntry | null;
};

const BAD: readonly Verdict[] = ['slip', 'mistake', 'blunder'];
export const isBad = ({ verdict }: { verdict: Verdict }) => BAD.includes(verdict);

export class Study {
  filter: Filter = $state('all');
  /** All hands are shown, which nobody saw then. */
  isOpen = $state(false);
  isPlaying = $state(false);
  #scale: Scale | null = $state(null); // chosen by hand

  readonly names = $derived.by(() => seatNames(this.replay.seats));
  /** Positions that one steps through: the first in which somebody here decides, then after each decision. */
  readonly stops = $derived.by(() => {
    const { actors, total } = this.replay;
    const first = Math.max(
      this.since,
      actors.findIndex((actor, ply) => actor !== null && ply >= this.since),
    );
    const after = actors.flatMap((actor, ply) => (actor === null || ply < first ? [] : [ply + 1]));
    return [...new Set([first, ...after, total])];
  });
  readonly entries = $derived.by((): LogEntry[] => {
    const { replay } = this;
    const view = replay.viewAt(replay.total) ?? replay.scene?.view;
    return view ? this.game.entries(view, replay.log, this.names) : [];
  });
  readonly rows = $derived.by(() => {
    const { entries } = this;
    const after = (entries.at(-1)?.ply ?? -1) + 1;
    const rest = Array.from({ length: this.replay.total - after }, (_, i) => after + i); // of a turn that was broken off
    return [
      ...entries.flatMap((entry, i) => this.#rowsOf(entry, entries[i - 1]?.ply ?? -1)),
      ...rest.flatMap((ply) => this.#rowOf(ply, null, false)),
    ];
  });
  /** One's own slips and worse, in order. */
  readonly mistakes = $derived.by(() =>
    [...this.reviewer.decisions.values()]
      .filter((decision) => decision.seat === this.me && isBad(decision))
      .sort((a, b) => a.ply - b.ply),
  );

  constructor(
    readonly replay: ReplayTable,
    readonly reviewer: Reviewer,
    readonly game: GamePage,
    /** The seats on which one sat oneself. */
    readonly own: number[] = [],
    /** The ply from which on it was played at this table; what came before is not judged. */
    readonly since = 0,
  ) {}

  get count(): number {
    return this.replay.seats.length;
  }
  /** Whose review it is: the seat with whose eyes one looks, or the first one's. */
  get me(): number {
    return this.replay.eyes ?? 0;
  }
  get scale(): Scale {
    return this.count === 1 ? 'points' : (this.#scale ?? this.reviewer.news?.scale ?? 'points');
  }
  set scale(scale: Scale) {
    this.#scale = scale;
  }
  get at(): number {
    return this.replay.at;
  }
  get first(): number {
    return this.stops[0]!;
  }
  get last(): number {
    return this.replay.total;
  }
  get view(): View | null {
    return this.replay.scene?.view ?? null;
  }

  /** The decision that led here: null after chance and before the first. */
  get decided(): { ply: number; seat: number; move: string; judged: DecisionView | null } | null {
    const ply = this.at - 1;
    const seat = this.replay.actors[ply] ?? null;
    if (seat === null) return null;
    return { ply, seat, move: this.replay.log[ply] ?? '', judged: this.reviewer.decisions.get(ply) ?? null };
  }
  /** What the board draws of it. */
  get marks(): Marks | null {
    const { decided } = this;
    const before = this.replay.viewAt(this.at - 1);
    if (!decided || !before || this.isPlaying) return null;
    const { move, judged } = decided;
    const better = judged && judged.verdict !== 'best' && judged.best !== move ? judged.best : null;
    return { before, played: { move, verdict: judged?.verdict ?? null }, better };
  }

  /** The turn of a ply, and of how many. */
  turnOf(ply: number): number {
    return this.entries.find((entry) => entry.ply >= ply)?.number ?? this.turns;
  }
  /** The same in the game's words: "turn 19". */
  turnText(ply: number): string {
    const view = this.replay.viewAt(ply) ?? this.view;
    return view ? this.game.review.turn(view, ply, this.replay.log) : '';
  }
  get turns(): number {
    return this.entries.at(-1)?.number ?? 0;
  }

  /** What a seat could expect at a position, or where that is not known yet, before it. */
  worthAt(position: number, seat: number): number | null {
    const { worth } = this.reviewer;
    for (let ply = position; ply >= this.first; ply--) {
      const figure = worth.get(ply)?.seats[seat];
      if (figure) return worthIn(figure, this.scale, this.count);
    }
    return null;
  }
  /** What a moment of chance changed for a seat. */
  luckOf(ply: number, seat: number): number | null {
    const figure = this.reviewer.chances.get(ply)?.luck[seat];
    return figure ? changeIn(figure, this.scale, this.count) : null;
  }
  account(seat: number): AccountView | null {
    return this.reviewer.news?.seats.find((account) => account.seat === seat) ?? null;
  }
  /** One of an account's figures that are differences. */
  change(account: AccountView, name: 'luck' | 'own' | 'others' | 'unexplained'): number {
    return changeIn(account[name], this.scale, this.count);
  }

  go(position: number): void {
    this.isPlaying = false;
    void this.replay.jump(position);
    if (this.isOpen) void this.replay.reveal();
  }
  step(by: 1 | -1): void {
    const next = by > 0 ? this.stops.find((stop) => stop > this.at) : this.stops.findLast((stop) => stop < this.at);
    if (next !== undefined) this.go(next);
  }
  /** The stop that is nearest to a position between two of them. */
  nearest(position: number): number {
    return this.stops.reduce((best, stop) => (Math.abs(stop - position) < Math.abs(best - position) ? stop : best));
  }
  /** On to one's next slip or worse, or back to the one before; answers whether there is one. */
  seek(by: 1 | -1): boolean {
    const plies = this.mistakes.map(({ ply }) => ply + 1);
    const found = by > 0 ? plies.find((ply) => ply > this.at) : plies.findLast((ply) => ply < this.at);
    if (found !== undefined) this.go(found);
    return found !== undefined;
  }
  /** Tell the next decision as at the table; answers whether there was one. */
  async follow(): Promise<boolean> {
    const next = this.stops.find((stop) => stop > this.at);
    if (next === undefined) return false;
    await this.replay.follow(next - 1, next);
    return true;
  }
  async look(seat: number | null): Promise<void> {
    this.isPlaying = false;
    await this.replay.look(seat);
  }
  open(isOpen: boolean): void {
    this.isOpen = isOpen;
    if (isOpen) void this.replay.reveal();
  }

  #rowsOf(entry: LogEntry, after: number): Row[] {
    const plies = Array.from({ length: entry.ply - after }, (_, i) => after + 1 + i);
    const decided = plies.filter((ply) => (this.replay.actors[ply] ?? null) !== null);
    return plies.flatMap((ply) =>
      this.#rowOf(ply, entry, decided.length === 1).map((row) => ({
        ...row,
        number: ply === decided[0] ? entry.number : null,
        gain: ply === decided.at(-1) ? entry.gain : '',
      })),
    );
  }
  /** What was decided or what chance brought; `isWhole`: nothing else was decided in that turn. */
  #rowOf(ply: number, entry: LogEntry | null, isWhole: boolean): Row[] {
    const seat = this.replay.actors[ply] ?? null;
    if (seat === null) return this.#chanceRow(ply);
    const move = this.replay.log[ply] ?? '';
    const view = this.replay.viewAt(ply) ?? this.view;
    const text = entry && isWhole ? entry.text : view ? this.game.advice(view, move) : move;
    return [{ ply, isChance: false, number: null, seat, text, move, gain: '', entry: isWhole ? entry : null }];
  }
  #chanceRow(ply: number): Row[] {
    const [before, after] = [this.replay.viewAt(ply), this.replay.viewAt(ply + 1)];
    const move = this.replay.log[ply] ?? '';
    const told = before && after ? this.game.review.chance(before, after, move, this.names) : null;
    if (!told) return [];
    return [{ ply, isChance: true, number: null, seat: told.seat, text: told.text, move, gain: '', entry: null }];
  }
}
