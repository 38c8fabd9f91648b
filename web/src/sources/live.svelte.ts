// One table over its socket. State flows one way: socket → this store → moments → board. What is
// sent is kept until it is answered, and sent again with the same id after a broken line.
import type {
  AnyCommand,
  Best,
  ChangeMessage,
  ChatLine,
  CoachView,
  FromServer,
  HintView,
  Picture,
  Refused,
  ReviewMessage,
  TableMessage,
} from '$lib/api';
import { api } from '$lib/api-client';
import { changed } from './changes';
import { Line, type LineState } from './line';
import type { Arrival, Refusal, Scene, TableSource } from './source';

/** A command and what is to be done with its answer. */
type Unanswered = { command: AnyCommand; answered: (isTaken: boolean) => void; times: number };

/** Codes that are said also of what was done before its answer was lost. */
const UNDECIDED = ['store-unavailable', 'store-failed'];
const AGAIN = 1000; // milliseconds until such a command is sent again

/** What could not be done, and what it was. */
export type Failed = Refusal & { command: AnyCommand['type'] | null };

/** A live table as screens see it. */
export type Live = { [name in keyof LiveTable]: LiveTable[name] };

export class LiveTable implements TableSource {
  table: TableMessage | null = $state.raw(null);
  scene: Scene | null = $state.raw(null);
  chat: ChatLine[] = $state.raw([]);
  link: LineState = $state('connecting');
  failed: Failed | null = $state.raw(null);
  /** What was advised, the best first. */
  hints: HintView[] = $state.raw([]);
  hint: { move: string } | null = $state.raw(null);
  isHinting = $state(false);
  /** Whether one has asked for a rematch or agreed to it. */
  isWilling = $state(false);
  /** This device's clock less the server's, in seconds. */
  ahead = $state(0);
  arrive: (arrival: Arrival) => void = () => {};

  #sent: { ply: number; move: string } | null = $state.raw(null);
  #unanswered = new Map<string, Unanswered>();
  #last: TableMessage | null = null; // that came over this line, which changes are of
  #isBack = false; // the line was broken: what comes next was not followed
  #line: Line;
  #id: string;
  #invite: string | null;

  constructor(id: string, invite: string | null = null) {
    this.#id = id;
    this.#invite = invite;
    this.#line = new Line({
      path: () => `/api/tables/${id}/live?${this.#known}`,
      turned: (link) => {
        this.link = link;
        if (link === 'lost') this.#isBack = true;
        if (link === 'open') this.#unanswered.forEach((asked) => this.#say(asked));
      },
      received: (message) => this.#receive(message as FromServer),
      beat: { type: 'ping' },
    });
  }

  get game(): string {
    return this.table?.game ?? '';
  }
  get seats() {
    return this.table?.seats ?? [];
  }
  get mine() {
    return this.table?.mine ?? [];
  }
  get legal(): string[] {
    return this.table?.may.includes('play') ? (this.table.match?.legal ?? []) : [];
  }
  get sent(): string | null {
    return this.#sent?.move ?? null;
  }
  get refusal(): Refusal | null {
    return this.failed?.command === 'play' && this.failed.code !== 'stale-ply' ? this.failed : null;
  }

  /** Ask for something; answers whether it was done. */
  send(command: AnyCommand): Promise<boolean> {
    const id = newId();
    const named = { ...command, id };
    this.failed = null;
    if (command.type === 'hint') this.isHinting = true;
    if (command.type === 'offer') this.isWilling = command.kind === 'rematch';
    if (command.type === 'reply') this.isWilling = command.accept && this.table?.offer?.kind === 'rematch';
    if (command.type === 'play') {
      this.#sent = { ply: command.ply, move: command.move };
      this.isHinting = false;
      this.advise(null);
    }
    return new Promise((answered) => {
      const asked = { command: named, answered, times: 0 };
      this.#unanswered.set(id, asked);
      this.#say(asked);
    });
  }

  #say(asked: Unanswered): void {
    if (this.link !== 'open') return;
    asked.times += 1;
    this.#line.send(asked.command);
  }

  /** Put one of the moves that were advised on the board; null forgets them all. */
  advise(move: string | null): void {
    this.hint = move === null ? null : { move };
    if (move === null) this.hints = [];
  }

  play(move: string): void {
    if (this.scene) void this.send({ type: 'play', ply: this.scene.view.ply, move });
  }

  get undo(): (() => Promise<boolean>) | null {
    return this.table?.may.includes('takeback') ? () => this.send({ type: 'offer', kind: 'takeback' }) : null;
  }

  preview(piece: string): Promise<unknown> {
    return api.preview(this.#id, this.scene?.view.ply ?? 0, piece);
  }

  picture(ply: number, isOpen: boolean): Promise<Picture> {
    return api.picture(this.#id, ply, isOpen);
  }

  why(move: string): Promise<unknown> {
    return api.why(this.#id, this.scene?.view.ply ?? 0, move);
  }

  /** One's decisions alone at the table from a ply on, beside the best ones. */
  coach(since: number): Promise<CoachView> {
    return api.coach(this.#id, since);
  }

  /** What is known of the finished match by its review; null if nothing is. */
  reviewed(): Promise<ReviewMessage | null> {
    return api.reviewOf(this.#id).catch(() => null);
  }

  /** One's best results alone at this game. */
  async bests(): Promise<Best[]> {
    return api.bests((await api.me()).id, this.game);
  }

  forgive(): void {
    this.failed = null;
  }

  close(): void {
    this.#line.close();
  }

  /** What need not be told again. */
  get #known(): string {
    const known = new URLSearchParams({
      changes: '1',
      version: String(this.table?.version ?? 0),
      ply: String(this.scene?.log.length ?? 0),
      chat: String(this.chat.at(-1)?.number ?? 0),
      ...(this.#invite ? { invite: this.#invite } : {}),
    });
    return known.toString();
  }

  #receive(message: FromServer): void {
    if (message.type === 'table') this.#take(message);
    else if (message.type === 'change') this.#change(message);
    else if (message.type === 'refused') this.#refuse(message);
    else if (message.type === 'accepted') {
      const asked = this.#unanswered.get(message.id);
      this.#unanswered.delete(message.id);
      if (asked?.command.type === 'hint') {
        const [best] = message.hints;
        if (this.isHinting && best && message.ply === this.scene?.view.ply) {
          this.hints = message.hints;
          this.advise(best.move);
        }
        this.isHinting = false;
      }
      asked?.answered(true);
    }
  }

  #change(change: ChangeMessage): void {
    const table = this.#last && changed(this.#last, change);
    if (table) this.#take(table);
    else this.#line.again(); // begins with the whole table
  }

  #take(table: TableMessage): void {
    this.#last = table;
    if (this.table && table.version < this.table.version) return;
    this.ahead = Date.now() / 1000 - table.now;
    this.chat = [...this.chat.filter((line) => line.number <= table.chat_since), ...table.chat];
    this.table = table;
    if (table.match) this.#show(table);
  }

  #show(table: TableMessage): void {
    const { view, log: fresh, since, steps } = table.match!;
    const before = this.scene;
    const log = [...(before?.log.slice(0, since) ?? []), ...fresh];
    const isJump = this.#isBack || !before || view.ply < before.view.ply;
    this.#isBack = false;
    this.scene = { view, log, isOver: table.state === 'over' };
    if (view.ply !== this.#sent?.ply) this.#sent = null;
    if (view.ply !== before?.view.ply) {
      this.advise(null);
      this.failed = null;
    }
    const between = steps.map((step): Scene => ({ view: step.view, log: log.slice(0, step.ply), isOver: false }));
    this.arrive({ scenes: [...between, this.scene], isJump });
  }

  #refuse({ id, code, sentence, reason }: Refused): void {
    // Without an id it was not even read; then nothing that was sent can be counted on.
    const refused = id ? [id] : [...this.#unanswered.keys()];
    if (!refused.length) this.failed = { command: null, code, sentence, reason };
    for (const one of refused) {
      const asked = this.#unanswered.get(one);
      if (asked && asked.times > 1 && UNDECIDED.includes(code)) {
        setTimeout(() => this.#unanswered.has(one) && this.#say(asked), AGAIN);
        continue;
      }
      this.#unanswered.delete(one);
      asked?.answered(false);
      const type = asked?.command.type ?? null;
      if (type === 'play') this.#sent = null;
      if (type === 'hint') this.isHinting = false;
      // One's part of the luck is sent unasked, so nobody waits for the answer.
      if (type === 'shuffle') continue;
      // Advice for a position that is over by now is no longer wanted.
      if (type !== 'hint' || code !== 'stale-ply') this.failed = { command: type, code, sentence, reason };
    }
  }
}

/** As random as an id must be; `randomUUID` is only there under https. */
const newId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
