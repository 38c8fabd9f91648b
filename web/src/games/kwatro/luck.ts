// Which lots Kwatro's draws are made of: the pile as it was shuffled; then cards that were passed
// come up in the order in which they lie.
import type { Lots, Luck, Lucks } from '../../fairness/lots';
import { isDraw, type MatchRecord } from '../../fairness/record';

const JOKERS = ['*J', '*J'];
const CARDS = [...'BGRY'].flatMap((colour) =>
  [...'CSTX'].flatMap((shape) => [1, 2, 3, 4].map((number) => `*${colour}${shape}${number}`)),
);
const PILE = [...CARDS, ...JOKERS];

/** Which of the cards left it is, as the how manieth card of the pile or by its ply. */
type Draw = (lots: Lots, drawn: number, ply: number, count: number) => number;

const luckBy = (draw: Draw): Luck =>
  function* ({ moves }: MatchRecord, lots: Lots) {
    const left = [...PILE];
    const under: string[] = [];
    for (const [ply, move] of moves.entries()) {
      if (move.startsWith('pass'))
        under.push(
          ...move
            .split(' ')
            .slice(1)
            .sort()
            .map((card) => `*${card}`),
        );
      if (!isDraw(move)) continue;
      if (!left.length) {
        yield under.shift() ?? null;
        continue;
      }
      yield left[draw(lots, PILE.length - left.length, ply, left.length)]!;
      const at = left.indexOf(move);
      if (at >= 0) left.splice(at, 1);
    }
  };

export default {
  1: luckBy((lots, _, ply, count) => lots.numbered(ply, count)),
  2: luckBy((lots, drawn, __, count) => lots.named(`card ${drawn}`, count)),
} satisfies Lucks;
