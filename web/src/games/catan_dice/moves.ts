// What `legal` offers besides buildings: trades, jokers, dice to keep.
import { sorted, type Die } from './dice';
import { JOKERS, type Face } from './island';

export const isBuild = (move: string) => /^[RSCK]\d+$/.test(move);

export const keepMove = (dice: readonly Die[], kept: ReadonlySet<number>) =>
  `keep ${sorted(dice.map((die, i) => (kept.has(i) ? die.face : null)))}`.trim();

export type Joker = { move: string; knight: number; from: Face; to: Face };

export const jokers = (legal: readonly string[]): Joker[] =>
  legal.flatMap((move) => {
    if (!move.startsWith('joker ')) return [];
    const [, knight, from, to] = move.split(' ');
    return [{ move, knight: Number(knight), from: from as Face, to: (to ?? JOKERS[Number(knight) - 1]) as Face }];
  });

export const isWild = (knight: number) => JOKERS[knight - 1] === 'any';

export const jokerMove = (knight: number, from: Face, wish: Face | null) =>
  isWild(knight) ? `joker ${knight} ${from} ${wish}` : `joker ${knight} ${from}`;
