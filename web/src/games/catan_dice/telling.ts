// A move of the dice game as a sentence, and a turn's end with what it scored.
import * as m from '$messages';
import type { CatanDiceView } from '$lib/api';
import { isChance, type Reason, type Step, type Telling } from '../../moments/telling';
import { faceName } from './faces';
import { pointsOf, type Face } from './island';
import { isBuild, jokers } from './moves';
import { builtInTurn, CROSS, diceInWords, thing, turns } from './words';

const ROLLED = 1400; // milliseconds: the dice tumble, then one looks at them
const DONE = 900;
const PASSED = 400;

/** Who did what: in the third person, or to oneself. */
const say = <T extends object>(isMine: boolean, own: (parts: T) => string, other: (parts: T) => string, parts: T) =>
  isMine ? own(parts) : other(parts);

export function tell(step: Step<CatanDiceView>): Telling {
  const move = step.moves.find((one) => !isChance(one)) ?? '';
  const isRoll = step.moves.some(isChance);
  return {
    text: sentence(step, move),
    sound: isRoll ? 'dice' : move === 'stop' ? null : 'piece',
    lasts: isRoll ? ROLLED : move === 'stop' || move === 'end' ? PASSED : DONE,
    reasons: move === 'end' ? [written(step)] : [],
  };
}

function sentence({ after, moves, names, seat, isMine }: Step<CatanDiceView>, move: string): string {
  const name = names[seat] ?? '';
  const dice = diceInWords(moves.find(isChance)?.slice(1) ?? '');
  if (isBuild(move)) return say(isMine, m.catan_tell_own_build, m.catan_tell_build, { name, thing: thing(move) });
  if (move.startsWith('trade')) {
    return say(isMine, m.catan_tell_own_trade, m.catan_tell_trade, { name, face: faceName(move[6] as Face) });
  }
  const [joker] = jokers([move]);
  if (joker) {
    const turned = { name, knight: joker.knight, from: faceName(joker.from), to: faceName(joker.to) };
    return say(isMine, m.catan_tell_own_joker, m.catan_tell_joker, turned);
  }
  if (move === 'keep') return say(isMine, m.catan_tell_own_roll_all, m.catan_tell_roll_all, { name, dice });
  if (move.startsWith('keep')) {
    return say(isMine, m.catan_tell_own_roll, m.catan_tell_roll, { name, kept: diceInWords(move.slice(5)), dice });
  }
  if (move === 'stop') return say(isMine, m.catan_tell_own_stop, m.catan_tell_stop, { name });
  const first = say(isMine, m.catan_tell_own_end, m.catan_tell_end, { name });
  if (after.actor === null) return first;
  const isNextMine = after.seat === after.actor;
  const rolled = { name: names[after.actor] ?? '', dice };
  return m.catan_then({ first, next: say(isNextMine, m.catan_tell_own_roll_all, m.catan_tell_roll_all, rolled) });
}

/** What the turn that has just ended writes into its box. */
function written({ after, log, names, seat }: Step<CatanDiceView>): Reason {
  const acts = turns(log.slice(0, log.lastIndexOf('end') + 1)).at(-1)?.acts ?? [];
  const built = acts.filter(isBuild);
  const points = after.sheets[seat]!.boxes.at(-1) ?? CROSS;
  return {
    seat,
    text: m.labelled({ label: names[seat] ?? '', text: builtInTurn(acts) }),
    detail: built.length > 1 ? `${built.map(pointsOf).join(' + ')} = ${points}` : '',
    points,
    marks: built,
  };
}
