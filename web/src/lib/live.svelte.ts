// One table over its socket. State flows one way: socket → this store → board. What is sent is
// kept until it is answered, and sent again with the same id after a broken line.
import type { Answer, Command, TableState } from './server';

export type Link = 'connecting' | 'open' | 'lost' | 'missing';
export type Refusal = { code: string; sentence: string };

/** What the table screen needs of a table. */
export interface TableSource {
  readonly table: TableState | null;
  readonly log: string[];
  readonly link: Link;
  readonly refusal: Refusal | null;
  readonly hint: string | null;
  send(command: Command): void;
}

const NO_TABLE = 4404; // close code: there is no such table
const RETRY = { first: 500, most: 8000 }; // milliseconds

export class LiveTable implements TableSource {
  table: TableState | null = $state.raw(null);
  log: string[] = $state.raw([]);
  link: Link = $state('connecting');
  refusal: Refusal | null = $state.raw(null);
  hint: string | null = $state(null);

  #id: string;
  #socket: WebSocket | null = null;
  #unanswered = new Map<string, Command>();
  #wait = RETRY.first;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(id: string) {
    this.#id = id;
    this.#connect();
    addEventListener('online', this.#retryNow);
    addEventListener('offline', this.#lose);
  }

  send(command: Command): void {
    const id = crypto.randomUUID();
    this.refusal = null;
    if (command.type !== 'hint') this.hint = null;
    this.#unanswered.set(id, command);
    this.#transmit(id, command);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    removeEventListener('online', this.#retryNow);
    removeEventListener('offline', this.#lose);
    this.#socket?.close();
  }

  #connect(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.#id}/live`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = RETRY.first;
      this.link = 'open';
      this.#unanswered.forEach((command, id) => this.#transmit(id, command));
    };
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data) as TableState | Answer);
    socket.onclose = ({ code }) => {
      if (this.#socket !== socket || this.#isClosed) return;
      if (code === NO_TABLE) this.link = 'missing';
      else this.#lose();
    };
  }

  #receive(message: TableState | Answer): void {
    if (message.type === 'answer') this.#settle(message);
    else if (!this.table || message.version >= this.table.version) {
      const { match } = message;
      this.log = match ? [...this.log.slice(0, match.log_from), ...match.log] : [];
      this.table = message;
    }
  }

  #settle(answer: Answer): void {
    this.#unanswered.delete(answer.id);
    if (answer.hint) this.hint = answer.hint;
    if (!answer.ok) this.refusal = { code: answer.code ?? '', sentence: answer.sentence ?? '' };
  }

  #transmit(id: string, command: Command): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ ...command, id }));
  }

  #lose = (): void => {
    this.link = 'lost';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#retryNow, this.#wait);
    this.#wait = Math.min(this.#wait * 2, RETRY.most);
  };

  #retryNow = (): void => {
    if (this.#isClosed || this.link === 'open' || this.link === 'missing') return;
    clearTimeout(this.#timer);
    this.#connect();
  };
}
