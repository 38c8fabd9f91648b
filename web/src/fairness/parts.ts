// What this browser adds to the luck of a match, once it knows what the server has sealed and where it
// sits: random letters, after what somebody typed.
import type { TableMessage } from '$lib/api';
import { noteOwn, noteTable, seenSeal, type Own } from './seals';

export const LONGEST_TYPED = 31; // letters, so that with a space and 32 random ones it is 64

const typed = new Map<string, string>(); // by table, until one sits there

/** Put this text before the random letters for a table. */
export function choosePart(table: string, text: string): void {
  const part = text.replace(/\p{C}/gu, '').replace(/\p{Z}/gu, ' ').trim(); // others are no part
  if (part) typed.set(table, part);
}

const given = new Map<string, Own>(); // by table, also where the browser's store takes nothing

/**
 * Add one's part if the table takes one; `send` answers whether it did. A table is given one part for
 * ever, whatever seat it names and whatever it answers: who is given several can choose among them.
 */
export async function addPart(table: TableMessage, send: (part: string) => Promise<boolean>): Promise<void> {
  const seat = table.mine[0];
  if (seat === undefined || !table.may.includes('shuffle')) return;
  noteTable(table);
  const before = seenSeal(table.id)?.own ?? given.get(table.id);
  const part = before?.part ?? ownPart(typed.get(table.id));
  const note = (own: Own) => {
    given.set(table.id, own);
    noteOwn(table.id, own);
  };
  note({ part, seat, isTaken: before?.isTaken ?? false });
  typed.delete(table.id);
  if (await send(part)) note({ part, seat, isTaken: true });
}

/** Random letters, after what was typed: that alone could be guessed. */
function ownPart(text: string | undefined): string {
  const letters = randomPart();
  return text ? `${[...text].slice(0, LONGEST_TYPED).join('')} ${letters}` : letters;
}

function randomPart(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
