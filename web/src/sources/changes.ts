// A table after a change, which tells only what differs from the message before.
import type { ChangeMessage, TableMessage } from '$lib/api';

/** The table that was changed; null if the change is of another message. */
export function changed(before: TableMessage, change: ChangeMessage): TableMessage | null {
  const { after, match, ...told } = change;
  if (after !== before.version) return null;
  const known = before.match;
  return {
    ...before,
    chat: [],
    ...told,
    type: 'table',
    match: known && { ...known, log: [], steps: [], ...match, view: { ...known.view, ...match?.view } },
  };
}
