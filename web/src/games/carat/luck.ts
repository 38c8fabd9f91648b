// Which lots Carat's draws are made of: the lay-out, point by point, then the stock from the top.
import type { Lots, Luck, Lucks } from '../../fairness/lots';
import { isDraw, type MatchRecord } from '../../fairness/record';

const POINTS = 49;
const CHIPS = [...'1111111111222222222233333333334444444444555555555'];
const ORDERS = ['RYBG', 'RYGB', 'RBYG', 'RBGY', 'RGYB', 'RGBY'];
const TILES = [1, 2, 3, 4, 5, 6].flatMap((value) => ORDERS.map((order) => `*${value}${order}`));

type Draw = { chip: (lots: Lots, point: number, count: number) => number; tile: typeof named.tile };

const named = {
  chip: (lots: Lots, point: number, count: number) => lots.named(`chip ${point}`, count),
  /** The how manieth tile it is; at which ply. */
  tile: (lots: Lots, drawn: number, _: number, count: number) => lots.named(`tile ${drawn}`, count),
};
// The lay-out is one move of 49 actions.
const numbered: Draw = {
  chip: (lots, point, count) => lots.numbered(point, count),
  tile: (lots, _, ply, count) => lots.numbered(ply + POINTS - 1, count),
};

const luckBy = (draw: Draw): Luck =>
  function* ({ moves }: MatchRecord, lots: Lots) {
    const left = [...TILES];
    for (const [ply, move] of moves.entries()) {
      if (!isDraw(move)) continue;
      if (ply === 0) {
        const chips = [...CHIPS];
        const laid = CHIPS.map((_, point) => chips.splice(draw.chip(lots, point, chips.length), 1)[0]);
        yield `*chips ${laid.join('')}`;
        continue;
      }
      yield left.length ? left[draw.tile(lots, TILES.length - left.length, ply, left.length)]! : null;
      const at = left.indexOf(move);
      if (at >= 0) left.splice(at, 1);
    }
  };

export default { 1: luckBy(numbered), 2: luckBy(named) } satisfies Lucks;
