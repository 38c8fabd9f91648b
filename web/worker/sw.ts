// The service worker. A page always comes from the server, so an update is there at the next load;
// kept are files whose name changes with their content, and what is shown when there is no server.
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
