import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CatanDiceView } from '$lib/api';
import { createRawSnippet } from 'svelte';
import type { GamePage } from '$lib/board';
import { settings } from '$lib/settings.svelte';
import type { Turn } from '../../choice/choice.svelte';
import Frame from '../../frame/Frame.svelte';
import { position, run, StillTable, tableOf, type Position } from '../../specimen/data.svelte';
import { press } from '../../testing';
import Board from './Board.svelte';
import { follow, lying, sorted } from './dice';
import { facesInWords } from './faces';
import game from './index';
import { looks, ROADS, SITES } from './island';
import { jokers } from './moves';
import { objection } from './reasons';
import { tell } from './telling';
import { advice, describe as inWords, entries, thing } from './words';

beforeAll(() => (settings.sound = false));
afterEach(cleanup);

type Specimen = Position & { view: CatanDiceView };
const at = (name: string) => position(`catan_dice-${name}`) as Specimen;
const roll = at('roll');
const act = at('act');
const over = at('over');
const head = createRawSnippet(() => ({ render: () => '<h1>Catan dice</h1>' }));
const NAMES = ['Ann', 'Bob', 'Cleo', 'Dora'];

/** The board in its frame, at a table that nobody answers. */
function show(shown: Specimen, changes: Partial<Pick<Turn, 'why' | 'legal'>> = {}) {
  const source = new StillTable(tableOf({ ...shown, legal: changes.legal ?? shown.legal }), shown.previews);
  const play = vi.spyOn(source, 'play');
  if (changes.why) Object.assign(source, { why: changes.why });
  render(Frame, { source, game: game as unknown as GamePage, panels: [], head });
  return { play };
}
/** The board alone, to which hints can be given. */
function hinted(shown: Specimen) {
  const play = vi.fn();
  const none = () => Promise.resolve(null);
  const still = { sent: null, hint: null, refusal: null, undo: null, preview: none, why: none };
  const turn = { ...still, ply: shown.view.ply, legal: shown.legal, play } as unknown as Turn;
  const props = { view: shown.view, log: shown.log, names: NAMES, turn, beat: null };
  const board = render(Board, props);
  return { play, hint: (move: string) => board.rerender({ ...props, turn: { ...turn, hint: { move } } }) };
}
const site = (id: string) => document.querySelector(`[data-site="${id}"]`)!;
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const lit = () =>
  [...document.querySelectorAll('[data-site][aria-disabled="false"]')].map((one) => one.getAttribute('data-site')!);
const dice = (state: RegExp) => screen.queryAllByRole('button', { name: state });

describe('rolling', () => {
  test('keeps dice by click and by key, and rolls the others once that is confirmed', async () => {
    const { play } = show(roll);
    expect(roll.view.dice).toBe('gggwwb');
    await press('4');
    await fireEvent.click(button('Die 1: grain'));
    await press('r');
    expect(play).not.toHaveBeenCalled();
    await press('Enter');
    expect(play).toHaveBeenCalledExactlyOnceWith('keep gw');
  });

  test('rolls all dice when none is kept, and none when all are', async () => {
    const { play } = show(roll);
    for (const key of '123456') await press(key);
    expect(button('Roll 0 dice').disabled).toBe(true);
    await press('r');
    await press('Enter');
    expect(play).not.toHaveBeenCalled();
    for (const key of '123456') await press(key);
    await fireEvent.click(button('Roll all dice'));
    expect(play).toHaveBeenCalledExactlyOnceWith('keep');
  });

  test('does nothing that cannot be undone on one key', async () => {
    for (const [specimen, key, move] of [
      [roll, 's', 'stop'],
      [roll, 'r', 'keep'],
      [act, 'e', 'end'],
    ] as const) {
      const { play } = show(specimen);
      await press(key);
      expect(play).not.toHaveBeenCalled();
      await press('Escape');
      await press('Enter');
      expect(play).not.toHaveBeenCalled();
      await press(key);
      await press('Enter');
      expect(play).toHaveBeenCalledExactlyOnceWith(move);
      cleanup();
    }
  });

  test('offers no building before the dice stand, and tells why', async () => {
    const why = vi.fn(() => Promise.resolve({ game: 'catan_dice', reason: 'rolling' }));
    show(roll, { why });
    expect(lit()).toEqual([]);
    await fireEvent.click(site('R1'));
    expect(why).toHaveBeenCalledExactlyOnceWith('R1');
    expect(await screen.findByText(/roll again, or stop first/)).toBeTruthy();
  });

  test('says what stopping would bring and what is missing for more', async () => {
    show(roll);
    expect(await screen.findByText('a cross, −2')).toBeTruthy();
    expect(screen.getByText('With timber as well: road R1, +1')).toBeTruthy();
  });

  test('offers nothing while it is not to be played on', async () => {
    const { play } = show(roll, { legal: [] });
    for (const key of ['1', 'r', 's', 'Enter']) await press(key);
    expect(play).not.toHaveBeenCalled();
    expect(dice(/kept$/)).toEqual([]);
  });
});

describe('acting', () => {
  test('lights exactly what can be built', () => {
    show(act);
    const built = lit().filter((id) => !id.startsWith('J'));
    expect(new Set(built)).toEqual(new Set(act.legal.filter((move) => /^[RSCK]\d/.test(move))));
  });

  test('builds what was chosen and confirmed, and says what it pays and leaves', async () => {
    const { play } = show(act);
    await fireEvent.click(site('S3'));
    expect(play).not.toHaveBeenCalled();
    expect(dice(/pays$/)).toHaveLength(4);
    expect(screen.getByText('Pays grain, wool, timber, and brick, leaves two gold')).toBeTruthy();
    await fireEvent.click(button('Build settlement 3'));
    expect(play).toHaveBeenCalledExactlyOnceWith('S3');
  });

  test('takes arrow keys at once and builds with keys alone', async () => {
    const { play } = show(act);
    await press('ArrowRight', document.body);
    const first = document.activeElement!.getAttribute('data-site')!;
    expect(act.legal).toContain(first);
    await press('Enter', document.activeElement!);
    await press('Enter', document.activeElement!);
    expect(play).toHaveBeenCalledExactlyOnceWith(first);
  });

  test('a row goes on to the next of several places', async () => {
    show(act);
    const roads = act.legal.filter((move) => /^R\d/.test(move));
    for (const road of [...roads, roads[0]!]) {
      await fireEvent.click(button(/^Road/));
      expect(button(`Build road ${road}`)).toBeTruthy();
    }
  });

  test('forgets the choice on Escape and takes nothing that is not legal', async () => {
    const { play } = show(act);
    await fireEvent.click(site('S3'));
    await press('Escape');
    await fireEvent.click(site('C7'));
    await press('Enter');
    expect(play).not.toHaveBeenCalled();
  });

  test('trades two gold for the resource chosen', async () => {
    const { play } = show(act);
    await fireEvent.click(button('Trade 2 gold for ore'));
    expect(dice(/pays$/)).toHaveLength(2);
    await press('Enter');
    expect(play).toHaveBeenCalledExactlyOnceWith('trade o');
  });

  test('turns a die with a joker', async () => {
    const { play } = show(act);
    await fireEvent.click(button(/^Joker 4, timber/));
    expect(dice(/^Die/).filter((die) => !(die as HTMLButtonElement).disabled)).toHaveLength(5); // all but the timber
    await press('6');
    await fireEvent.click(button('Turn gold to timber'));
    expect(play).toHaveBeenCalledExactlyOnceWith('joker 4 $');
  });

  test('asks what the sixth joker is to become', async () => {
    const { play } = show(act);
    await fireEvent.click(site('J6'));
    await press('6');
    await press('Enter');
    expect(play).not.toHaveBeenCalled();
    await fireEvent.click(button('The die becomes ore'));
    await press('6');
    await press('Enter');
    expect(play).toHaveBeenCalledExactlyOnceWith('joker 6 $ o');
  });

  test('asks why for a trade or a joker that cannot be used', async () => {
    const why = vi.fn(() => Promise.resolve({ game: 'catan_dice', reason: 'gold' }));
    show({ ...act, legal: ['R1', 'joker 4 $', 'end'] }, { why });
    await fireEvent.click(button('Trade 2 gold for ore'));
    expect(await screen.findByText('A trade takes two gold dice')).toBeTruthy();
    await fireEvent.click(button(/^Joker 1,/));
    expect(why).toHaveBeenLastCalledWith('joker 1 g');
  });

  test('says what ending the turn writes', async () => {
    const { play } = show(act);
    await fireEvent.click(button('End turn: a cross, −2'));
    expect(play).toHaveBeenCalledExactlyOnceWith('end');
    cleanup();
    show({ ...act, view: { ...act.view, gained: 4 } });
    expect(button('End turn: +4')).toBeTruthy();
  });

  test('opens the sheets of the others', async () => {
    show(act);
    await fireEvent.click(button('The other islands'));
    expect(document.querySelectorAll('dialog h3')).toHaveLength(3);
  });
});

test('puts a hint on the board, also again after Escape, and plays nothing by itself', async () => {
  const { play, hint } = hinted(roll);
  await hint('keep ggw');
  await press('Escape');
  await hint('keep ggw');
  expect(play).not.toHaveBeenCalled();
  await press('Enter');
  expect(play).toHaveBeenCalledExactlyOnceWith('keep ggw');
  for (const move of ['S3', 'trade o', 'joker 4 $', 'joker 6 $ o', 'end']) {
    cleanup();
    const shown = hinted(act);
    await shown.hint(move);
    await press('Enter');
    expect(shown.play).toHaveBeenCalledExactlyOnceWith(move);
  }
});

describe('dice', () => {
  const faces = (dice: ReturnType<typeof lying>) => dice.map((die) => die.face ?? '.').join('');

  test('keep their places when others are rolled', () => {
    const before = lying('ogwtb$').map((die, i) => ({ ...die, isKept: i === 2 }));
    const after = follow(before, ['keep w', '*oogg$'], 'ooggw$');
    expect(faces(after)).toBe('oowgg$');
    expect(after.map((die) => die.rolls)).toEqual([1, 1, 0, 1, 1, 1]);
  });

  test('go when they pay, and turn where they lie', () => {
    expect(faces(follow(lying('gwtb$$'), ['R1'], 'gw$$'))).toBe('gw..$$');
    expect(faces(follow(lying('gwtb$$'), ['joker 4 $'], 'gwttb$'))).toBe('gwtbt$');
    expect(faces(follow(lying('gwtb$$'), ['trade o'], 'ogwtb'))).toBe('gwtbo.');
    expect(faces(follow(lying('gwtb$$'), ['joker 4 $'], 'gwttb$', new Set([5])))).toBe('gwtb$t');
  });

  test('show what the view shows in every position of a match', () => {
    let dice = lying('');
    let length = 0;
    for (const { view, log } of run('catan_dice-run') as Specimen[]) {
      dice = follow(dice, log.slice(length), view.dice);
      length = log.length;
      expect(sorted(dice.map((die) => die.face))).toBe(view.dice);
    }
  });
});

describe('the sheet', () => {
  test('has 16 roads and the free one, 6 settlements, 4 cities and 6 knights worth 145', () => {
    const points = SITES.reduce((sum, { points }) => sum + points, 0) + ROADS.length - 1;
    expect([ROADS.length, SITES.length, points]).toEqual([17, 16, 145]);
  });

  test('every road starts where the one it grows from ends, and is one side of a hex', () => {
    for (const { needs, from, to } of ROADS) {
      const parent = ROADS.find((road) => road.id === needs);
      expect(Math.hypot(to[0] - from[0], to[1] - from[1])).toBeCloseTo(156, 0);
      if (parent) expect(parent.to).toEqual(from);
    }
  });

  test('whatever the library allows to build is next on the sheet', () => {
    for (const { view, legal } of [act, at('alone')]) {
      const sheet = view.sheets[view.seat!]!;
      for (const move of legal.filter((one) => /^[RSCK]\d/.test(one))) expect(looks(sheet, [])(move)).toBe('next');
    }
  });
});

describe('words', () => {
  test('turns are told with the points that the boxes have', () => {
    const told = entries(over.view, over.log);
    expect(told).toHaveLength(60);
    over.view.sheets.forEach(({ boxes }, seat) => {
      const gains = told.filter((entry) => entry.seat === seat).map((entry) => Number(entry.gain.replace('−', '-')));
      expect(gains).toEqual(boxes);
    });
    expect(told.every(({ text }) => /^[A-Z]/.test(text))).toBe(true);
  });

  test('a move is told as advice', () => {
    expect(advice(roll.view, 'keep wwb')).toBe('keep two wool and brick and roll the others');
    expect(['keep', 'stop', 'end', 'R4', 'trade b', 'joker 3 $'].map((move) => advice(roll.view, move))).toEqual([
      'roll all dice again',
      'let the dice stand',
      'end the turn',
      'build road R4',
      'trade two gold for brick',
      'turn gold to wool with joker 3',
    ]);
  });

  test('the end of a turn says who built what, what it scored, and what the next one rolled', () => {
    const view = { ...over.view, actor: 1, seat: 0 };
    const sheets = view.sheets.map((sheet, seat) => (seat ? sheet : { ...sheet, boxes: [4] }));
    const log = ['*gwtbtb', 'stop', 'S3', 'R0', 'end', '*oogg$$'];
    const step = { before: view, after: { ...view, sheets }, moves: log.slice(4), log, names: NAMES };
    expect(tell({ ...step, seat: 0, isMine: true })).toMatchObject({
      text: 'You end your turn. Bob rolls two ore, two grain, and two gold',
      sound: 'dice',
      reasons: [
        { seat: 0, text: 'Ann: Settlement 3 and road R0', detail: '3 + 1 = 4', points: 4, marks: ['S3', 'R0'] },
      ],
    });
    expect(tell({ ...step, moves: ['keep oo', '*gggg'], seat: 0, isMine: false }).text).toBe(
      'Ann keeps two ore and rolls four grain',
    );
  });

  test('every reason is a sentence', () => {
    const parts = { site: 'S4', needs: 'R2', faces: 'g', missing: 'gw', number: 3 };
    const told = 'rolling stands dice knight used new same face gold built order road cost'
      .split(' ')
      .map((reason) => objection({ reason, ...parts }));
    expect(told.every((sentence) => /^[A-Z].+[^.]$/.test(sentence))).toBe(true);
    expect(told.at(-1)).toBe('For settlement 4 the dice lack grain and wool');
    expect(told.at(-2)).toBe('No road leads there yet: first road R2');
  });

  test('faces are counted and the position is told in sentences', () => {
    expect(facesInWords('b$w$w')).toBe('two wool, brick, and two gold');
    expect(thing('free')).toBe('free road');
    expect(jokers(['joker 6 $ o', 'joker 2 w', 'end'])).toMatchObject([
      { knight: 6, from: '$', to: 'o' },
      { knight: 2, from: 'w', to: 'g' },
    ]);
    expect(inWords(roll.view, NAMES)).toContain('2 rolls left.');
    expect(inWords(roll.view, NAMES).join(' ')).toContain('Bob: ');
    expect(inWords(act.view, NAMES)[0]).toBe('Turn 6 of 15. Dice: grain, wool, timber, brick, and two gold.');
    expect(inWords(act.view, NAMES).join(' ')).toContain('settlement 3 (grain, wool, timber, and brick)');
  });
});
