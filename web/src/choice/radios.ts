// Arrow keys in a group of radio buttons move and choose, as in a form.
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function radioKeys(group: HTMLElement) {
  function onkeydown(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (!step) return;
    const radios = [...group.querySelectorAll<HTMLElement>('[role=radio]:not(:disabled)')];
    const at = radios.indexOf(document.activeElement as HTMLElement);
    const next = radios[(at + step + radios.length) % radios.length];
    event.preventDefault();
    event.stopPropagation();
    next?.focus();
    next?.click();
  }
  group.addEventListener('keydown', onkeydown);
  return () => group.removeEventListener('keydown', onkeydown);
}
