// What the games give a review: marks for every kind of move, hands, words in four languages.
import { cleanup, render, screen, within } from '@testing-library/svelte';
import { afterEach, describe, expect, test } from 'vitest';
import type { CaratView, CarnacView, CatanDiceView, KwatroView, View } from '$lib/api';
import type { GamePage } from '$lib/board';
import { marked } from '$lib/marked';
import { baseLocale, locales, overwriteGetLocale, type Locale } from '../generated/paraglide/runtime.js';
import { heldBy } from '../frame/hands';
import Looked from '../specimen/Looked.svelte';
import { decision, names, position, type Decision } from '../specimen/data.svelte';
import { press } from '../testing';
import carat from './carat';
import carnac from './carnac';
import catan from './catan_dice';
import { tagsOf } from './catan_dice/judged';
import { lying } from './catan_dice/dice';
import kwatro from './kwatro';
import { placesIn } from './kwatro/judged';
import plain from './plain';

const GAMES = { carat, carnac, catan_dice: catan, kwatro } as unknown as Record<string, GamePage>;
const LOOKED_AT = (names as string[]).filter((name) => 'marks' in position(name));
const REVIEWED = LOOKED_AT.filter((name) => decision(name).marks);
const marksOf = (name: string) => decision(name).marks!;
const NAMES = ['Ann', 'Bob', 'Cleo', 'Dana'];
const gameOf = (name: string) => GAMES[name.split('-')[0]!]!;

afterEach(() => {
  cleanup();
  overwriteGetLocale(() => baseLocale);
});

const show = (name: string, changes: Partial<Decision> = {}) =>
  render(Looked, { decision: { ...decision(name), ...changes }, game: gameOf(name) });
const drawn = (kind: 'played' | 'better') => [...document.querySelectorAll(`[data-review=${kind}]`)];

describe.each(REVIEWED)('%s', (name) => {
  const marks = marksOf(name);
  const advice = (move: string) => gameOf(name).advice(marks.before, move);

  test('marks what was played, and what was better, with a name for the ear', () => {
    show(name);
    const verdict = marks.played.verdict ? `, ${marks.played.verdict}` : '';
    const played = screen.getAllByRole('img', { name: `Played${verdict}: ${advice(marks.played.move)}` });
    for (const mark of played)
      expect(mark.querySelector('[data-verdict]')?.getAttribute('data-verdict') ?? null).toBe(marks.played.verdict);
    expect(drawn('played')).toEqual(played);
    if (marks.better)
      expect(screen.getAllByRole('img', { name: `Better: ${advice(marks.better)}` })).toEqual(drawn('better'));
    else expect(drawn('better')).toEqual([]);
    for (const mark of drawn('better')) expect(mark.querySelector('[data-verdict=best]')).not.toBeNull();
  });

  test('asks for nothing', () => {
    show(name);
    for (const place of ['strip', 'confirm', 'explain'])
      expect(document.querySelector(`[data-place=${place}]`)).toBeNull();
    expect(document.body.textContent).not.toMatch(/your turn|waiting|choose/i);
  });

  test('leaves arrow keys to who steps through the match', async () => {
    show(name);
    for (const key of ['ArrowLeft', 'ArrowRight', ' ', 'Home'])
      expect(await press(key, window, { cancelable: true }), key).toBe(true);
  });

  test('shows the position also where nothing was decided', () => {
    show(name, { marks: null });
    expect(document.querySelector('[data-review]')).toBeNull();
    expect(document.querySelector('[data-place=board] svg')).not.toBeNull();
  });
});

test.each(LOOKED_AT.filter((name) => name.endsWith('-start')))('%s is shown before anything lies', (name) => {
  show(name);
  expect(document.querySelector('[data-place=board] svg')).not.toBeNull();
  expect(document.body.innerHTML).not.toContain('NaN');
  const { view, log } = decision(name);
  const game = gameOf(name);
  const told = [
    ...game.describe(view, NAMES),
    game.progress(view),
    game.summary(view),
    game.about(view, 0),
    ...game.facts(view).map(({ label }) => label),
    ...game.entries(view, log, NAMES).map(({ text }) => text),
  ];
  expect(told.join(' ')).not.toMatch(/undefined|NaN/);
});

test('every game has decisions of each kind to look at', () => {
  const kinds = new Set(REVIEWED.map((name) => marksOf(name).played.move.replace(/ .*|[=@].*|[\d]+\w*$/, '')));
  for (const kind of ['keep', 'stop', 'end', 'R', 'K', 'joker', 'trade', 'tilt', 'stand', 'done', 'pass', 'swap'])
    expect([...kinds], kind).toContain(kind);
});

describe('marks', () => {
  const marks = marksOf('carat-review');

  test('are one alone for the best move, and for the same move twice', () => {
    const count = (played: object, better: string | null) =>
      marked({ ...marks, played, better } as never, carat.advice).length;
    expect(count({ move: 'b1=2RBYG', verdict: 'best' }, 'f6=2GRBY')).toBe(1);
    expect(count({ move: 'b1=2RBYG', verdict: 'fine' }, 'b1=2RBYG')).toBe(1);
    expect(count({ move: 'b1=2RBYG', verdict: null }, 'f6=2GRBY')).toBe(2);
    expect(marked(null, carat.advice)).toEqual([]);
  });

  test('of a tile on the same cell stand beside what lies there', () => {
    show('carat-review-turned');
    expect(drawn('better')[0]!.getAttribute('transform')).toMatch(/scale\(0\.5\)/);
    cleanup();
    show('carat-review');
    expect(drawn('better')[0]!.getAttribute('transform')).toBeNull();
  });

  test.each(['carnac-review', 'carnac-review-tilt', 'carnac-review-stand'])(
    'of %s are there from a chair too',
    async (name) => {
      show(name);
      const ring = () => drawn('better')[0]!.querySelector('.line')!.getAttribute('d');
      const above = ring();
      await press('v');
      expect(drawn('played')).toHaveLength(1);
      expect(ring()).not.toBe(above);
    },
  );

  test('show where a stone that is better could fall', () => {
    show('carnac-review');
    expect(document.querySelectorAll('.reach').length).toBeGreaterThan(0);
  });

  test('say of each die what was done with it', () => {
    const tags = (move: string, dice: string, isBetter = false) =>
      tagsOf({ move, isBetter, sign: null, label: '' }, lying(dice)).map((tag) => tag && (tag.to ?? tag.text));
    expect(tags('keep w$', 'gwtt$$')).toEqual(['rolled', 'kept', 'rolled', 'rolled', 'kept', 'rolled']);
    expect(tags('keep w$', 'gwtt$$', true)).toEqual(['roll', 'keep', 'roll', 'roll', 'keep', 'roll']);
    expect(tags('stop', 'gwtt$$')).toEqual(Array(6).fill('stands'));
    expect(tags('trade o', 'gwtt$$')).toEqual([null, null, null, null, 'pays', 'o']);
    expect(tags('joker 3 t', 'ggtt$$')).toEqual([null, null, 'w', null, null, null]);
    expect(tags('joker 6 $ o', 'ggtt$$')).toEqual([null, null, null, null, 'o', null]);
    expect(tags('R4', 'gwtb')).toEqual([null, null, 'pays', 'pays', null, null]);
    expect(tags('end', 'gwtb')).toEqual(Array(6).fill(null));
  });

  test('show the island of who decided, with its name', () => {
    const { view } = decision('catan_dice-review-build');
    const marks = marksOf('catan_dice-review-build');
    const other = { ...view, seat: (marks.before.actor! + 1) % 4 } as View;
    show('catan_dice-review-build', { view: other });
    expect(drawn('played').length).toBe(2); // on the island and under the dice
    expect(document.querySelector('.owner')!.textContent).toBe(
      screen
        .getByRole('group', { name: /island/i })
        .getAttribute('aria-label')!
        .replace(/.* of /, ''),
    );
  });
});

describe('hands', () => {
  const groups = () => screen.getAllByRole('region', { name: /^Hand of / });

  test.each(['carat-review-hands', 'kwatro-review-hands'])('of %s are everybody’s, each from its own view', (name) => {
    const { hands } = decision(name) as unknown as { hands: (CaratView | KwatroView)[] };
    show(name);
    expect(groups()).toHaveLength(hands.length);
    expect(document.querySelector('[data-place=hand]')!.innerHTML).not.toMatch(/face down|hidden card/);
  });

  test.each(['carat-review-hands', 'kwatro-review-hands'])(
    'of %s are one’s own alone as long as they are hidden',
    (name) => {
      show(name, { hands: null });
      expect(groups()).toHaveLength(1);
      expect(groups()[0]!.getAttribute('data-hand')).toBe(String(decision(name).view.seat));
    },
  );

  test('have what was laid, faint', () => {
    show('carat-review');
    expect(within(groups()[0]!).getByRole('img', { name: /, just laid$/ })).toBeTruthy();
  });

  test('of whoever passed are shown face down, but for what went', () => {
    const { view } = decision('kwatro-review-pass') as unknown as { view: KwatroView };
    const blind = {
      ...view,
      seat: 1,
      hands: view.hands.map((hand, seat) => (seat === 1 ? ['RS1'] : Array.isArray(hand) ? hand.length : hand)),
    };
    show('kwatro-review-pass', { view: blind as unknown as View });
    expect(groups()).toHaveLength(2);
    expect(screen.getByRole('group', { name: /^green cross 1, exchanged, a hidden card/ })).toBeTruthy();
  });

  test('find equal cards once each', () => {
    const view = { seat: 0, hands: [['J', 'RS1']] } as unknown as KwatroView;
    const held = heldBy(view, null, 0, ['J']);
    expect(held.map(({ piece }) => piece)).toEqual(['J', 'J', 'RS1']);
    const mark = (move: string, isBetter: boolean) => ({ move, isBetter, sign: null, label: '' });
    expect(placesIn(held, mark('pass J', false))).toEqual([held.findIndex(({ isGone }) => isGone)]);
    expect(placesIn(held, mark('pass J J', true))).toEqual([0, 1]);
    expect(placesIn(held, mark('pass', true))).toEqual([0, 1, 2]);
  });
});

describe('words', () => {
  const log = ['*chips 123', '*?', '*1RBGY', 'd2=1RBGY', '*?', 'd1=3GRYB'];

  test('count turns as people do', () => {
    expect(carat.review.turn({} as CaratView, 5, log)).toBe('turn 2');
    expect(carnac.review.turn({} as CarnacView, 3, ['c3wr', 'tilt E', 'c3rr', 'tilt W', 'c3rr'])).toBe('stone 2');
    const two = { sheets: [{}, {}] } as CatanDiceView;
    const dice = ['*oggb$$', 'stop', 'end', '*oggb$$', 'stop', 'end', '*oggb$$', 'stop'];
    expect([1, 4, 7].map((ply) => catan.review.turn(two, ply, dice))).toEqual(['turn 1', 'turn 1', 'turn 2']);
    const cards = [...Array(9).fill('*RS1'), 'YC4@0,1', 'done', '*?', 'pass', 'GX3@1,1'] as string[];
    const held = { hands: [4, 4] } as KwatroView;
    expect([9, 10, 12, 13].map((ply) => kwatro.review.turn(held, ply, cards))).toEqual([
      'turn 1',
      'turn 1',
      'turn 2',
      'turn 3',
    ]);
    expect(plain.review.turn({} as View, 4, [])).toBe('move 5');
  });

  const tiles = (...hands: (string[] | number)[]) => ({ hands }) as CaratView;
  const cards = (field: number, ...hands: (string[] | number)[]) =>
    ({ field: Array(field).fill({}), hands }) as unknown as KwatroView;

  test('tell who drew, rolled or was dealt what, as far as one knows it', () => {
    const drew = (move: string) => carat.review.chance(tiles([], 1), tiles([], 2), move, NAMES);
    expect(drew('*5RYGB')).toEqual({ seat: 1, text: 'Bob draws a 5' });
    expect(drew('*?')).toEqual({ seat: 1, text: 'Bob draws a tile' });
    expect(carat.review.chance(tiles(), tiles(), '*chips 123', NAMES)).toEqual({
      seat: null,
      text: 'The chips are laid out',
    });
    const card = (field: number, move: string) =>
      kwatro.review.chance(cards(field, ['RS1'], 3), cards(field, ['RS1'], 4), move, NAMES)!.text;
    expect(card(0, '*RS3')).toBe('Bob is dealt the red square 3');
    expect(card(8, '*?')).toBe('Bob draws a hidden card');
    expect(kwatro.review.chance(cards(0, 4, 4), cards(1, 4, 4), '*GT1', NAMES)).toEqual({
      seat: null,
      text: 'First card: green triangle 1',
    });
    const rolled = { seat: 0, actor: 1, sheets: [{}, {}] } as CatanDiceView;
    expect(catan.review.chance(rolled, rolled, '*oow', NAMES)).toEqual({
      seat: 1,
      text: 'Bob rolls two ore and wool',
    });
    expect(carnac.review.chance({} as CarnacView, {} as CarnacView, '', NAMES)).toBeNull();
    expect(plain.review.chance({} as View, {} as View, '*6', NAMES)).toEqual({ seat: null, text: 'Luck: 6' });
  });

  test.each([
    [carat, '*5RYGB', /^5 carat/],
    [carat, '*?', /face down/],
    [kwatro, '*RS3', /^red square 3$/],
    [kwatro, '*?', /hidden/],
    [catan, '*oow', /^two ore and wool$/],
  ])('stand beside pictures that have names', (game, move, name) => {
    const { ChanceArt } = (game as unknown as GamePage).review;
    render(ChanceArt!, { view: {} as View, move });
    expect(screen.getByRole('img', { name })).toBeTruthy();
  });

  test.each(locales)('advise in %s every kind of move without its notation', (locale) => {
    overwriteGetLocale(() => locale as Locale);
    for (const name of REVIEWED) {
      const marks = marksOf(name);
      const game = gameOf(name);
      for (const move of [marks.played.move, ...(marks.better ? [marks.better] : [])]) {
        const text = game.advice(marks.before, move);
        expect(text, move).not.toMatch(/[=@$]|undefined/);
        expect(text, move).not.toBe(move);
        expect(text.trim(), move).toBe(text);
      }
      expect(game.review.points().length).toBeGreaterThan(3);
    }
  });
});
