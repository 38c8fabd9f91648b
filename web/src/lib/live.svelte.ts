// One table over its socket. State flows one way: socket → this store → board. What is sent is
// kept until it is answered, and sent again with the same id after a broken line.
import type { AnyCommand, Best, ChatLine, FromServer, Review, TableMessage } from './api';
import { api } from './api-client';
import { Line, type LineState } from './line';

export type Refusal = { code: string; sentence: string };
export type Sent = { ply: number; move: string };

/** What the table screen needs of a table. */
export interface TableSource {
  readonly table: TableMessage | null;
  readonly log: string[];
  readonly chat: ChatLine[];
  readonly link: LineState;
  readonly refusal: Refusal | null;
  readonly hint: string | null;
  /** One's own move that the table does not show yet. */
  readonly sent: Sent | null;
  /** This device's clock less the server's, in seconds. */
  readonly ahead: number;
  /** Where those who sit here play again, as soon as somebody asks for it. */
  readonly next: string | null;
  send(command: AnyCommand): void;
  /** What one could do now with a piece of one's own, as the game tells it. */
  preview(piece: string): Promise<unknown>;
  /** One's decisions alone at the table from a ply on, beside the best ones. */
  review(since: number): Promise<Review>;
  /** One's best results alone at this game. */
  bests(): Promise<Best[]>;
}

export class LiveTable implements TableSource {
  table: TableMessage | null = $state.raw(null);
  log: string[] = $state.raw([]);
  chat: ChatLine[] = $state.raw([]);
  link: LineState = $state('connecting');
  refusal: Refusal | null = $state.raw(null);
  hint: string | null = $state(null);
  sent: Sent | null = $state.raw(null);
  ahead = $state(0);
  next: string | null = $state(null);

  #unanswered = new Map<string, AnyCommand>();
  #line: Line;
  #id: string;

  constructor(id: string) {
    this.#id = id;
    this.#line = new Line({
      path: () => `/api/tables/${id}/live?${this.#known}`,
      turned: (link) => {
        this.link = link;
        if (link === 'open') this.#unanswered.forEach((command) => this.#line.send(command));
      },
      received: (message) => this.#receive(message as FromServer),
      beat: { type: 'ping' },
    });
  }

  send(command: AnyCommand): void {
    const id = newId();
    this.refusal = null;
    if (command.type !== 'hint') this.hint = null;
    if (command.type === 'play') this.sent = { ply: command.ply, move: command.move };
    this.#unanswered.set(id, { ...command, id });
    this.#line.send({ ...command, id });
  }

  preview(piece: string): Promise<unknown> {
    return api.preview(this.#id, this.table?.match?.view.ply ?? 0, piece);
  }

  review(since: number): Promise<Review> {
    return api.review(this.#id, since);
  }

  async bests(): Promise<Best[]> {
    return api.bests((await api.me()).id, this.table?.game ?? '');
  }

  close(): void {
    this.#line.close();
  }

  /** What need not be told again. */
  get #known(): string {
    const [version, chat] = [this.table?.version ?? 0, this.chat.at(-1)?.number ?? 0];
    return `version=${version}&ply=${this.log.length}&chat=${chat}`;
  }

  #receive(message: FromServer): void {
    if (message.type === 'table') this.#take(message);
    else if (message.type === 'refused') this.#refuse(message);
    else if (message.type === 'accepted') {
      this.#unanswered.delete(message.id);
      if (message.hint) this.hint = message.hint;
      if (message.table) this.next = message.table;
    }
  }

  #take(table: TableMessage): void {
    if (this.table && table.version < this.table.version) return;
    const { match } = table;
    const spoken = this.chat.at(-1)?.number ?? 0;
    this.ahead = Date.now() / 1000 - table.now;
    this.chat = [...this.chat, ...table.chat.filter((line) => line.number > spoken)];
    this.log = match ? [...this.log.slice(0, match.since), ...match.log] : [];
    if (match?.view.ply !== this.sent?.ply) this.sent = null;
    if (match?.view.ply !== this.table?.match?.view.ply) this.hint = null;
    if (this.table && !this.table.rematch && table.rematch) this.next = table.rematch;
    this.table = table;
  }

  #refuse({ id, code, sentence }: Refusal & { id: string }): void {
    // Without an id it was not even read; then nothing that was sent can be counted on.
    const refused = id ? [this.#unanswered.get(id)] : [...this.#unanswered.values()];
    if (refused.some((command) => command?.type === 'play')) this.sent = null;
    if (id) this.#unanswered.delete(id);
    else this.#unanswered.clear();
    this.refusal = { code, sentence };
  }
}

/** As random as an id must be; `randomUUID` is only there under https. */
const newId = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
