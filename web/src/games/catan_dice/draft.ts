// What is half chosen: dice to keep, or what to do with the dice that stand.
import { placesOf, type Die } from './dice';
import { COSTS, kindOf, type Face } from './island';
import { isBuild, isWild, jokerMove, jokers, keepMove } from './moves';

export type Draft = {
  /** Places of the dice to keep. */
  kept: ReadonlySet<number>;
  /** `roll`, `stop`, `end`, a building or a trade. */
  act: string | null;
  /** Whose joker is being used, what it makes of a die where one may choose, and of which. */
  knight: number | null;
  wish: Face | null;
  die: number | null;
};

export const ROLL = 'roll';

/** Acts that nothing on the board shows: chosen by a key, they wait to be confirmed. */
export const isReadied = ({ act }: Draft) => act === ROLL || act === 'stop' || act === 'end';

export const blank = (dice: readonly Die[]): Draft => ({
  kept: new Set(dice.flatMap((die, i) => (die.isKept ? [i] : []))),
  act: null,
  knight: null,
  wish: null,
  die: null,
});

/** The move that a draft stands for. */
export function write({ kept, act, knight, wish, die }: Draft, dice: readonly Die[]): string | null {
  if (act === ROLL) return keepMove(dice, kept);
  const face = die === null ? null : dice[die]?.face;
  if (knight === null) return act;
  return face && (wish || !isWild(knight)) ? jokerMove(knight, face, wish) : null;
}

/** The draft that stands for a move. */
export function read(move: string, dice: readonly Die[]): Draft {
  const draft = blank(dice);
  const [joker] = jokers([move]);
  if (move.startsWith('keep')) return { ...draft, act: ROLL, kept: placesOf(dice, [...move.slice(5)] as Face[]) };
  if (!joker) return { ...draft, act: move };
  const [die = null] = placesOf(dice, [joker.from]);
  return { ...draft, knight: joker.knight, wish: isWild(joker.knight) ? joker.to : null, die };
}

/** Places of the dice that it takes or turns. */
export function paying({ act, die, knight }: Draft, dice: readonly Die[]): Set<number> {
  if (knight !== null) return new Set(die === null ? [] : [die]);
  if (act && isBuild(act)) return placesOf(dice, COSTS[kindOf(act)]);
  return act?.startsWith('trade') ? placesOf(dice, ['$', '$']) : new Set();
}
