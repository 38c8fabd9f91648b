import type { View } from '$lib/api';
import type { LogEntry } from '$lib/board';

const COMMON = ['game', 'options', 'seat', 'ply', 'actor', 'scores', 'winners'];

/** Everything that only this game's view has, one line each. */
export const describe = (view: View): string[] =>
  Object.entries(view)
    .filter(([name]) => !COMMON.includes(name))
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${inWords(value)}`);

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(', ') || '–';
  if (value === null || value === '') return '–';
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value).map(([name, part]) => `${name} ${inWords(part)}`);
  return `(${parts.join('; ')})`;
}

/** Who played a move is not in the log. */
export const entries = (_: View, log: string[]): LogEntry[] =>
  log.map((move, ply) => ({ ply, number: ply + 1, seat: -1, move, why: [], gain: '' }));
