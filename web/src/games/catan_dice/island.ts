// The printed sheet: where hexes, roads and sites are, what they cost, which grows from which.
// Corners are those of pointy hexes with sides of 156 around the lake at 480, 462.
import type { Sheet } from '$lib/api';
import type { Point } from '$lib/geometry';

export const FACES = ['o', 'g', 'w', 't', 'b', '$'] as const;
export type Face = (typeof FACES)[number];
export type Terrain = 'ore' | 'grain' | 'wool' | 'timber' | 'brick' | 'desert';

export const SIZE: Point = [960, 924];
export const HEX_SIDE = 156;
export const CENTRE: Point = [480, 462];
export const TURNS = 15;

/** The joker of knight n, from 1; the sixth turns to any resource. */
export const JOKERS: (Face | 'any')[] = ['o', 'g', 'w', 't', 'b', 'any'];

/** A joker's name among the things of the sheet. */
export const jokerId = (knight: number) => `J${knight}`;

export const HEXES: { terrain: Terrain; at: Point }[] = [
  { terrain: 'ore', at: [344.9, 228] },
  { terrain: 'grain', at: [209.8, 462] },
  { terrain: 'wool', at: [344.9, 696] },
  { terrain: 'timber', at: [615.1, 696] },
  { terrain: 'brick', at: [750.2, 462] },
  { terrain: 'desert', at: [615.1, 228] },
];

const NODES: Record<string, Point> = {
  P0: [344.9, 72],
  S3: [209.8, 150],
  J0: [209.8, 306],
  C7: [74.7, 384],
  S4: [344.9, 384],
  J3: [344.9, 540],
  C12: [209.8, 618],
  S5: [480, 618],
  J6: [615.1, 540],
  S7: [750.2, 618],
  J8: [750.2, 774],
  S9: [615.1, 852],
  J10: [480, 774],
  S11: [344.9, 852],
  J12: [885.3, 540],
  C20: [885.3, 384],
  J14: [750.2, 306],
  C30: [750.2, 150],
};

/** The free road is there from the start. */
export const FREE = 'free';
const TREE: [id: string, needs: string, from: string, to: string][] = [
  [FREE, '', 'P0', 'S3'],
  ['R0', FREE, 'S3', 'J0'],
  ['R1', 'R0', 'J0', 'C7'],
  ['R2', 'R0', 'J0', 'S4'],
  ['R3', 'R2', 'S4', 'J3'],
  ['R4', 'R3', 'J3', 'C12'],
  ['R5', 'R3', 'J3', 'S5'],
  ['R6', 'R5', 'S5', 'J6'],
  ['R7', 'R6', 'J6', 'S7'],
  ['R8', 'R7', 'S7', 'J8'],
  ['R9', 'R8', 'J8', 'S9'],
  ['R10', 'R9', 'S9', 'J10'],
  ['R11', 'R10', 'J10', 'S11'],
  ['R12', 'R7', 'S7', 'J12'],
  ['R13', 'R12', 'J12', 'C20'],
  ['R14', 'R13', 'C20', 'J14'],
  ['R15', 'R14', 'J14', 'C30'],
];

export type Kind = 'road' | 'settlement' | 'city' | 'knight';
export type Road = { id: string; needs: string; from: Point; to: Point };
export type Site = { id: string; kind: Exclude<Kind, 'road'>; points: number; at: Point; needs: string[] };

export const ROADS: Road[] = TREE.map(([id, needs, from, to]) => ({ id, needs, from: NODES[from]!, to: NODES[to]! }));

/** Where roads meet without a site. */
export const JOINTS = Object.entries(NODES)
  .filter(([name]) => name[0] === 'J' || name[0] === 'P')
  .map(([name, at]) => ({
    at,
    roads: TREE.filter(([, , from, to]) => from === name || to === name).map(([id]) => id),
  }));

const KINDS: Record<string, Site['kind']> = { S: 'settlement', C: 'city', K: 'knight' };

/** A row of sites, each of which also needs the one before it. */
function row(ids: string[], place: (id: string, i: number) => Pick<Site, 'at' | 'needs'>): Site[] {
  return ids.map((id, i) => {
    const { at, needs } = place(id, i);
    const before = i ? [ids[i - 1]!] : [];
    return { id, kind: KINDS[id[0]!]!, points: Number(id.slice(1)), at, needs: [...needs, ...before] };
  });
}
const atRoad = (id: string) => ({
  at: NODES[id]!,
  needs: TREE.filter(([, , , to]) => to === id).map(([road]) => road),
});

export const SITES: Site[] = [
  ...row(['S3', 'S4', 'S5', 'S7', 'S9', 'S11'], atRoad),
  ...row(['C7', 'C12', 'C20', 'C30'], atRoad),
  ...row(['K1', 'K2', 'K3', 'K4', 'K5', 'K6'], (_, i) => ({
    at: [HEXES[i]!.at[0] - 42, HEXES[i]!.at[1] - 2],
    needs: [],
  })),
];

export const COSTS: Record<Kind, Face[]> = {
  road: ['t', 'b'],
  knight: ['o', 'g', 'w'],
  settlement: ['t', 'b', 'w', 'g'],
  city: ['o', 'o', 'o', 'g', 'g'],
};
export const kindOf = (id: string): Kind => KINDS[id[0]!] ?? 'road';
export const pointsOf = (id: string) => (kindOf(id) === 'road' ? 1 : Number(id.slice(1)));

export const KINDS_IN_ORDER: Kind[] = ['road', 'knight', 'settlement', 'city'];

/** Where each thing of the sheet stands, for going from one to the next. */
export const centres: Record<string, Point> = Object.fromEntries([
  ...ROADS.map(({ id, from, to }): [string, Point] => [id, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]]),
  ...SITES.map(({ id, at }): [string, Point] => [id, at]),
  ...HEXES.map(({ at }, i): [string, Point] => [jokerId(i + 1), [at[0] + 44, at[1] + 2]]),
]);

/** Everything built on a sheet. */
export const builtOn = (sheet: Sheet) =>
  new Set([FREE, ...sheet.roads, ...sheet.settlements, ...sheet.cities, ...sheet.knights]);

/** Built, payable now, next in line on the printed sheet, or locked. */
export type Look = 'built' | 'lit' | 'next' | 'locked';

export function looks(sheet: Sheet, legal: readonly string[]): (id: string) => Look {
  const built = builtOn(sheet);
  const lit = new Set(legal);
  const needs = new Map([
    ...ROADS.map(({ id, needs }): [string, string[]] => [id, [needs]]),
    ...SITES.map(({ id, needs }): [string, string[]] => [id, needs]),
  ]);
  return (id) =>
    built.has(id) ? 'built' : lit.has(id) ? 'lit' : needs.get(id)!.every((need) => built.has(need)) ? 'next' : 'locked';
}

/** Of the kind, what the sheet offers next: a road may go on in several places. */
export const nextOf = (sheet: Sheet, kind: Kind): string[] => {
  const look = looks(sheet, []);
  if (kind === 'road') return ROADS.map(({ id }) => id).filter((id) => look(id) === 'next');
  return SITES.filter((site) => site.kind === kind && look(site.id) !== 'built')
    .slice(0, 1)
    .map(({ id }) => id);
};

/** The road that a site stands at but that is not built yet. */
export function missingRoad(sheet: Sheet, id: string): string | null {
  const built = builtOn(sheet);
  const needs = SITES.find((site) => site.id === id)?.needs ?? [];
  return needs.find((need) => kindOf(need) === 'road' && !built.has(need)) ?? null;
}
