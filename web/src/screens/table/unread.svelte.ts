// How far one has read the talk at a table. Kept by this device, so that a reload asks for nothing
// to be read again.
import type { ChatLine } from '$lib/api';

export class Unread {
  #key: string;
  #until: number = $state(0);

  constructor(table: string) {
    this.#key = `read ${table}`;
    this.#until = Number(sessionStorage.getItem(this.#key) ?? 0);
  }
  /** Lines that others wrote since. */
  count(lines: ChatLine[], me: string | null): number {
    return lines.filter(({ number, player }) => number > this.#until && player !== me).length;
  }
  read(lines: ChatLine[]): void {
    const last = lines.at(-1)?.number ?? 0;
    if (last <= this.#until) return;
    this.#until = last;
    sessionStorage.setItem(this.#key, String(last));
  }
}
