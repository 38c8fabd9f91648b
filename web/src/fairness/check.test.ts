import { describe, expect, test } from 'vitest';
import { loadLuck } from '../games';
import { check, type Proof, type Step } from './check';
import { sealOf, seatLot, seedOf } from './lots';
import { isDraw } from './record';
import told from './records.json';
import type { Own, Seen } from './seals';
import { honestText, stepText } from './words';

type Told = {
  game: string;
  rules: number;
  moves: string[];
  seed: string;
  secret?: string;
  parts?: (string | null)[];
  origin?: { ply: number };
} & Record<string, unknown>;
const records = told as unknown as Record<string, Told>;
const entries = Object.entries(records);
const lucky = entries.filter(([, { moves }]) => moves.some(isDraw));
const seats = Object.keys(records).filter((name) => 'lot' in records[name]!);
const mixed = entries.filter(([, { parts }]) => parts?.some((part) => part !== null));
const opened = ({ secret, seed }: Told) => secret ?? seed;
const otherHex = (hex: string) => `${hex[0] === '0' ? '1' : '0'}${hex.slice(1)}`;
const SEEN: Seen = { seal: '', at: 1_700_000_000, moves: 0 };

const proven = (record: unknown, seen: Seen | null = null) => check(record, seen, loadLuck);
const states = ({ steps }: Proof) => Object.fromEntries(steps.map(({ kind, state }) => [kind, state]));
const failing = ({ steps }: Proof) => steps.filter(({ state }) => state === 'fails').map(({ kind }) => kind);
const drawsOf = ({ steps }: Proof) => steps.find((step) => step.kind === 'draws') as Extract<Step, { kind: 'draws' }>;
const withMoves = (record: Told, change: (moves: string[]) => void): Told => {
  const moves = [...record.moves];
  change(moves);
  return { ...record, moves };
};
/** The plies of the draws that are this match's own. */
const drawn = ({ moves, origin }: Told) =>
  moves.flatMap((move, ply) => (isDraw(move) && ply >= (origin?.ply ?? 0) ? [ply] : []));
/** Another outcome that reads like one. */
const forged = (move: string) => {
  if (move.startsWith('*chips ')) return `*chips ${[...move.slice(7)].reverse().join('')}`;
  const others = ['*o', '*g', '*1RYBG', '*2RYBG', '*BC1', '*BC2'];
  return others.find((other) => other.length === move.length && other !== move) ?? '*oooooo';
};

describe('records of the library', () => {
  test.each(entries)('%s: every draw is recomputed', async (_, record) => {
    const proof = await proven(record);
    expect(failing(proof)).toEqual([]);
    expect(drawsOf(proof)).toMatchObject({ state: 'fits', count: drawn(record).length });
    expect(proof.verdict).toBe('commitment' in record ? 'fits' : 'partly');
  });

  test.each(entries)('%s: nothing is missing when the seal was seen', async (_, record) => {
    const proof = await proven(record, { ...SEEN, seal: sealOf(opened(record)) });
    expect(proof.verdict).toBe('fits');
    expect(states(proof)).toMatchObject({ seal: 'fits', seed: 'fits' });
  });

  test('are of every game and version', () => {
    expect(new Set(entries.map(([, { game, rules }]) => `${game} ${rules}`)).size).toBe(7);
  });

  test('that go on from another match are checked from there on', async () => {
    const record = records['kwatro-on']!;
    const step = drawsOf(await proven(record));
    expect(step.origin).toEqual(record.origin);
    expect(step.count).toBeLessThan(record.moves.filter(isDraw).length);
    const { origin: _, ...alone } = record;
    expect(drawsOf(await proven(alone)).wrong?.ply).toBe(0);
  });
});

describe('a changed record', () => {
  test.each(lucky)('%s: a forged draw is found and named', async (_, record) => {
    for (const [number, ply] of drawn(record).entries()) {
      if (number % 5) continue; // each fifth will do
      const move = forged(record.moves[ply]!);
      const proof = await proven(withMoves(record, (moves) => (moves[ply] = move)));
      expect(failing(proof)).toEqual(['draws']);
      const before = record.moves.slice(0, record.origin?.ply ?? 0).filter(isDraw).length;
      expect(drawsOf(proof).wrong).toEqual({ draw: before + number, ply, move, due: record.moves[ply] });
    }
  });

  test.each(lucky)('%s: draws that changed places are found', async (_, record) => {
    const plies = drawn(record);
    for (const [i, first] of plies.slice(0, 20).entries()) {
      const second = plies[i + 1] ?? first;
      if (record.moves[first] === record.moves[second]) continue;
      const proof = await proven(
        withMoves(record, (moves) => ([moves[first], moves[second]] = [moves[second]!, moves[first]!])),
      );
      expect(drawsOf(proof).wrong?.ply).toBe(first);
    }
  });

  test.each(lucky)('%s: a draw too many is found', async (_, record) => {
    const again = record.moves.filter(isDraw).at(-1)!;
    const proof = await proven(withMoves(record, (moves) => moves.push(again)));
    expect(drawsOf(proof).wrong?.ply).toBe(record.moves.length);
  });

  test.each(seats)('%s: another seed fits neither seal nor draws', async (name) => {
    const record = records[name]!;
    const seed = otherHex(record.seed);
    const proof = await proven({ ...record, seed });
    expect(failing(proof)).toContain('seed');
    if (drawn(record).length) expect(failing(proof)).toContain('draws');
  });

  test.each(seats)('%s: another seal is found', async (name) => {
    const record = records[name]!;
    const commitment = sealOf('00'.repeat(32));
    expect(failing(await proven({ ...record, commitment }))).toEqual(['seed']);
    const seen = { ...SEEN, seal: sealOf(opened(record)) };
    expect(failing(await proven({ ...record, commitment }, seen))).toEqual(['seal']);
    expect(failing(await proven(record, { ...SEEN, seal: commitment }))).toEqual(['seal', 'seed']);
  });

  test.each(seats.filter((name) => (records[name]!['lot'] as number[]).length > 1))(
    '%s: another order of seats is found',
    async (name) => {
      const lot = [...(records[name]!['lot'] as number[])].reverse();
      for (const wrong of [lot, lot.slice(1), [], null])
        expect(failing(await proven({ ...records[name], lot: wrong }))).toEqual(['seats']);
    },
  );
});

describe('parts that players added', () => {
  const own = (record: Told, seat = 0) => ({ part: record.parts![seat]!, seat, isTaken: true });
  const seen = (record: Told, mine: Own | null) => ({ ...SEEN, seal: sealOf(record.secret!), own: mine });

  test.each(mixed)('%s: one’s own is looked for at its seat', async (_, record) => {
    const proof = await proven(record, seen(record, own(record)));
    expect([proof.verdict, states(proof)['parts']]).toEqual(['fits', 'fits']);
    for (const wrong of [
      { ...own(record), part: 'other' },
      { ...own(record), seat: 1 },
    ])
      expect(failing(await proven(record, seen(record, wrong)))).toEqual(['parts']);
    expect(states(await proven(record))['parts']).toBe('told');
  });

  test.each(mixed)('%s: one’s own that was sent must be there, also if it was refused', async (_, record) => {
    for (const isTaken of [true, false]) {
      const proof = await proven(record, seen(record, { ...own(record), part: 'other', isTaken }));
      expect(failing(proof)).toEqual(['parts']);
      const step = proof.steps.find(({ kind }) => kind === 'parts')!;
      expect(stepText(step)).toContain(isTaken ? 'is not there' : 'the server refused it');
    }
    expect((await proven(record, seen(record, { ...own(record), isTaken: false }))).verdict).toBe('fits');
  });

  test.each(mixed)('%s: one left out, changed, moved or added is found', async (_, record) => {
    const parts = record.parts!;
    for (const other of [
      parts.map(() => null),
      [...parts].reverse(),
      parts.map((part) => part ?? 'x'),
      ['y', ...parts.slice(1)],
    ]) {
      if (String(other) === String(parts)) continue;
      expect(failing(await proven({ ...record, parts: other }))).toContain('seed');
    }
    expect(failing(await proven({ ...record, parts: [...parts, null] }))).toEqual(['parts', 'seed']);
    expect(failing(await proven({ ...record, secret: otherHex(record.secret!) }))).toEqual(['seed']);
  });

  test.each(mixed)('%s: a record without them is not what was sealed', async (_, record) => {
    const { secret: _secret, parts: _parts, ...struck } = record;
    expect(failing(await proven(struck))).toEqual(['seed']);
    const resealed = { ...struck, commitment: sealOf(record.seed) };
    const alone = await proven(resealed);
    expect(alone.verdict).toBe('fits');
    expect(honestText(alone)).toContain('The server alone chose the seed');
    expect(failing(await proven(resealed, seen(record, own(record))))).toEqual(['seal', 'parts', 'seed']);
  });

  test('a bot adds none', async () => {
    const record = records['carat-mixed']!;
    const lot = record['lot'] as number[];
    const players = lot.map((planned) => (planned === 0 ? 'bot:novice' : 'Ann'));
    expect(failing(await proven({ ...record, players }))).toEqual(['parts']);
    expect((await proven({ ...record, players: players.reverse() })).verdict).toBe('fits');
  });

  test('what is claimed is what is proven', async () => {
    const [one, two, none] = ['carat-mixed', 'kwatro-mixed', 'kwatro-unmixed'].map((name) => records[name]!);
    const claim = async (record: Told, mine: Own | null) => honestText(await proven(record, seen(record, mine)));
    expect(await claim(one!, own(one!))).toContain('neither the server nor you could choose');
    expect(await claim(two!, own(two!))).toContain('That the other parts came from players is its word');
    expect(await claim(two!, null)).toContain('is the server’s word');
    expect(await claim(none!, null)).toContain('The server alone chose the seed');
    expect(honestText(await proven({ ...one, origin: { table: 'x', ply: 0, chance: 'same' } }))).toContain(
      'another one',
    );
  });

  test('seats that were not drawn are told as such', async () => {
    const proof = await proven({ ...records['carat'], order: 'fixed', lot: [0, 1, 2, 3] });
    expect([proof.verdict, states(proof)['seats']]).toEqual(['fits', 'told']);
    expect(failing(await proven({ ...records['carat'], order: 'fixed', lot: [1, 0, 2, 3] }))).toEqual(['seats']);
  });
});

describe('what cannot be checked', () => {
  const record = records['carat']!;

  test('is not called right', async () => {
    const strange = await check({ ...record, game: 'go_fish' }, null, loadLuck);
    expect([strange.verdict, states(strange)['draws']]).toEqual(['partly', 'unknown']);
    const later = await proven({ ...record, rules: 99 });
    expect([later.verdict, states(later)['draws']]).toEqual(['partly', 'unknown']);
  });

  test('a match without a seed has nothing to check, unless one was sealed', async () => {
    const { seed, commitment: _, ...bare } = record as Told & { commitment: string };
    expect(await proven(bare)).toEqual({ verdict: 'nothing', isBrought: false, isSameLuck: false, steps: [] });
    expect((await proven({ ...record, imported: true })).isBrought).toBe(true);
    expect(failing(await proven(bare, { ...SEEN, seal: sealOf(seed) }))).toEqual(['seed']);
    expect(failing(await proven({ ...record, seed: 'not a seed' }))).toEqual(['seed']);
  });

  test.each([null, 7, 'record', [], {}, { ...record, moves: [1] }, { ...record, scores: null }])(
    '%s is no record',
    async (bad) => {
      expect(failing(await proven(bad))).toEqual(['record']);
    },
  );
});

test('a seed made of parts is the one of docs/fairness.md', () => {
  const secret = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, '0')).join('');
  const seed = 'edfa4e9344336bb7a750535dcd2ab3a74a8ed8ae1cfcac6d8e612be07d0314c0';
  expect(seedOf(secret, ['amber otter 41', null])).toBe(seed);
});

test('lots of seats are the numbers of docs/fairness.md', () => {
  const seed = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, '0')).join('');
  expect(seatLot(seed, 4)).toEqual([3, 1, 2, 0]);
});
