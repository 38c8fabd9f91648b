// Dragging a piece onto a cell with mouse, pen or finger. A copy of the piece follows the pointer
// as one composited layer, so that moving it costs no redraw of the board.
type Options = {
  isOn: () => boolean;
  start: () => void;
  over: (cell: string | null) => void;
  drop: (cell: string | null) => void;
};

const THRESHOLD = 6; // pixels; less is a click
const LIFTED = { position: 'fixed', left: '0', top: '0', zIndex: '9', pointerEvents: 'none' };

export function drag({ isOn, start, over, drop }: Options) {
  return (node: HTMLElement) => {
    let from: { x: number; y: number } | null = null;
    let image: HTMLElement | null = null;
    let frame = 0;
    let last: string | null = null;

    const cellAt = (x: number, y: number) =>
      document.elementFromPoint(x, y)?.closest<SVGElement>('[data-cell]')?.dataset['cell'] ?? null;

    function lift() {
      start();
      image = node.cloneNode(true) as HTMLElement;
      image.classList.add('is-dragged');
      Object.assign(image.style, LIFTED, { width: `${node.offsetWidth}px`, height: `${node.offsetHeight}px` });
      document.body.append(image);
    }

    function follow(x: number, y: number) {
      if (!image) return;
      image.style.transform = `translate(${x - node.offsetWidth / 2}px, ${y - node.offsetHeight / 2}px)`;
      const cell = cellAt(x, y);
      if (cell !== last) over((last = cell));
    }

    function down(event: PointerEvent) {
      if (event.button !== 0 || !isOn()) return;
      from = { x: event.clientX, y: event.clientY };
      node.setPointerCapture(event.pointerId);
    }
    function move(event: PointerEvent) {
      if (!from) return;
      const { clientX, clientY } = event;
      if (!image && Math.hypot(clientX - from.x, clientY - from.y) > THRESHOLD) lift();
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => follow(clientX, clientY));
    }
    function up(event: PointerEvent) {
      cancelAnimationFrame(frame);
      from = null;
      if (!image) return;
      image.remove();
      image = null;
      last = null;
      over(null);
      drop(event.type === 'pointerup' ? cellAt(event.clientX, event.clientY) : null);
      node.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => node.removeEventListener('click', swallow, { capture: true }));
    }
    const swallow = (event: Event) => event.stopImmediatePropagation();

    node.addEventListener('pointerdown', down);
    node.addEventListener('pointermove', move);
    node.addEventListener('pointerup', up);
    node.addEventListener('pointercancel', up);
    return () => {
      cancelAnimationFrame(frame);
      image?.remove();
      node.removeEventListener('pointerdown', down);
      node.removeEventListener('pointermove', move);
      node.removeEventListener('pointerup', up);
      node.removeEventListener('pointercancel', up);
    };
  };
}
