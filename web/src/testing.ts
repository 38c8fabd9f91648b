// What the components' tests share.
import { fireEvent } from '@testing-library/svelte';
import type { SeatView } from '$lib/api';

export const cell = (name: string) => {
  const found = document.querySelector(`[data-cell="${name}"]`);
  if (!found) throw new Error(`no cell ${name}`);
  return found;
};
export const press = (key: string, target: Element | Window = window, more: KeyboardEventInit = {}) =>
  fireEvent.keyDown(target, { key, bubbles: true, ...more });

/** Somebody at a table. */
export const person = (name: string): SeatView => ({
  kind: 'person',
  name,
  player: name,
  level: null,
  connected: true,
  stand_in: false,
  resigned: false,
  left: null,
  invite: null,
});
