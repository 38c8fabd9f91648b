// What the pieces of an island are besides pictures: buttons where one may act.
import type { Look } from './island';
import type { JokerState } from './words';

/** How a piece of the sheet is drawn and pressed; a picture has no `press`. */
export type PieceProps = {
  look: Look | JokerState;
  name: string;
  /** For the ear; none where the piece is part of another picture. */
  label: string;
  isChosen?: boolean;
  /** Somebody tells of it. */
  isTold?: boolean;
  /** Where the focus is when one comes by keyboard. */
  isHere?: boolean;
  press?: (() => void) | undefined;
  focus?: (() => void) | undefined;
};

/** What makes a `g` a button or a picture. Also a picture keeps the focus that it has. */
export const roleOf = ({ look, name, label, isHere, press, focus }: PieceProps) =>
  label
    ? {
        role: press ? 'button' : 'img',
        'data-site': name,
        'aria-label': label,
        'aria-disabled': press ? look !== 'lit' && look !== 'ready' : undefined,
        tabindex: isHere ? 0 : -1,
        onclick: press,
        onfocus: focus,
      }
    : { 'aria-hidden': true };
