// A match that is being brought: what was given or typed, and how far the server finds it good.
import * as m from '$messages';
import type { Checked, GameInfo, ImportRecord, TableMessage } from '$lib/api';
import { api } from '$lib/api-client';
import { errorText } from '$lib/refusals';
import { knownOptions } from '$lib/wishes';
import { extended, lines, mended, movesAfter } from './moves';

const PAUSE = 350; // milliseconds without a change before it is checked

export class Draft {
  /** Whether moves are typed in; else the text says itself what it is. */
  isTyped = $state(false);
  text = $state('');
  game: GameInfo = $state.raw() as GameInfo;
  options: Record<string, unknown> = $state({});
  names: string[] = $state([]);
  checked = $state.raw<Checked | null>(null);
  refusal = $state('');
  /** Waiting for an answer. */
  isBusy = $state(false);
  #asked = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly games: GameInfo[]) {
    this.choose(games[0]!.key);
  }

  get seats(): number {
    return Number(this.options['players'] ?? this.game.seats[0] ?? 2);
  }
  /** Whether there is something that could be brought. */
  get isWhole(): boolean {
    const { checked } = this;
    return !!checked && !checked.trouble && checked.moves.length > 0 && (checked.over || !this.isTyped);
  }

  choose(key: string): void {
    const game = this.games.find((known) => known.key === key);
    if (!game) return;
    this.game = game;
    this.options = Object.fromEntries(game.options.map((option) => [option.name, option.default]));
  }

  /** Put a move that was offered in the place of the wrong one, or at the end. */
  take(move: string): void {
    const { checked } = this;
    if (!checked) return;
    if (this.isTyped)
      this.text = checked.trouble ? mended(this.text, checked.trouble, move) : extended(this.text, move);
    else this.#type(checked, move);
    this.changed();
  }

  /** From now on by typing, with what was good so far. */
  #type({ game, options, players, moves, trouble }: Checked, move: string): void {
    this.choose(game);
    this.options = { ...this.options, ...options };
    this.names = [...players];
    this.text = lines([...moves, move, ...(trouble ? movesAfter(this.text, trouble.ply) : [])]);
    this.isTyped = true;
  }

  /** Check it, once nothing has changed for a moment. */
  changed(): void {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.isBusy = true;
    this.#timer = setTimeout(() => void this.#check(), PAUSE);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  bring(): Promise<TableMessage> {
    return api.importRecord(this.#wish);
  }

  async #check(): Promise<void> {
    const asked = this.#asked;
    const isEmpty = !this.isTyped && !this.text.trim();
    let [checked, refusal]: [Checked | null, string] = [null, ''];
    try {
      if (!isEmpty) checked = await api.checkRecord(this.#wish);
    } catch (error) {
      refusal = errorText(error);
    }
    if (asked !== this.#asked) return; // something else has been typed meanwhile
    [this.checked, this.refusal, this.isBusy] = [checked, refusal, false];
  }

  get #wish(): ImportRecord {
    const { text } = this;
    if (!this.isTyped) return { text };
    const options = knownOptions(this.game, $state.snapshot(this.options));
    const nameOf = (seat: number) => this.names[seat]?.trim() || m.import_seat({ seat: seat + 1 });
    return {
      text,
      game: this.game.key,
      options,
      players: Array.from({ length: this.seats }, (_, seat) => nameOf(seat)),
    };
  }
}
