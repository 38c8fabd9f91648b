import { describe, expect, test } from 'vitest';
import { loadLuck } from '../games';
import { check, type Proof, type Step } from './check';
import { sealOf, seatLot } from './lots';
import { isDraw } from './record';
import told from './records.json';
import type { Seen } from './seals';

type Told = { game: string; rules: number; moves: string[]; seed: string; origin?: { ply: number } } & Record<
  string,
  unknown
>;
const records = told as unknown as Record<string, Told>;
const entries = Object.entries(records);
const lucky = entries.filter(([, { moves }]) => moves.some(isDraw));
const seats = Object.keys(records).filter((name) => 'lot' in records[name]!);
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
    const proof = await proven(record, { ...SEEN, seal: sealOf(record.seed) });
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
    const seed = `${record.seed[0] === '0' ? '1' : '0'}${record.seed.slice(1)}`;
    const proof = await proven({ ...record, seed });
    expect(failing(proof)).toContain('seed');
    if (drawn(record).length) expect(failing(proof)).toContain('draws');
  });

  test.each(seats)('%s: another seal is found', async (name) => {
    const record = records[name]!;
    const commitment = sealOf('00'.repeat(32));
    expect(failing(await proven({ ...record, commitment }))).toEqual(['seed']);
    const seen = { ...SEEN, seal: sealOf(record.seed) };
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

describe('what cannot be checked', () => {
  const record = records['carat']!;

  test('is not called right', async () => {
    const strange = await check({ ...record, game: 'go_fish' }, null, loadLuck);
    expect([strange.verdict, states(strange)['draws']]).toEqual(['partly', 'unknown']);
    const later = await proven({ ...record, rules: 99 });
    expect([later.verdict, states(later)['draws']]).toEqual(['partly', 'unknown']);
  });

  test('parts of seats are shown, and draws with them are left to who can mix them', async () => {
    const none = await proven({ ...record, parts: [null, null, null, null] });
    expect([none.verdict, states(none)['parts']]).toEqual(['fits', 'told']);
    const mixed = await proven({ ...record, parts: ['amber otter 41', null, null, null] });
    expect([mixed.verdict, states(mixed)['draws']]).toEqual(['partly', 'unknown']);
    expect(states(await proven(record))).not.toHaveProperty('parts');
  });

  test('a match without a seed has nothing to check, unless one was sealed', async () => {
    const { seed, commitment: _, ...bare } = record as Told & { commitment: string };
    expect(await proven(bare)).toEqual({ verdict: 'nothing', isBrought: false, steps: [] });
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

test('lots of seats are the numbers of docs/fairness.md', () => {
  const seed = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, '0')).join('');
  expect(seatLot(seed, 4)).toEqual([3, 1, 2, 0]);
});
