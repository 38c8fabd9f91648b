// Six dice that keep their places. The view tells which faces lie there, in order of the notation;
// the log tells which of them were rolled.
import { FACES, type Face } from './island';

/** `rolls` counts how often the die was rolled, so that each roll can be seen. */
export type Die = { face: Face | null; isKept: boolean; rolls: number };

export const DICE = 6;

const faces = (text: string) => [...text] as Face[];
export const sorted = (list: readonly (Face | null)[]) =>
  FACES.flatMap((face) => list.filter((other) => other === face)).join('');

/** Dice as they are found when one comes to the table. */
export const lying = (dice: string): Die[] =>
  Array.from({ length: DICE }, (_, i) => ({ face: (dice[i] as Face) ?? null, isKept: false, rolls: 0 }));

/** The dice after more moves, and as the view shows them; of equal ones the `spent` go or turn first. */
export function follow(
  dice: readonly Die[],
  moves: readonly string[],
  shown: string,
  spent: ReadonlySet<number> = new Set(),
): Die[] {
  let now = dice.map((die) => ({ ...die }));
  for (const move of moves) {
    if (move === 'end') now = now.map((die) => ({ ...die, face: null, isKept: false }));
    else if (move.startsWith('keep')) keep(now, faces(move.slice(5)));
    else if (move.startsWith('*')) roll(now, faces(move.slice(1)));
    else if (move === 'stop') now.forEach((die) => (die.isKept = false));
  }
  return settle(now, shown, spent);
}

/** Of several dice that show a face, those that were chosen come first. */
function keep(dice: Die[], faces: Face[]) {
  const chosen = new Set<Die>();
  for (const face of faces) {
    const fitting = dice.filter((die) => die.face === face && !chosen.has(die));
    const die = fitting.find((one) => one.isKept) ?? fitting[0];
    if (die) chosen.add(die);
  }
  dice.forEach((die) => (die.isKept = chosen.has(die)));
}

function roll(dice: Die[], faces: Face[]) {
  const rolled = dice.filter((die) => !die.isKept);
  rolled.forEach((die, i) => {
    die.face = faces[i] ?? null;
    die.rolls++;
  });
}

/** Dice that show what is there stay; the others turn to what is left over, or are out. */
function settle(dice: Die[], shown: string, spent: ReadonlySet<number>): Die[] {
  const left = faces(shown);
  const places = dice.map((_, i) => i).sort((a, b) => Number(spent.has(a)) - Number(spent.has(b)) || b - a);
  const odd = places.filter((place) => {
    const at = left.indexOf(dice[place]!.face as Face);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const isOut = (place: number) => Number(dice[place]!.face === null);
  odd.sort((a, b) => isOut(a) - isOut(b) || a - b);
  for (const place of odd) dice[place]!.face = left.shift() ?? null;
  return dice;
}

/** Of these dice the places of the ones with these faces. */
export function placesOf(dice: readonly Die[], wanted: readonly Face[]): Set<number> {
  const places = new Set<number>();
  for (const face of wanted) {
    const at = dice.findIndex((die, i) => die.face === face && !places.has(i));
    if (at >= 0) places.add(at);
  }
  return places;
}

const TUMBLE = 720; // milliseconds, as Tray.svelte shows it
const LATE = 225; // until the last of six has begun

/** How long one must wait to see what lies there after these moves. */
export function landing(moves: readonly string[]): number {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return !isStill && moves.some((move) => move.startsWith('*')) ? TUMBLE + LATE : 0;
}
