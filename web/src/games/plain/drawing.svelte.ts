// The picture of the position on the board. Log, signs and words read it, too: what the server tells
// of a game that the page does not know is all in it.
import type { Picture } from '$lib/api';
import { changedShapes, type Shape } from './spots';

class Drawing {
  picture: Picture | null = $state.raw(null);
  /** Which position it shows. */
  position = $state('');
  /** What the last move changed. */
  fresh: Shape[] = $state.raw([]);
  error: unknown = $state.raw(null);
  #wanted = '';

  /** Ask for a position's picture; the one before stays until it is there. */
  async show(position: string, ask: () => Promise<Picture>): Promise<void> {
    if (position === this.#wanted && !this.error) return;
    this.#wanted = position;
    try {
      const picture = await ask();
      if (position !== this.#wanted) return;
      this.fresh = changedShapes(this.picture, picture);
      [this.picture, this.position, this.error] = [picture, position, null];
    } catch (error) {
      if (position === this.#wanted) this.error = error;
    }
  }

  /** Nothing of another table. */
  forget(): void {
    [this.#wanted, this.picture, this.position, this.fresh, this.error] = ['', null, '', [], null];
  }
}

export const drawing = new Drawing();
