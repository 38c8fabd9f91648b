// Where a popover opens and how keys go through it; the rest is the browser's.

/** Beside its button: below, or above where there is no room below. */
export function placeBy(menu: HTMLElement, button: Element): void {
  const GAP = 6;
  const EDGE = 8;
  const at = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const below = at.bottom + GAP;
  const isBelow = below + height + EDGE <= innerHeight || at.top - height - GAP < EDGE;
  menu.style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - width - EDGE))}px`;
  menu.style.top = `${isBelow ? Math.max(EDGE, Math.min(below, innerHeight - height - EDGE)) : at.top - height - GAP}px`;
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Arrow keys move through the buttons of a menu without choosing. */
export function menuKeys(menu: HTMLElement) {
  function onkeydown(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (!step) return;
    const buttons = [...menu.querySelectorAll<HTMLElement>('button, a')];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    event.preventDefault();
    event.stopPropagation();
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  }
  menu.addEventListener('keydown', onkeydown);
  return () => menu.removeEventListener('keydown', onkeydown);
}
