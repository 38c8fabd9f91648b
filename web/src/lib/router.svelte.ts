// Paths and screens. Links are plain anchors; the History API keeps back and reload working.
const ROUTES = {
  home: /^\/$/,
  choose: /^\/new$/,
  new: /^\/new\/(?<game>[a-z_0-9]+)$/,
  table: /^\/table\/(?<id>[\w-]+)$/,
  learn: /^\/learn\/(?<game>[a-z_0-9]+)$/,
  first: /^\/learn\/(?<game>[a-z_0-9]+)\/first$/,
  settings: /^\/settings$/,
  profile: /^\/profile$/,
  player: /^\/player\/(?<id>[\w:-]+)$/,
  ratings: /^\/ratings(?:\/(?<game>[a-z_0-9]+))?$/,
  account: /^\/account$/,
  import: /^\/import$/,
  claim: /^\/claim$/,
} as const;

const SERVED = /^\/(?:api|help)(?:\/|$)/; // what the server shows itself

export type ScreenName = keyof typeof ROUTES | 'missing';
export type Route = { screen: ScreenName; parameters: Record<string, string>; query: URLSearchParams };

export function routeOf(url: URL): Route {
  for (const [screen, pattern] of Object.entries(ROUTES)) {
    const found = pattern.exec(url.pathname);
    if (found) return { screen: screen as ScreenName, parameters: { ...found.groups }, query: url.searchParams };
  }
  return { screen: 'missing', parameters: {}, query: url.searchParams };
}

class Router {
  route: Route = $state.raw(routeOf(new URL(location.href)));
  /** Whether the screen was reached from another one, and not by opening the page. */
  hasMoved = false;

  constructor() {
    addEventListener('popstate', () => this.#read());
    addEventListener('click', (event) => this.#follow(event));
  }

  go(path: string): void {
    history.pushState(null, '', path);
    this.#read();
    scrollTo(0, 0);
  }

  #read(): void {
    this.hasMoved = true;
    this.route = routeOf(new URL(location.href));
  }

  #follow(event: MouseEvent): void {
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!isPlain || event.defaultPrevented || !link || link.origin !== location.origin) return;
    if (link.target || link.hasAttribute('download') || SERVED.test(link.pathname)) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();

/** A screen's heading: who comes from another screen goes on from here, by keys or by ear. */
export function arrival(heading: HTMLElement): void {
  heading.tabIndex = -1;
  if (router.hasMoved) heading.focus({ preventScroll: true });
}
