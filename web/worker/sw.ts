// The service worker. A page always comes from the server, so an update is there at the next load;
// kept are files whose name changes with their content, and what is shown when there is no server.
// It also shows that it is one's turn, when neither this nor another tab of the page is looked at.
export {};
declare const self: ServiceWorkerGlobalScope;
declare const __ASSETS__: string[]; // put in by vite.config.ts

const ASSETS = __ASSETS__; // this build's files
const FILES = 'files';
const OFFLINE = '/offline.html';
const STEADY = ['/icon.svg', '/theme.js']; // what it needs besides hashed files

self.addEventListener('install', (event) => {
  event.waitUntil(prepare());
  void self.skipWaiting();
});
self.addEventListener('activate', (event) => event.waitUntil(tidy().then(() => self.clients.claim())));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => kept(OFFLINE)));
  else if (STEADY.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)));
  else if (pathname.startsWith('/assets/')) event.respondWith(keptOrFetched(request));
});
self.addEventListener('push', (event) => event.waitUntil(announce(event.data!.json())));
self.addEventListener('message', (event) => event.waitUntil(announce(event.data)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

/** Keep the offline page with all it refers to. */
async function prepare(): Promise<void> {
  const page = await fetch(OFFLINE, { cache: 'no-cache' });
  const parts = [...(await page.clone().text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  const fonts = ASSETS.filter((path) => path.endsWith('.woff2'));
  const files = await caches.open(FILES);
  await files.addAll([...parts, ...fonts, ...STEADY.map((path) => new Request(path, { cache: 'no-cache' }))]);
  await files.put(OFFLINE, page);
}

/** Forget the files of other builds. */
async function tidy(): Promise<void> {
  const files = await caches.open(FILES);
  const current = new Set([...ASSETS, ...STEADY, OFFLINE]);
  const old = (await files.keys()).filter(({ url }) => !current.has(new URL(url).pathname));
  await Promise.all(old.map((request) => files.delete(request)));
}

const kept = async (path: string) => (await caches.match(path)) ?? Response.error();

async function keptOrFetched(request: Request): Promise<Response> {
  const found = await caches.match(request);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(FILES)).put(request, response.clone());
  return response;
}

type Turn = { table: string; game: string };
type Words = { title: string; games: Record<string, string> };

const windows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Say whose turn it is, in the page's words; once for a table, whoever tells of it. */
async function announce({ table, game }: Turn): Promise<void> {
  if ((await windows()).some(({ focused }) => focused)) return;
  const words: Words | undefined = await (await caches.match('/words'))?.json();
  await self.registration.showNotification(words?.title ?? 'Kwartet', {
    body: words?.games[game] ?? game,
    tag: table,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: `/table/${encodeURIComponent(table)}`,
  });
}

async function open(path: string): Promise<void> {
  const there = (await windows()).find(({ url }) => new URL(url).pathname === path);
  await (there ? there.focus() : self.clients.openWindow(path));
}
