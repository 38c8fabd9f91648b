// Keys that boards share.
const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The cell that an arrow key leads to, or none. */
export function nextCell(key: string, cell: string, columns: string, rows: number): string | null {
  const step = STEPS[key];
  if (!step) return null;
  const column = Math.max(0, Math.min(columns.length - 1, columns.indexOf(cell[0]!) + step[0]));
  const row = Math.max(1, Math.min(rows, Number(cell.slice(1)) + step[1]));
  return `${columns[column]}${row}`;
}

/** Whether the key is the board's: nothing has the focus, or the board has. */
export function isForBoard(event: KeyboardEvent): boolean {
  const { target } = event;
  return !(target instanceof Element) || target === document.body || !!target.closest('.board-slot > svg');
}

/** Whether the key belongs to a field or a dialog and not to the board. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as Element | null;
  return !!target?.closest?.('input, textarea, select, dialog, [contenteditable]');
}
