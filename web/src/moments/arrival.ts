// How a piece comes onto the board and points leave it: along the line between a seat's card and the
// place on the board. Whoever wants less motion sees neither.
const LAID = 0.75; // of the time there is, so that one sees it lie

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
const centre = (box: DOMRect): [number, number] => [box.x + box.width / 2, box.y + box.height / 2];

/** The card of a seat. */
const cardOf = (seat: number) => document.querySelector(`[data-seat="${seat}"]`);

/** A drawn piece comes from its player's card, lifted, and is laid where it is drawn. */
export function fromSeat(seat: number, lasts: number) {
  return (node: SVGGraphicsElement) => {
    const card = cardOf(seat);
    const scale = node.getScreenCTM()?.a;
    if (!card || !scale || isCalm()) return;
    const [from, to] = [centre(card.getBoundingClientRect()), centre(node.getBoundingClientRect())];
    const away = `translate(${(from[0] - to[0]) / scale}px, ${(from[1] - to[1]) / scale}px)`;
    const lifted = { transform: 'translate(0, -16px) scale(1.12)', filter: 'drop-shadow(8px 22px 6px #0b071270)' };
    node.animate(
      [
        { transform: `${away} scale(0.5)`, opacity: 0, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' },
        { ...lifted, opacity: 1, offset: 0.6 },
        { ...lifted, offset: 0.8, easing: 'ease-in' },
        { transform: 'none', filter: 'none' },
      ],
      lasts * LAID,
    );
  };
}

/** Points fly from what was counted, `data-mark` on the board, to their seat's card. */
export function toSeat(mark: string, seat: number, lasts: number) {
  return (node: HTMLElement) => {
    const [counted, card] = [document.querySelector(`[data-mark="${CSS.escape(mark)}"]`), cardOf(seat)];
    if (!counted || !card || isCalm()) return node.remove();
    const at = ([x, y]: [number, number]) => `translate(${x}px, ${y}px) translate(-50%, -50%)`;
    const [from, to] = [at(centre(counted.getBoundingClientRect())), at(centre(card.getBoundingClientRect()))];
    node.animate(
      [
        { transform: `${from} scale(0.7)`, opacity: 0 },
        { transform: `${from} scale(1.25)`, opacity: 1, offset: 0.3, easing: 'cubic-bezier(0.5, 0, 0.3, 1)' },
        { transform: to },
      ],
      { duration: lasts, fill: 'forwards' },
    );
  };
}
