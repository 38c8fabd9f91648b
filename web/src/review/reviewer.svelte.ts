// The review of a match as far as it is, over its socket: what is told adds to what was told before.
import type { ChanceView, DecisionView, FromReviewer, ReviewMessage, ToReviewer, WorthView } from '$lib/api';
import { Line, type LineState } from '../sources/line';
import type { Refusal } from '../sources/source';

export type Care = ReviewMessage['care'];
type Told<T> = ReadonlyMap<number, T>;

export class Reviewer {
  /** The last message: state, counts and accounts. */
  news: ReviewMessage | null = $state.raw(null);
  /** By ply. */
  decisions: Told<DecisionView> = $state.raw(new Map());
  chances: Told<ChanceView> = $state.raw(new Map());
  worth: Told<WorthView> = $state.raw(new Map());
  link: LineState = $state('connecting');
  refusal: Refusal | null = $state.raw(null);

  #wish: Care | null = 'normal'; // what is to be asked for; null after it was stopped or refused
  #line: Line;

  constructor(id: string) {
    this.#line = new Line({
      path: () => `/api/tables/${id}/review/live`,
      turned: (link) => (this.link = link),
      received: (message) => this.#receive(message as FromReviewer),
      beat: { type: 'ping' } satisfies ToReviewer,
    });
  }

  get isDone(): boolean {
    return this.news?.state === 'done';
  }
  get isMaking(): boolean {
    return this.news?.state === 'making' || this.news?.state === 'waiting';
  }

  /** Have it made, or made with another care. */
  ask(care: Care): void {
    this.refusal = null;
    this.#wish = care;
    this.#send({ type: 'ask', care });
  }
  /** Judge this ply before the others. */
  next(ply: number): void {
    this.#send({ type: 'next', ply });
  }
  stop(): void {
    this.#wish = null;
    this.#send({ type: 'stop' });
  }
  close(): void {
    this.#line.close();
  }

  #send(message: ToReviewer): void {
    this.#line.send(message);
  }

  #receive(message: FromReviewer): void {
    if (message.type === 'refused') {
      this.refusal = message;
      this.#wish = null;
    } else if (message.type === 'review') this.#take(message);
  }

  #take(news: ReviewMessage): void {
    const isWhole = news.since === 0;
    const add = <T extends { ply: number }>(known: Told<T>, fresh: T[]): Told<T> =>
      !isWhole && !fresh.length
        ? known
        : new Map([...(isWhole ? [] : known), ...fresh.map((one) => [one.ply, one] as const)]);
    this.decisions = add(this.decisions, news.decisions);
    this.chances = add(this.chances, news.chances);
    this.worth = add(this.worth, news.worth);
    this.news = news;
    if (isWhole && this.#wish && (news.state === 'none' || news.state === 'stopped')) this.ask(this.#wish);
  }
}
