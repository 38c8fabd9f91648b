// Keys are declared in one table a game. The table drives what a press does, the help, the names
// that a screen reader tells and the small caps on buttons.
import { onMount } from 'svelte';

export type Key = {
  /** As the browser names it; letters in small. Several where each does a part, such as arrows. */
  keys: string[];
  /** What it does, for the help. */
  label: () => string;
  /** How it is written on a button and in the help; its own name by default. */
  cap?: () => string;
  /** `board`: only while the board or nothing has the focus; `page`: wherever one does not type. */
  where: 'board' | 'page';
};
export type Keys = Record<string, Key>;
export type Presses<K extends Keys> = { [name in keyof K]?: (event: KeyboardEvent) => boolean | void };

/** What is written for a key. */
export const cap = (key: Key) => key.cap?.() ?? key.keys[0]!.toUpperCase();

/** For `aria-keyshortcuts`. */
export const shortcut = (key: Key) => key.keys.map((name) => (name === ' ' ? 'Space' : name)).join(' ');

/**
 * Listen while the component is there. A press that answers false was not for it; who `isFirst` hears
 * of it before all others.
 */
export function useKeys<K extends Keys>(keys: K, presses: Presses<K>, { isFirst = false } = {}): void {
  onMount(() => {
    const onkeydown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      for (const name in keys) {
        const { keys: names, where } = keys[name]!;
        const press = presses[name];
        if (!press || !names.includes(event.key.length === 1 ? event.key.toLowerCase() : event.key)) continue;
        if (where === 'board' && !isForBoard(event)) continue;
        if (press(event) === false) continue;
        event.preventDefault();
        return;
      }
    };
    addEventListener('keydown', onkeydown, isFirst);
    return () => removeEventListener('keydown', onkeydown, isFirst);
  });
}

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
export const ARROWS = Object.keys(STEPS);

/** The cell that an arrow key leads to, or none. */
export function nextCell(key: string, cell: string, columns: string, rows: number): string | null {
  const step = STEPS[key];
  if (!step) return null;
  const column = Math.max(0, Math.min(columns.length - 1, columns.indexOf(cell[0]!) + step[0]));
  const row = Math.max(1, Math.min(rows, Number(cell.slice(1)) + step[1]));
  return `${columns[column]}${row}`;
}

/** Whether the key is the board's: nothing has the focus, or something on the board has. */
export function isForBoard({ target }: KeyboardEvent): boolean {
  return !(target instanceof Element) || target === document.body || !!target.closest('[data-place="board"]');
}

/** Whether the key belongs to a field or a dialog and not to the board. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as Element | null;
  return !!target?.closest?.('input, textarea, select, dialog, [contenteditable]');
}
