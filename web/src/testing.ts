// What the components' tests share.
import { fireEvent } from '@testing-library/svelte';

export const cell = (name: string) => {
  const found = document.querySelector(`[data-cell="${name}"]`);
  if (!found) throw new Error(`no cell ${name}`);
  return found;
};
export const press = (key: string, target: Element | Window = window, more: KeyboardEventInit = {}) =>
  fireEvent.keyDown(target, { key, bubbles: true, ...more });
