import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CatanDiceView } from '$lib/api';
import { position, run } from '../../specimen/data.svelte';
import { press } from '../../testing';
import Board from './Board.svelte';
import { follow, lying, sorted } from './dice';
import { COSTS, looks, ROADS, SITES } from './island';
import { jokers } from './moves';
import { advice, describe as inWords, entries, lastMove, thing } from './words';

afterEach(cleanup);

type Specimen = { view: CatanDiceView; legal: string[]; log: string[] };
const at = (name: string) => position(`catan_dice-${name}`) as Specimen;
const roll = at('roll');
const act = at('act');
const over = at('over');
const show = (specimen: Specimen, changes: object = {}) => {
  const play = vi.fn();
  const board = render(Board, { ...specimen, play, ...changes });
  return { play, board };
};
const NAMES = ['Ann', 'Bob', 'Cleo', 'Dora'];
const site = (id: string) => document.querySelector(`[data-site="${id}"]`)!;
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const lit = () => [...document.querySelectorAll('.cd-piece.is-lit[data-site]')].map((s) => s.getAttribute('data-site'));

describe('rolling', () => {
  test('keeps dice by click and by key and rolls the others', async () => {
    const { play } = show(roll);
    expect(roll.view.dice).toBe('gggwwb');
    await press('4');
    await fireEvent.click(button(/^Die 1: grain/));
    await press('r');
    expect(play).toHaveBeenCalledExactlyOnceWith('keep gw');
    expect(roll.legal).toContain('keep gw');
  });

  test('rolls all dice when none is kept, and none when all are', async () => {
    const { play } = show(roll);
    for (const key of '123456') await press(key);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Roll 0 dice' }).disabled).toBe(true);
    await press('r');
    expect(play).not.toHaveBeenCalled();
    for (const key of '123456') await press(key);
    await fireEvent.click(button('Roll all dice'));
    expect(play).toHaveBeenCalledExactlyOnceWith('keep');
  });

  test('stops, and offers no building before that', async () => {
    const { play } = show(roll);
    expect(lit()).toEqual([]);
    expect(screen.queryByRole('button', { name: /^End turn/ })).toBeNull();
    await press('e');
    await press('s');
    expect(play).toHaveBeenCalledExactlyOnceWith('stop');
  });

  test('offers nothing while it is not to be played on', async () => {
    const { play } = show(roll, { disabled: true });
    for (const key of '1rs') await press(key);
    expect(play).not.toHaveBeenCalled();
    expect(document.querySelectorAll('.cd-die.is-kept')).toHaveLength(0);
  });
});

describe('acting', () => {
  test('lights exactly what can be built', () => {
    show(act);
    expect(new Set(lit())).toEqual(new Set(act.legal.filter((move) => /^[RSCK]\d/.test(move))));
  });

  test('builds what was chosen and confirmed', async () => {
    const { play } = show(act);
    await fireEvent.click(site('S3'));
    expect(play).not.toHaveBeenCalled();
    expect(document.querySelectorAll('.cd-die.is-paying')).toHaveLength(COSTS.settlement.length);
    expect(document.querySelector('.cd-boxes .is-now')!.textContent).toContain('+3');
    await fireEvent.click(button('Build settlement 3: +3'));
    expect(play).toHaveBeenCalledExactlyOnceWith('S3');
  });

  test('builds with keys alone', async () => {
    const { play } = show(act);
    await press('ArrowRight', site('R1'));
    await press('Enter', document.activeElement!);
    await press('Enter', document.activeElement!);
    expect(act.legal).toContain(play.mock.calls[0]?.[0]);
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
    await fireEvent.click(document.querySelectorAll('.cd-pick')[0]!);
    expect(document.querySelectorAll('.cd-die.is-paying')).toHaveLength(2);
    await press('Enter');
    expect(play).toHaveBeenCalledExactlyOnceWith('trade o');
  });

  test('turns a die with a joker', async () => {
    const { play } = show(act);
    await fireEvent.click(document.querySelector('[data-joker="4"]')!);
    expect(document.querySelectorAll('.cd-die.is-target')).toHaveLength(5); // all but the timber
    await press('6');
    await fireEvent.click(button('Turn gold to timber'));
    expect(play).toHaveBeenCalledExactlyOnceWith('joker 4 $');
  });

  test('asks what the sixth joker is to become', async () => {
    const { play } = show(act);
    await fireEvent.click(button(/^Joker 6: ready/));
    await press('6');
    await press('Enter');
    expect(play).not.toHaveBeenCalled();
    await fireEvent.click(button('The die becomes ore'));
    await press('6');
    await press('Enter');
    expect(play).toHaveBeenCalledExactlyOnceWith('joker 6 $ o');
  });

  test('offers no joker and no trade that is not legal', () => {
    show({ ...act, legal: ['R1', 'joker 4 $', 'end'] });
    const open = [...document.querySelectorAll<HTMLButtonElement>('.cd-pick:not(:disabled)')];
    expect(open.map((pick) => pick.dataset['joker'])).toEqual(['4']);
  });

  test('says what ending the turn writes', async () => {
    const { play } = show(act);
    await fireEvent.click(button('End turn: a cross, −2'));
    expect(play).toHaveBeenCalledExactlyOnceWith('end');
    cleanup();
    show({ ...act, view: { ...act.view, gained: 4 } });
    expect(button('End turn: +4')).toBeTruthy();
  });

  test('opens the sheets of the others, by their names', async () => {
    show(act, { names: NAMES });
    expect(document.querySelectorAll('.cd-row .cd-other')).toHaveLength(3);
    const name = NAMES.find((_, seat) => seat !== act.view.seat)!;
    expect(button(`Open the sheet of ${name}`).textContent).toContain(name);
    await fireEvent.click(button(`Open the sheet of ${name}`));
    expect(document.querySelectorAll('dialog .cd-island')).toHaveLength(1);
    expect(document.querySelector('dialog')!.textContent).toContain(`Island of ${name}`);
  });
});

test('puts a hint on the board, and plays nothing by itself', async () => {
  const kept = show(roll, { hint: 'keep ggw' });
  expect(kept.play).not.toHaveBeenCalled();
  await press('r');
  expect(kept.play).toHaveBeenCalledExactlyOnceWith('keep ggw');
  for (const hint of ['S3', 'trade o', 'joker 4 $', 'joker 6 $ o']) {
    cleanup();
    const { play } = show(act, { hint });
    await press('Enter');
    expect(play).toHaveBeenCalledExactlyOnceWith(hint);
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
  });

  test('a move is told as advice', () => {
    expect(advice('keep ww')).toBe('keep wool, wool and roll the others');
    expect(['keep', 'stop', 'end', 'R4', 'trade b', 'joker 3 $'].map(advice)).toEqual([
      'roll all dice again',
      'let the dice stand',
      'end the turn',
      'build road R4',
      'trade two gold for brick',
      'turn gold to wool with joker 3',
    ]);
  });

  test('moves and the position are told in sentences', () => {
    expect(lastMove(act.view, [...act.log, 'S3'])).toMatch(/^Builds settlement 3\. Dice: /);
    expect(thing('free')).toBe('free road');
    expect(jokers(['joker 6 $ o', 'joker 2 w', 'end'])).toMatchObject([
      { knight: 6, from: '$', to: 'o' },
      { knight: 2, from: 'w', to: 'g' },
    ]);
    expect(inWords(roll.view, NAMES)).toContain('2 rolls left.');
    expect(inWords(roll.view, NAMES).join(' ')).toContain('Bob: ');
    expect(inWords(act.view, NAMES)[0]).toBe('Turn 6 of 15. Dice: grain, wool, timber, brick, gold, gold.');
  });
});
