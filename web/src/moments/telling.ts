// How a game tells what happened: one sentence for a move, and one for each thing that it scored.
import type { View } from '$lib/api';
import type { Scene } from '../sources/source';

/** From one scene to the next: what somebody did, and the chance that followed. */
export type Step<V extends View = View> = {
  before: V;
  after: V;
  /** The log's new moves, chance included. */
  moves: string[];
  /** The whole log up to and with them. */
  log: string[];
  /** Who acted. */
  seat: number;
  names: string[];
  /** Whether it was oneself, to be told as "you". */
  isMine: boolean;
};

export type Reason = {
  /** Whose points they are; nobody's where nothing was won. */
  seat: number | null;
  /** "Red 5 beats green 4". */
  text: string;
  /** "chip 4 × 2 colours = 8". */
  detail: string;
  points: number;
  /** What on the board it is about, in the board's own names. */
  marks: string[];
  /** Milliseconds, where it takes less to see than reasons do in general. */
  lasts?: number;
};

export type Telling = {
  /** "Marta lays a 5 on a6." */
  text: string;
  /** How it sounds; nothing for what nobody sees. */
  sound: 'piece' | 'dice' | null;
  /** Milliseconds that one needs to see it, without its reasons. */
  lasts: number;
  reasons: Reason[];
};

/** What is being shown and said: the move, why it scores, the points on their way. */
export type Beat = {
  kind: 'move' | 'reason' | 'points';
  /** Whom it is about: who moved, or whose points they are. */
  seat: number;
  /** Who moved; until all of it is told, nobody else's turn has come. */
  mover: number;
  text: string;
  detail: string;
  points: number;
  /** The reason that is told; none in the move's own beat. */
  reason: Reason | null;
  /** The reasons still to come, without the present one: what they settle is not yet settled. */
  ahead: Reason[];
  lasts: number;
};

/** The beats of a step, in the order in which one can follow them. */
export function beatsOf({ text, reasons, lasts }: Telling, seat: number): Beat[] {
  const move: Beat = {
    kind: 'move',
    seat,
    mover: seat,
    text,
    detail: '',
    points: 0,
    reason: null,
    ahead: reasons,
    lasts,
  };
  return [
    move,
    ...reasons.flatMap((reason, i): Beat[] => {
      const told = {
        seat: reason.seat ?? seat,
        mover: seat,
        text: reason.text,
        detail: reason.detail,
        points: reason.points,
        reason,
        ahead: reasons.slice(i + 1),
      };
      const why: Beat = { kind: 'reason', ...told, lasts: reason.lasts ?? WHY };
      return reason.points && reason.seat !== null ? [why, { kind: 'points', ...told, lasts: POINTS }] : [why];
    }),
  ];
}

const WHY = 1600; // milliseconds at the normal pace, to read a line
const POINTS = 400; // until they are with their seat

export const isChance = (move: string) => move.startsWith('*');
/** What chance brought, without its sign. */
export const chanceOf = (move: string) => move.replace(/^\*/, '');

/** The step between two scenes, if somebody acted between them. */
export function stepBetween(before: Scene, after: Scene, names: string[], mine: number[]): Step | null {
  const moves = after.log.slice(before.log.length);
  const seat = before.view.actor;
  if (!moves.length || seat === null || after.view.ply <= before.view.ply) return null;
  return { before: before.view, after: after.view, moves, log: after.log, seat, names, isMine: mine.includes(seat) };
}
