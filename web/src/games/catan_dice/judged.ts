// What a review says of each die: what was done with it, and what had better been done.
import * as m from '$messages';
import type { Point } from '$lib/geometry';
import { round } from '$lib/geometry';
import type { IconName } from '$lib/icons';
import type { Marked } from '$lib/marked';
import { placesOf, type Die } from './dice';
import { centres, COSTS, jokerId, kindOf, ROADS, type Face, type Kind } from './island';
import { isBuild, jokers } from './moves';

/** Under a die: a word, an icon where there is no room for it, what the die becomes; strong if it is used. */
export type Tag = { text: string; icon: IconName; isStrong: boolean; to?: Face };

const used = (text: string): Tag => ({ text, icon: 'check', isStrong: true });

/** For each die what a move does with it; null where that is nothing, or no die's matter. */
export function tagsOf({ move, isBetter }: Marked, dice: readonly Die[]): (Tag | null)[] {
  if (move.startsWith('keep')) {
    const kept = placesOf(dice, [...move.slice(5)] as Face[]);
    const [keep, roll] = isBetter ? [m.catan_tag_keep, m.catan_tag_roll] : [m.catan_tag_kept, m.catan_tag_rolled];
    return dice.map((_, i) => (kept.has(i) ? used(keep()) : { text: roll(), icon: 'turn-right', isStrong: false }));
  }
  if (move === 'stop') return dice.map(() => used(m.catan_tag_stands()));
  const [joker] = jokers([move]);
  const given = isBuild(move) ? COSTS[kindOf(move)] : move.startsWith('trade') ? (['$', '$'] as Face[]) : [];
  const places = [...placesOf(dice, joker ? [joker.from] : given)];
  const to = joker?.to ?? (move.startsWith('trade') ? (move[6] as Face) : null);
  return dice.map((_, i) => {
    if (!places.includes(i)) return null;
    return to && i === places.at(-1) ? { ...used(m.catan_tag_turns()), to } : used(m.catan_tag_pays()); // of two gold one goes
  });
}

const HOUSE = 'M-44 46V8L-56-2 0-58 56-2 44 8V46Z';
const TOWN = 'M-58 48V-6L-66-10-32-70-4-26-2-34H42L64 0 56 6V48Z';
const SHIELD = 'M0-56C16-47 31-45 46-45V0C46 28 23 49 0 60C-23 49-46 28-46 0V-45C-31-45-16-47 0-56Z';
const COIN = 'M-42 0a42 42 0 1 0 84 0a42 42 0 1 0 -84 0Z';
const RINGS: Record<Exclude<Kind, 'road'>, string> = { settlement: HOUSE, city: TOWN, knight: SHIELD };
const BADGES: Record<keyof typeof RINGS, Point> = { settlement: [44, -44], city: [50, -48], knight: [44, -50] };

export type Ring = { id: string; at: Point; d: string; badge: Point };

/** Where on the island a move is seen, if anywhere; the ring is drawn around 0, 0. */
export function ringOf(move: string): Ring | null {
  const [joker] = jokers([move]);
  if (joker) {
    const id = jokerId(joker.knight);
    return { id, at: centres[id]!, d: COIN, badge: [34, -34] };
  }
  if (!isBuild(move)) return null;
  const kind = kindOf(move);
  const ring = kind === 'road' ? aroundRoad(move) : { d: RINGS[kind], badge: BADGES[kind] };
  return { id: move, at: centres[move]!, ...ring };
}

/** A long ring: straight along the road, round at its ends; the badge beside it. */
function aroundRoad(id: string): { d: string; badge: Point } {
  const { from, to } = ROADS.find((road) => road.id === id)!;
  const [dx, dy] = [(to[0] - from[0]) / 2, (to[1] - from[1]) / 2];
  const length = Math.hypot(dx, dy);
  const WIDE = 26;
  const [nx, ny] = [(-dy / length) * WIDE, (dx / length) * WIDE];
  const [ex, ey] = [dx * (1 - WIDE / length), dy * (1 - WIDE / length)];
  const at = (x: number, y: number) => `${round(x)} ${round(y)}`;
  const arc = `A${WIDE} ${WIDE} 0 0 0 `;
  const up = ny > 0 || (ny === 0 && nx < 0) ? -1.5 : 1.5;
  return {
    d:
      `M${at(-ex + nx, -ey + ny)}L${at(ex + nx, ey + ny)}${arc}${at(ex - nx, ey - ny)}` +
      `L${at(-ex - nx, -ey - ny)}${arc}${at(-ex + nx, -ey + ny)}Z`,
    badge: [round(nx * up), round(ny * up)],
  };
}
