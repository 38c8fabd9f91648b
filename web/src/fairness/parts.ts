// What this browser adds to the luck of a match, once it knows what the server has sealed and where it
// sits: random letters, or what somebody typed.
import type { TableMessage } from '$lib/api';
import { noteOwn, noteTable, seenSeal } from './seals';

export const LONGEST = 64; // letters

const typed = new Map<string, string>(); // by table, until one sits there

/** Use this text at a table instead of random letters. */
export function choosePart(table: string, text: string): void {
  const part = text.trim();
  if (part) typed.set(table, part);
}

/** Add one's part if the table takes one; `send` answers whether it did. */
export async function addPart(table: TableMessage, send: (part: string) => Promise<boolean>): Promise<void> {
  const seat = table.mine[0];
  if (seat === undefined || !table.may.includes('shuffle')) return;
  noteTable(table);
  const before = seenSeal(table.id)?.own;
  const own = before?.seat === seat ? before : { part: typed.get(table.id) ?? randomPart(), seat };
  noteOwn(table.id, own);
  typed.delete(table.id);
  if (!(await send(own.part))) noteOwn(table.id, null);
}

function randomPart(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
