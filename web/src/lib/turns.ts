// Watches for turns while a tab is open and hands them to the service worker, which shows them when
// nobody looks; subscribes this browser, so that the server can do the same when none is open.
import * as m from '$messages';
import type { FromLobby, Lobby, TableSummary } from './api';
import { api } from './api-client';
import { heard } from './lobby-changes';
import { Line } from '../sources/line';
import { gameTitles, isOverDays, titleOf } from './names';
import { notifying } from './notify.svelte';

/** One's tables over days where one is to act. */
export const awaiting = ({ mine }: Lobby, me: string): TableSummary[] =>
  mine.filter(
    ({ state, clock, actor, seats }) =>
      state === 'running' && isOverDays(clock) && actor !== null && seats[actor]?.player === me,
  );

/** Those of them where that is new; nothing is when one comes. */
export const begun = (before: TableSummary[] | null, after: TableSummary[]): TableSummary[] =>
  before ? after.filter(({ id }) => !before.some((table) => table.id === id)) : [];

/** Watches until it is told to stop. */
export function watchTurns(me: string): () => void {
  let lobby: Lobby | null = null;
  let before: TableSummary[] | null = null;
  const line = new Line({
    path: () => '/api/live',
    beat: { type: 'ping' },
    turned: () => {},
    received: (message) => {
      lobby = heard(lobby, message as FromLobby);
      if (!lobby) return;
      const after = awaiting(lobby, me);
      notifying.awaited = after[0] ? titleOf(after[0]) : null;
      void tell(begun(before, after), before && begun(after, before));
      before = after;
    },
  });
  subscribe().then(
    () => (notifying.isPushed = true),
    () => (notifying.isPushed = false),
  );
  return () => line.close();
}

/** Show what is new, and no longer what has passed. */
async function tell(fresh: TableSummary[], past: TableSummary[] | null): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  fresh.forEach(({ id, game }) => registration.active?.postMessage({ table: id, game }));
  for (const { id } of past ?? []) (await registration.getNotifications({ tag: id })).forEach((one) => one.close());
}

/** Fails where there is no push service, as in a browser that was made without one. */
async function subscribe(): Promise<void> {
  const words = { title: m.notify_title(), games: gameTitles() };
  await (await caches.open('words')).put('/words', Response.json(words));
  const { pushManager } = await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: (await api.pushKey()).key };
  const subscription = await pushManager.subscribe(options).catch(async () => {
    await (await pushManager.getSubscription())?.unsubscribe(); // it was made with another key
    return pushManager.subscribe(options);
  });
  const { endpoint, keys } = subscription.toJSON();
  await api.addPush({ endpoint: endpoint!, keys: { p256dh: keys!['p256dh']!, auth: keys!['auth']! } });
}
