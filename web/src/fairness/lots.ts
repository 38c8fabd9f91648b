// Lots: which of so many things it is, by keyed hash from the seed. docs/fairness.md has the words.
import { blake2b } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { MatchRecord } from './record';

export type Lots = {
  /** By the name of what is drawn. */
  named: (name: string, count: number) => number;
  /** By the number of the action in the match, as the first versions of the rules drew. */
  numbered: (action: number, count: number) => number;
};

/**
 * What is due at each draw of a record, in order, as its moves tell it, asterisk and all; null where
 * nothing could be drawn. It goes by what was drawn before, whether or not that was due.
 */
export type Luck = (record: MatchRecord, lots: Lots) => Iterable<string | null>;

/** A game's, by the version of its rules. */
export type Lucks = Record<number, Luck>;

/** What is told of a secret, or of a seed that was chosen alone, before the match. */
export const sealOf = (secret: string) => bytesToHex(sha256(hexToBytes(secret)));

/** The seed that a server's secret and the parts of the planned seats make. */
export function seedOf(secret: string, parts: (string | null)[]): string {
  const mixed = sha256.create().update(utf8ToBytes('kwartet luck of parts 1')).update(hexToBytes(secret));
  for (const part of parts) {
    const text = utf8ToBytes(part ?? '');
    mixed.update(new Uint8Array(part === null ? [0] : [1, ...eightBytes(text.length).slice(4), ...text]));
  }
  return bytesToHex(mixed.digest());
}

export function lotsOf(seed: string): Lots {
  const key = hexToBytes(seed);
  return {
    named: (name, count) => remainder(blake2b(utf8ToBytes(name), { key }), count),
    numbered: (action, count) => remainder(blake2b(eightBytes(action), { key }), count),
  };
}

/** The order in which a seed seats so many: seat k goes to who asked for seat lot[k]. */
export function seatLot(seed: string, seats: number): number[] {
  const key = hexToBytes(seed);
  const lot = Array.from({ length: seats }, (_, seat) => seat);
  for (let last = seats - 1; last > 0; last--) {
    const message = new Uint8Array([...utf8ToBytes('lot'), ...eightBytes(last)]);
    const other = remainder(blake2b(message, { key }), last + 1);
    [lot[last], lot[other]] = [lot[other]!, lot[last]!];
  }
  return lot;
}

/** A big-endian number modulo `count`, byte by byte. */
const remainder = (digest: Uint8Array, count: number) => digest.reduce((rest, byte) => (rest * 256 + byte) % count, 0);

function eightBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
