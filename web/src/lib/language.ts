// The page's language: the one chosen on this device, or else the browser's preference.
import {
  baseLocale,
  extractLocaleFromNavigator,
  isLocale,
  locales,
  overwriteGetLocale,
  type Locale,
} from '../generated/paraglide/runtime.js';

const KEY = 'language';
const chosen = localStorage.getItem(KEY);
/** What the page is written in. */
export const language: Locale = isLocale(chosen) ? chosen : (extractLocaleFromNavigator() ?? baseLocale);

overwriteGetLocale(() => language);
document.documentElement.lang = language;

/** What was chosen; '' goes by the browser. */
export const chosenLanguage: Locale | '' = isLocale(chosen) ? chosen : '';

/** Each language by its own name. */
export const languages = locales.map((locale) => ({
  locale,
  name: new Intl.DisplayNames(locale, { type: 'language' }).of(locale)!,
}));

/** The page is drawn anew: what it shows is the server's, and comes back. */
export function chooseLanguage(locale: Locale | ''): void {
  if (locale) localStorage.setItem(KEY, locale);
  else localStorage.removeItem(KEY);
  location.reload();
}
