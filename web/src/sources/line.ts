// A socket that mends itself: tried again after a break, ever more rarely, and given up only when
// the server says that there is no use. With a `beat`, silence is noticed as a break, too.
export type LineState = 'connecting' | 'open' | 'lost' | 'missing' | 'refused';

export type Ends = {
  /** The address each time it is dialled, from what is known by then. */
  path: () => string;
  turned: (state: LineState) => void;
  received: (message: unknown) => void;
  /** What is answered at once by whoever is there. */
  beat?: unknown;
};

const FINAL: Record<number, LineState> = { 4403: 'refused', 4404: 'missing' }; // by close code
const RETRY = { first: 500, most: 8000 }; // milliseconds
const QUIET = 15_000; // until one asks whether anybody is there
const PATIENCE = 6_000; // until the silence counts as a break

export class Line {
  #ends: Ends;
  #socket: WebSocket | null = null;
  #state: LineState = 'connecting';
  #wait = RETRY.first;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(ends: Ends) {
    this.#ends = ends;
    addEventListener('online', this.#dial);
    addEventListener('offline', this.#lose);
    document.addEventListener('visibilitychange', this.#look);
    this.#dial();
  }

  send(message: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    removeEventListener('online', this.#dial);
    removeEventListener('offline', this.#lose);
    document.removeEventListener('visibilitychange', this.#look);
    clearTimeout(this.#retry);
    this.#hangUp();
  }

  /** Hang up and dial again soon. */
  again(): void {
    this.#lose();
  }

  #dial = (): void => {
    if (this.#socket || this.#isFinal) return;
    clearTimeout(this.#retry);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${this.#ends.path()}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#turn('open');
      this.#listen();
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      // A server that is full opens, refuses and closes: that is no reason to hurry back.
      if (message.type !== 'refused') this.#wait = RETRY.first;
      this.#listen();
      this.#ends.received(message);
    };
    socket.onclose = ({ code }) => {
      const end = FINAL[code];
      if (!end) return this.#lose();
      this.#hangUp();
      this.#turn(end);
    };
  };

  #lose = (): void => {
    if (this.#isFinal) return;
    this.#hangUp();
    this.#turn('lost');
    clearTimeout(this.#retry);
    this.#retry = setTimeout(this.#dial, this.#wait);
    this.#wait = Math.min(this.#wait * 2, RETRY.most);
  };

  get #isFinal(): boolean {
    return Object.values(FINAL).includes(this.#state);
  }

  #hangUp(): void {
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    // Browsers complain of what is closed before it stands.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  #turn(state: LineState): void {
    this.#state = state;
    this.#ends.turned(state);
  }

  #listen(): void {
    clearTimeout(this.#silence);
    if (this.#ends.beat) this.#silence = setTimeout(this.#ask, QUIET);
  }

  #ask = (): void => {
    clearTimeout(this.#silence);
    this.send(this.#ends.beat);
    this.#silence = setTimeout(this.#lose, PATIENCE);
  };

  /** Back from another tab or from sleep. */
  #look = (): void => {
    if (document.hidden) return;
    if (this.#state === 'open' && this.#ends.beat) this.#ask();
    else this.#dial();
  };
}
