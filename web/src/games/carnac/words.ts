// Carnac in sentences. Everything said is read off views and the log.
import * as m from '$messages';
import type { CarnacObjection, CarnacView, Dolmen } from '$lib/api';
import type { LogEntry } from '$lib/board';
import { list } from '$lib/format';
import { capital } from '$lib/text';
import type { Step, Telling } from '../../moments/telling';
import type { Direction } from './block';
import { changes, gain, type Change } from './changes';
import { other, type Colour } from './marks';
import { inBoardOrder, isPlacement, landing, shows } from './squares';

export type Style = { top: Colour; side: Colour };

/** The order of the chooser, keys 1 to 4. */
export const STYLES: Style[] = [
  { top: 'r', side: 'w' },
  { top: 'r', side: 'r' },
  { top: 'w', side: 'w' },
  { top: 'w', side: 'r' },
];

export const styleAt = (style: Style) => STYLES.findIndex(({ top, side }) => top === style.top && side === style.side);

export const colourName = (colour: string) => (colour === 'r' ? m.colour_red() : m.colour_white());
const seatColour = (seat: number) => colourName(seat === 0 ? 'r' : 'w');

export const directionName = (direction: Direction) => ({ N: m.north, E: m.east, S: m.south, W: m.west })[direction]();

/** A placement's parts. */
export const placement = (move: string) => ({
  square: move.slice(0, -2),
  top: move.at(-2) as Colour,
  side: move.at(-1) as Colour,
});

/** A stone's colours for a sentence. */
const inColours = ({ top, side }: Style) => ({
  top: colourName(top),
  across: colourName(side),
  along: colourName(other(side)),
});

/** Where a stone that was raised by `placed` lies after a tilt, and how it looks then. */
function fall(placed: string, direction: Direction) {
  const { square, side } = placement(placed);
  return {
    square,
    direction: directionName(direction),
    colour: colourName(shows(side, direction)),
    squares: list(inBoardOrder(landing(square, direction))),
  };
}

/** "West: red on a4 and b4". */
export const fallInWords = (placed: string, direction: Direction) => {
  const fallen = fall(placed, direction);
  return m.labelled({ label: capital(fallen.direction), text: m.carnac_lies(fallen) });
};

/** "Red: a new dolmen of 4". */
export function changeInWords({ kind, seat, before, after }: Change): string {
  const [from, to] = [before[0] ?? 0, after[0] ?? 0];
  const text = {
    made: () => m.carnac_made({ size: to }),
    joined: () => m.carnac_joined({ count: before.length, size: to }),
    broken: () => m.carnac_broken({ size: from }),
    split: () => m.carnac_split({ size: from, count: after.length }),
    grown: () => m.carnac_grown({ from, to }),
    shrunk: () => m.carnac_shrunk({ from, to }),
  }[kind]();
  return m.labelled({ label: capital(seatColour(seat)), text });
}

/** What would come of a move, whole. */
export const prospect = (before: Dolmen[], after: Dolmen[]) =>
  changes(before, after).map(changeInWords).join('; ') || m.carnac_no_change();

/** The same for a small card: "red +1 dolmen", or "red +1, white −1". */
export function shortProspect(before: Dolmen[], after: Dolmen[]): string {
  const found = changes(before, after);
  const counted = found.filter(gain);
  if (!counted.length) return found.map(sizeInWords).join(', ') || m.carnac_no_change();
  return counted.map((change) => countInWords(change, counted.length === 1)).join(', ');
}

function sizeInWords({ seat, before, after }: Change): string {
  return m.carnac_card_size({ colour: seatColour(seat), from: before[0]!, to: after[0]! });
}

function countInWords(change: Change, isAlone: boolean): string {
  const colour = seatColour(change.seat);
  const count = gain(change);
  if (!isAlone) return m.carnac_card_count({ colour, count: count > 0 ? `+${count}` : `−${-count}` });
  if (change.kind === 'joined') return m.carnac_card_joined({ colour, count: -count });
  return count > 0 ? m.carnac_card_more({ colour, count }) : m.carnac_card_fewer({ colour, count: -count });
}

const [RAISED, FALLEN] = [900, 1300]; // milliseconds to see it

/** A stone raised, tipped or left, and the dolmens that came or went. */
export function tell({ before, after, moves, log, names, seat, isMine }: Step<CarnacView>): Telling {
  const move = moves[0]!;
  return {
    text: moveTold(move, log.at(-2) ?? '', isMine ? null : (names[seat] ?? '')),
    sound: move === 'stand' ? null : 'piece',
    lasts: move.startsWith('tilt ') ? FALLEN : RAISED,
    reasons: changes(before.dolmens, after.dolmens)
      .filter(gain)
      .map((change) => ({
        seat: change.seat,
        text: changeInWords(change),
        detail: list(change.squares),
        points: gain(change),
        marks: change.squares,
      })),
  };
}

/** Who did what, on which stone and how; without a name it was oneself. */
function moveTold(move: string, placed: string, name: string | null): string {
  if (move === 'stand') {
    const { square } = placement(placed);
    return name === null ? m.carnac_you_leave({ square }) : m.carnac_leaves({ name, square });
  }
  if (isPlacement(move)) {
    const raised = { square: placement(move).square, ...inColours(placement(move)) };
    return name === null ? m.carnac_you_raise(raised) : m.carnac_raises({ name, ...raised });
  }
  const fallen = fall(placed, move[5] as Direction);
  return name === null ? m.carnac_you_tip(fallen) : m.carnac_tips({ name, ...fallen });
}

/** The log with who did what: whoever tilts also places next; whoever is left alone places again. */
export function entries(_: CarnacView, log: string[]): LogEntry[] {
  const seats = seatsOf(log);
  return log.map((move, ply) => ({
    ply,
    number: ply + 1,
    seat: seats[ply] ?? 0,
    move,
    ...logged(move, log[ply - 1] ?? ''),
    gain: '',
  }));
}

function logged(move: string, placed: string): { text: string; why: string[] } {
  if (move === 'stand') return { text: m.carnac_log_left(placement(placed)), why: [] };
  if (isPlacement(move)) {
    const colours = inColours(placement(move));
    const { square } = placement(move);
    return { text: m.carnac_log_raised({ square, ...colours }), why: [m.carnac_falls(colours)] };
  }
  const fallen = fall(placed, move[5] as Direction);
  return { text: m.carnac_log_tipped(fallen), why: [capital(m.carnac_lies(fallen))] };
}

function seatsOf(log: string[]): number[] {
  let placer = 0; // who places next
  return log.map((move, ply) => {
    if (!isPlacement(move)) {
      const decider = 1 - placer;
      if (move !== 'stand') placer = decider;
      return decider;
    }
    const seat = placer;
    const next = log[ply + 1];
    if (next !== undefined && isPlacement(next)) placer = 1 - placer; // it could not fall
    return seat;
  });
}

/** A move as advice. */
export function advice(view: CarnacView, move: string): string {
  const stone = view.tilting ?? m.carnac_the_stone();
  if (move === 'stand') return m.carnac_advise_leave({ stone });
  if (!isPlacement(move)) return m.carnac_advise_tip({ stone, direction: directionName(move[5] as Direction) });
  return m.carnac_advise_raise({ square: placement(move).square, ...inColours(placement(move)) });
}

/** A stone's four ways to look, for who chooses. */
export const styleInWords = (style: Style) => capital(m.carnac_style(inColours(style)));

/** Why something cannot be done. */
export function objection(reason: unknown): string {
  const { reason: kind, square, direction, outside, taken } = reason as CarnacObjection;
  if (kind === 'place') return m.carnac_why_place();
  if (kind === 'tilt') return m.carnac_why_tilt({ square: square ?? '' });
  if (kind === 'outside') return m.carnac_why_outside({ square: square ?? '' });
  if (kind === 'taken') return m.carnac_why_taken({ squares: square ?? '', count: 1 });
  const obstacles = [
    ...(taken.length ? [m.carnac_why_taken({ squares: list(taken), count: taken.length })] : []),
    ...(outside ? [m.carnac_why_edge()] : []),
  ];
  const blocked = m.carnac_why_fall({ square: square ?? '', direction: directionName(direction!) });
  return m.labelled({ label: blocked, text: list(obstacles) });
}
