// The queue between a source and a board. What others do is shown one thing after the other, each
// for as long as it takes to follow; what one does oneself is shown at once. Sounds, the ear's
// words and the scores hang on what is shown, so nothing passes unseen or unsaid.
import * as m from '$messages';
import { settings } from '$lib/settings.svelte';
import type { Arrival, Scene, TableSource } from '../sources/source';
import { beatsOf, stepBetween, type Beat, type Telling, type Step } from './telling';

export type Sound = 'own' | 'other' | 'dice' | 'points' | 'turn' | 'won' | 'over' | 'refused';
export const PACES = { slow: 2, normal: 1, fast: 0.4, off: 0 } as const;
export type Pace = keyof typeof PACES;

type Words = {
  tell: (step: Step) => Telling;
  /** The result as a sentence. */
  ending: () => string;
  names: () => string[];
};
type Moment = { scene: Scene; telling: Telling; beats: Beat[]; isMine: boolean };

const SAID = 24; // sentences that are kept for the ear

export class Moments {
  /** What the board shows. */
  shown: Scene | null = $state.raw(null);
  /** What is being told of it. */
  beat: Beat | null = $state.raw(null);
  /** Scores as far as their points have arrived. */
  scores: number[] = $state.raw([]);
  /** What the last points brought, and to whom. */
  gain: { seat: number; points: number } | null = $state.raw(null);
  /** Everything that was said, the newest last; the numbers never come again. */
  said: { id: number; text: string }[] = $state.raw([]);
  isHeld = $state(false);

  hear: (sound: Sound) => void = () => {};
  #source: TableSource;
  #words: Words;
  #queue: Moment[] = $state.raw([]);
  #coming: Beat[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next = 0;

  constructor(source: TableSource, words: Words) {
    this.#source = source;
    this.#words = words;
    source.arrive = (arrival) => this.#arrive(arrival);
    if (source.scene) this.#arrive({ scenes: [source.scene], isJump: true });
  }

  /** Whether the board shows the present, so that one may act on it. */
  get isPresent(): boolean {
    return this.#queue.length === 0;
  }
  /** Whether something is being told. */
  get isTelling(): boolean {
    return this.beat !== null;
  }

  /** End what is being told; the next follows at once. */
  skip(): void {
    this.isHeld = false;
    this.#go();
  }
  /** End all of it: the present, with everything said. */
  skipAll(): void {
    this.isHeld = false;
    this.#finish();
    while (this.#queue.length) {
      this.#begin();
      this.#finish();
    }
  }
  hold(): void {
    this.isHeld = !this.isHeld;
    clearTimeout(this.#timer);
    if (!this.isHeld && this.beat) this.#wait(this.beat.lasts);
  }
  say(text: string): void {
    if (text) this.said = [...this.said.slice(1 - SAID), { id: this.#next++, text }];
  }
  close(): void {
    clearTimeout(this.#timer);
    this.#source.arrive = () => {};
  }

  #arrive({ scenes, isJump }: Arrival): void {
    const present = scenes.at(-1)!;
    if (isJump || !this.shown) return this.#land(present);
    for (const scene of scenes) {
      const before = this.#queue.at(-1)?.scene ?? this.shown;
      const step = stepBetween(before, scene, this.#words.names(), this.#source.mine);
      if (step) this.#add(scene, step);
      else if (scene.view.ply === before.view.ply) this.#amend(scene);
      else return this.#land(scene);
    }
    if (document.hidden) this.skipAll();
  }

  /** Nothing is told of what was not followed. */
  #land(scene: Scene): void {
    const was = this.shown;
    this.#queue = [];
    this.#finish();
    this.shown = scene;
    this.scores = scene.view.scores;
    this.gain = null;
    if (was) this.#present(was);
  }

  /** The same position, but the match has ended or begun otherwise. */
  #amend(scene: Scene): void {
    if (this.#queue.length) this.#queue = [...this.#queue.slice(0, -1), { ...this.#queue.at(-1)!, scene }];
    else {
      const was = this.shown!;
      this.shown = scene;
      this.#present(was);
    }
  }

  #add(scene: Scene, step: Step): void {
    const telling = this.#words.tell(step);
    const moment = { scene, telling, beats: beatsOf(telling, step.seat), isMine: step.isMine };
    if (step.isMine) this.skipAll();
    this.#queue = [...this.#queue, moment];
    if (step.isMine || !this.beat) this.#begin();
  }

  /** Show the next scene and begin to tell it. */
  #begin(): void {
    const [moment, ...rest] = this.#queue;
    if (!moment) return;
    const was = this.shown!;
    const { scene, telling, beats, isMine } = moment;
    this.#queue = rest;
    this.shown = scene;
    this.scores = was.view.scores;
    [telling.text, ...telling.reasons.map(sentence)].forEach((text) => this.say(text));
    if (telling.sound && !isMine) this.hear(telling.sound === 'dice' ? 'dice' : 'other');
    else if (telling.sound === 'dice') this.hear('dice');
    this.#coming = settings.pace === 'off' ? [] : isMine ? beats.slice(1) : [...beats];
    this.#go();
    this.#present(was);
  }

  /** On to the next beat, the next moment, or silence. */
  #go(): void {
    clearTimeout(this.#timer);
    if (this.beat?.kind === 'points') this.#pay(this.beat);
    const beat = this.#coming.shift();
    if (!beat) {
      this.#finish();
      return this.#begin();
    }
    this.beat = beat;
    this.#wait(beat.lasts);
  }
  /** Its time counts from when it stands on the page, which may take a slow device a while. */
  #wait(lasts: number): void {
    if (this.isHeld) return;
    const time = lasts * PACES[settings.pace];
    this.#timer = setTimeout(() => (this.#timer = setTimeout(() => this.#go(), time)));
  }
  #pay({ seat, points }: Beat): void {
    this.scores = this.scores.map((score, at) => (at === seat ? score + points : score));
    this.gain = { seat, points };
    this.hear('points');
  }
  #finish(): void {
    clearTimeout(this.#timer);
    if (this.#coming.some(({ kind }) => kind === 'points')) this.hear('points');
    this.#coming = [];
    this.beat = null;
    if (this.shown) this.scores = this.shown.view.scores;
  }

  /** Whose turn it is now and how it ended, once one sees it. */
  #present(was: Scene): void {
    const now = this.shown!;
    if (!this.isPresent) return;
    const isMine = (scene: Scene) => !scene.isOver && this.#source.mine.includes(scene.view.actor ?? -1);
    if (now.isOver && !was.isOver) {
      this.say(this.#words.ending());
      this.hear(this.#source.mine.some((seat) => now.view.winners.includes(seat)) ? 'won' : 'over');
    } else if (isMine(now) && !isMine(was)) {
      this.say(m.your_turn());
      this.hear('turn');
    }
  }
}

const sentence = ({ text, detail, points }: { text: string; detail: string; points: number }) =>
  [text, detail, points ? m.points({ count: points }) : ''].filter(Boolean).join(', ') + '.';
