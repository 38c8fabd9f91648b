// Which lots the dice game's rolls are made of: one a die, named after seat, turn and roll.
import type { Lots, Luck, Lucks } from '../../fairness/lots';
import { isDraw, type MatchRecord } from '../../fairness/record';

const FACES = [...'ogwtb$'];
const DICE = 6;

/** A roll: of which turn of all, which roll of that turn, with how many dice, at which ply. */
type Roll = { ended: number; roll: number; dice: number; ply: number; players: number };
type Draw = (lots: Lots, roll: Roll) => string;

const luckBy = (draw: Draw): Luck =>
  function* ({ moves, options }: MatchRecord, lots: Lots) {
    const players = Number(options['players']);
    let [ended, roll, dice] = [0, 0, DICE];
    for (const [ply, move] of moves.entries()) {
      if (isDraw(move)) {
        yield dice ? `*${draw(lots, { ended, roll, dice, ply, players })}` : null;
        [roll, dice] = [roll + 1, 0];
      } else if (move.startsWith('keep')) dice = DICE - move.slice('keep'.length).trim().length;
      else if (move === 'end') [ended, roll, dice] = [ended + 1, 0, DICE];
    }
  };

const byName: Draw = (lots, { ended, roll, dice, players }) => {
  const [seat, turn] = [ended % players, Math.floor(ended / players)];
  const faces = Array.from({ length: dice }, (_, die) => lots.named(`die ${seat} ${turn} ${roll} ${die}`, DICE));
  return faces
    .sort((a, b) => a - b)
    .map((face) => FACES[face])
    .join('');
};

// One lot among all rolls, as many tickets for a set of faces as there are rolls that show it.
const byNumber: Draw = (lots, { dice, ply }) => {
  let ticket = lots.numbered(ply, DICE ** dice);
  for (const set of sets(dice)) {
    const ways = waysTo(set);
    if (ticket < ways) return set;
    ticket -= ways;
  }
  return '';
};

/** Every set of so many faces, in the order of their notation. */
const sets = (size: number, from = 0): string[] =>
  size ? FACES.flatMap((face, at) => (at < from ? [] : sets(size - 1, at).map((rest) => face + rest))) : [''];

const factorial = (n: number): number => (n > 1 ? n * factorial(n - 1) : 1);

/** In how many rolls these faces come up. */
const waysTo = (set: string) =>
  FACES.reduce((ways, face) => ways / factorial(set.split(face).length - 1), factorial(set.length));

export default { 1: luckBy(byNumber), 2: luckBy(byName) } satisfies Lucks;
