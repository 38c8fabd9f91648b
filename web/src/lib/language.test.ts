import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as messages from '$messages';
import settings from '../../project.inlang/settings.json';
import { baseLocale, locales, overwriteGetLocale, type Locale } from '../generated/paraglide/runtime.js';
import { date, decimal, duration, list, number } from './format';
import { levelText, paceText, personName } from './names';
import { refusalText } from './refusals';
import { capital } from './text';

type Plural = { declarations: string[]; selectors: string[]; match: Record<string, string> };
type Message = string | [Plural];

const catalogues = import.meta.glob<Record<string, Message>>(
  ['../../messages/*.json', '../*/messages/*.json', '../games/*/messages/*.json'],
  {
    import: 'default',
    eager: true,
  },
);
/** The page's own messages, then those of each game. */
const catalogue = (locale: string): Record<string, Message> =>
  Object.assign(
    {},
    ...Object.entries(catalogues).flatMap(([path, own]) => (path.endsWith(`/${locale}.json`) ? [own] : [])),
  );
const english = catalogue(baseLocale);
const others = locales.filter((locale) => locale !== baseLocale);
const sources = import.meta.glob<string>(['../**/*.{svelte,ts}', '!../generated/**', '!../**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

const variants = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message[0].match));
const placeholders = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
const categories = (locale: string) => new Intl.PluralRules(locale).resolvedOptions().pluralCategories;

afterEach(() => {
  overwriteGetLocale(() => baseLocale);
  vi.unstubAllGlobals();
});

describe('the catalogue', () => {
  test('has the four languages and no other', () => {
    expect([...locales].sort()).toEqual(['de', 'en', 'fr', 'nl']);
    expect(settings.locales).toEqual([...locales]);
    const files = settings['plugin.inlang.messageFormat'].pathPattern.flatMap((pattern) =>
      locales.map((locale) => pattern.replace('{locale}', locale).replace('./src/', '../').replace('./m', '../../m')),
    );
    expect(Object.keys(catalogues).sort()).toEqual(files.sort());
  });

  test('has every message that the page uses, and each is used', () => {
    const used = new Set(
      Object.values(sources).flatMap((source) => [...source.matchAll(/\bm\.([a-z_0-9]+)/g)].map(([, key]) => key!)),
    );
    expect([...used].sort()).toEqual(Object.keys(english).sort());
  });

  describe.each(others)('in %s', (locale) => {
    const own = catalogue(locale);

    test('has the same messages in the same order', () => {
      expect(Object.keys(own)).toEqual(Object.keys(english));
    });

    test('says the same things in each', () => {
      const said = (message: Message) => new Set(variants(message).flatMap((text) => [...placeholders(text)]));
      for (const [key, ours] of Object.entries(own)) {
        const theirs = english[key]!;
        expect(typeof ours, key).toBe(typeof theirs);
        expect(said(ours), key).toEqual(said(theirs));
        expect(
          variants(ours).every((text) => text === text.trim() && text),
          key,
        ).toBeTruthy();
        if (typeof ours === 'string' || typeof theirs === 'string') continue;
        expect(ours[0].declarations, key).toEqual(theirs[0].declarations);
        expect(ours[0].selectors, key).toEqual(theirs[0].selectors);
      }
    });
  });

  test.each(locales)('has in %s every form of each plural', (locale) => {
    for (const [key, message] of Object.entries(catalogue(locale))) {
      if (typeof message === 'string') continue;
      const [{ declarations, selectors, match }] = message;
      const plurals = declarations.filter((line) => line.endsWith(': plural'));
      expect(
        plurals.map((line) => line.split(' ')[1]),
        key,
      ).toEqual(selectors);
      const forms = Object.keys(match).map((form) => form.split('=')[1]!);
      const missing = forms.includes('*') ? [] : categories(locale).filter((form) => !forms.includes(form));
      expect(missing, key).toEqual([]);
      expect(
        forms.filter((form) => form !== '*' && !(categories(locale) as string[]).includes(form)),
        key,
      ).toEqual([]);
    }
  });

  test('keeps to the typography of French', () => {
    for (const [key, message] of Object.entries(catalogue('fr')))
      for (const text of variants(message)) {
        expect(text, key).not.toMatch(/ [:;?!]|[^\u00a0\d]:(?=\s|$)|[^\u202f][;?!]/);
        expect(text, key).not.toContain("'");
      }
  });

  test.each(locales)('writes in %s one for one and many for many', (locale) => {
    const cards = (count: number) => messages.kwatro_cards({ count }, { locale });
    expect(cards(1)).not.toBe(cards(2).replace('2', '1'));
    expect(cards(2)).toBe(cards(5).replace('5', '2'));
    expect(cards(0) === cards(1).replace('1', '0')).toBe(locale === 'fr');
    expect(cards(1_000_000)).toBe(cards(2).replace('2', '1000000'));
  });
});

describe('formats', () => {
  const facts: Record<Locale, [string, string, string, string, string, string]> = {
    en: ['1,234', '15.5', '20/09/2026', '5 mins', '3 days', 'a, b and c'],
    nl: ['1.234', '15,5', '20-9-2026', '5 min', '3 dagen', 'a, b en c'],
    de: ['1.234', '15,5', '20.9.2026', '5 Min.', '3 Tage', 'a, b und c'],
    fr: ['1\u202f234', '15,5', '20/09/2026', '5\u00a0min', '3\u00a0jours', 'a, b et c'],
  };

  test.each(Object.entries(facts))('are those of %s', (locale, expected) => {
    overwriteGetLocale(() => locale as Locale);
    vi.stubGlobal('navigator', { languages: [{ en: 'en-GB', nl: 'nl', de: 'de-DE', fr: 'fr' }[locale]!, 'ja'] });
    const at = Date.UTC(2026, 8, 20, 12) / 1000;
    const told = [number(1234), decimal(15.5), date(at), duration(300), duration(3 * 86_400), list(['a', 'b', 'c'])];
    expect(told).toEqual(expected);
  });

  test('say how fast a table is', () => {
    overwriteGetLocale(() => 'de');
    expect(paceText({ kind: 'live', seconds: 300 })).toBe('5 Min. je Spieler');
    expect(paceText({ kind: 'move', seconds: 86_400 })).toBe('1 Tag pro Zug');
    expect(paceText(null)).toBe('keine Uhr');
  });

  test('do without what a browser calls a language and Intl does not', () => {
    vi.stubGlobal('navigator', { languages: ['en-US@posix', 'C'] });
    expect(list(['a', 'b'])).toBe('a and b');
  });

  test('begin a sentence with a large letter', () => expect(capital('échange')).toBe('Échange'));
  test('leave the name of a cell as it is', () => expect(capital('j5, red on top')).toBe('j5, red on top'));
});

describe('what the server says in English', () => {
  beforeEach(() => overwriteGetLocale(() => 'nl'));

  test('is not shown to who reads another language', () => {
    expect(refusalText('not-your-turn', "It is not seat 1's turn.")).toBe('Je bent niet aan de beurt.');
    expect(refusalText('unheard-of', 'Something new.')).toBe('Er ging iets mis.');
    expect(levelText({ level: 'skilled', sentence: 'Thinks.', solved: false })).toContain('vooruit');
    expect(levelText({ level: 'skilled', sentence: 'Knows.', solved: true })).toContain('waard');
    expect(personName('Guest 1234')).toBe('Gast 1234');
    expect(personName('Guest of honour')).toBe('Guest of honour');
  });

  test('is shown in English where it says more', () => {
    overwriteGetLocale(() => 'en');
    expect(refusalText('bad-option', 'No such board.')).toBe('That cannot be chosen. No such board.');
    expect(refusalText('not-over', 'The match is not over yet.')).toBe('The match is not over yet.');
  });
});

describe('the language', () => {
  const start = async (stored: string | null, preferred: string[]) => {
    vi.resetModules();
    localStorage.clear();
    if (stored) localStorage.setItem('language', stored);
    vi.stubGlobal('navigator', { languages: preferred });
    const language = await import('./language');
    const { getLocale } = await import('../generated/paraglide/runtime.js');
    return { ...language, locale: getLocale(), lang: document.documentElement.lang };
  };

  test.each([
    [null, ['de-AT', 'en'], 'de'],
    [null, ['ja', 'fr-CA'], 'fr'],
    [null, ['ja'], 'en'],
    ['nl', ['de'], 'nl'],
    ['xx', ['de'], 'de'],
  ])('chosen %s, preferred %s, is %s', async (stored, preferred, expected) => {
    const { locale, lang } = await start(stored, preferred);
    expect([locale, lang]).toEqual([expected, expected]);
  });

  test('is not kept before it is chosen, and goes by the browser again', async () => {
    const { chooseLanguage, languages } = await start(null, ['de']);
    expect(localStorage.getItem('language')).toBeNull();
    expect(languages.map(({ name }) => name)).toEqual(['English', 'Nederlands', 'Deutsch', 'français']);
    vi.stubGlobal('location', { reload: vi.fn() });
    chooseLanguage('fr');
    expect(localStorage.getItem('language')).toBe('fr');
    chooseLanguage('');
    expect(localStorage.getItem('language')).toBeNull();
    expect(location.reload).toHaveBeenCalledTimes(2);
  });
});
