// One finger or the mouse moves the field, two fingers or the wheel bring it nearer.
type Options = { move: (dx: number, dy: number) => void; zoom: (by: number, at: [number, number]) => void };
type Point = { x: number; y: number };

const THRESHOLD = 6; // pixels; less is a click
const WHEEL = 0.0016; // zoom per wheel unit, as an exponent

export function gestures({ move, zoom }: Options) {
  return (node: HTMLElement) => {
    const fingers = new Map<number, Point>();
    let isMoving = false;
    let frame = 0;
    let waiting = { dx: 0, dy: 0, by: 1, at: [0, 0] as [number, number] };

    const fromMiddle = ({ x, y }: Point): [number, number] => {
      const box = node.getBoundingClientRect();
      return [x - box.x - box.width / 2, y - box.y - box.height / 2];
    };
    // Many events, one step a frame.
    function soon() {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        if (waiting.dx || waiting.dy) move(waiting.dx, waiting.dy);
        if (waiting.by !== 1) zoom(waiting.by, waiting.at);
        waiting = { dx: 0, dy: 0, by: 1, at: [0, 0] };
      });
    }

    function down(event: PointerEvent) {
      if (event.button !== 0) return;
      if (!fingers.size) isMoving = false;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    }
    function follow(event: PointerEvent) {
      const last = fingers.get(event.pointerId);
      if (!last) return;
      const now = { x: event.clientX, y: event.clientY };
      if (!isMoving) {
        if (fingers.size < 2 && Math.hypot(now.x - last.x, now.y - last.y) < THRESHOLD) return;
        isMoving = true;
        node.setPointerCapture(event.pointerId);
      }
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      const share = other ? 0.5 : 1; // two fingers: the point between them moves half as far
      waiting.dx += (now.x - last.x) * share;
      waiting.dy += (now.y - last.y) * share;
      if (other) {
        waiting.by *=
          Math.hypot(now.x - other.x, now.y - other.y) / Math.hypot(last.x - other.x, last.y - other.y) || 1;
        waiting.at = fromMiddle({ x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
      }
      fingers.set(event.pointerId, now);
      soon();
    }
    function up(event: PointerEvent) {
      if (!fingers.delete(event.pointerId) || !isMoving) return;
      const swallow = (click: Event) => click.stopPropagation();
      node.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => node.removeEventListener('click', swallow, { capture: true }));
    }
    function wheel(event: WheelEvent) {
      event.preventDefault();
      waiting.by *= Math.exp(-event.deltaY * WHEEL);
      waiting.at = fromMiddle({ x: event.clientX, y: event.clientY });
      soon();
    }

    node.addEventListener('pointerdown', down);
    node.addEventListener('pointermove', follow);
    node.addEventListener('pointerup', up);
    node.addEventListener('pointercancel', up);
    node.addEventListener('wheel', wheel, { passive: false });
    return () => {
      cancelAnimationFrame(frame);
      node.removeEventListener('pointerdown', down);
      node.removeEventListener('pointermove', follow);
      node.removeEventListener('pointerup', up);
      node.removeEventListener('pointercancel', up);
      node.removeEventListener('wheel', wheel);
    };
  };
}
