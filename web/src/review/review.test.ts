import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AccountView, DecisionView, Figure, Replay, ReviewMessage, View } from '$lib/api';
import plain from '../games/plain';
import { ReplayTable } from '../sources/replay.svelte';
import { person, press } from '../testing';
import Account from './Account.svelte';
import { apart, axis } from './axis';
import Moves from './Moves.svelte';
import { Reviewer } from './reviewer.svelte';
import { changeIn, lossText, worthIn } from './scale';
import Stepper from './Stepper.svelte';
import { Study } from './study.svelte';
import Timeline from './Timeline.svelte';
import VerdictCard from './VerdictCard.svelte';
import { aloneText, decidedText, evenPlace, reasons } from './words';

/** The other end of the reviewer's line. */
class Socket {
  static OPEN = 1;
  static last: Socket;
  readyState = 1;
  sent: { type: string }[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: unknown;
  constructor(readonly url: string) {
    Socket.last = this;
  }
  send = (text: string) => this.sent.push(JSON.parse(text));
  close = () => {};
  say = (message: unknown) => this.onmessage?.({ data: JSON.stringify(message) });
}

const figure = (points: number, win = points / 100): Figure => ({ win, points });
const ACTORS = [null, 0, 1, 0, null, 1, 0, 1];
const LOG = ['*deal', 'a1', 'b1', 'a2', '*draw', 'b2', 'a3', 'b3'];
const seats = ['Ines', 'Jonas'].map(person);
const viewAt = (ply: number): View => ({
  actor: ACTORS[ply] ?? (ply === ACTORS.length ? null : -1),
  game: 'plain',
  options: {},
  ply,
  scores: [ply, 2 * ply],
  seat: 0,
  winners: [],
});
const replayed = async (): Promise<Replay> => ({
  total: LOG.length,
  seat: 0,
  actors: ACTORS,
  log: LOG,
  steps: Array.from({ length: LOG.length + 1 }, (_, ply) => ({ ply, view: viewAt(ply) })),
});
const decision = (ply: number, changes: Partial<DecisionView> = {}): DecisionView => ({
  ply,
  seat: ACTORS[ply]!,
  move: LOG[ply]!,
  best: 'z9',
  loss: figure(2.1),
  error: figure(0.2),
  verdict: 'mistake',
  exact: false,
  forced: false,
  options: [
    { move: 'z9', worth: figure(81.2), reason: { gain: 0, answer: 4, by: 1, usual: null, follow: null } },
    { move: LOG[ply]!, worth: figure(79.1), reason: { gain: 8, answer: 8, by: 1, usual: null, follow: null } },
  ],
  ...changes,
});
const account = (seat: number, changes: Partial<AccountView> = {}): AccountView => ({
  seat,
  start: figure(50, 0),
  luck: figure(3),
  own: figure(-2),
  others: figure(4),
  unexplained: figure(0),
  result: figure(55),
  adjusted: figure(52),
  accuracy: 91,
  verdicts: { best: 3, fine: 1, slip: 2, mistake: 1, blunder: 0 },
  ...changes,
});
const message = (changes: Partial<ReviewMessage> = {}): ReviewMessage => ({
  type: 'review',
  judge: 'expert',
  care: 'normal',
  state: 'making',
  ahead: 0,
  done: 4,
  total: 8,
  decided: 2,
  decisions_total: 6,
  scale: 'points',
  ended: true,
  since: 0,
  decisions: [],
  chances: [],
  worth: [],
  seats: [account(0), account(1, { adjusted: figure(60), result: figure(50) })],
  preparing: null,
  ...changes,
});
const game = {
  ...plain,
  entries: () =>
    LOG.flatMap((move, ply) =>
      ACTORS[ply] === null
        ? []
        : [{ ply, number: ply, seat: ACTORS[ply]!, text: `lays ${move}`, move, why: [], gain: `+${ply}` }],
    ),
  review: {
    points: () => 'Expected final points',
    turn: (_: View, ply: number) => `turn ${ply}`,
    chance: (_: View, __: View, move: string) => ({ seat: 1, text: `brings ${move.slice(1)}` }),
  },
};

let study: Study;
let reviewer: Reviewer;
beforeEach(async () => {
  vi.stubGlobal('WebSocket', Socket);
  const replay = new ReplayTable('plain', seats, 'x', 0, replayed);
  reviewer = new Reviewer('x');
  study = new Study(replay, reviewer, game);
  await replay.open(4);
});
afterEach(() => {
  reviewer.close();
  study.replay.close();
  cleanup();
  vi.unstubAllGlobals();
});
const tell = (changes: Partial<ReviewMessage> = {}) => Socket.last.say(message(changes));
const view = () => study.view!;

describe('the scales', () => {
  test('a chance to win is 0 to 100 for any number of seats', () => {
    expect(worthIn({ win: -1, points: 0 }, 'win', 2)).toBe(0);
    expect(worthIn({ win: 0, points: 0 }, 'win', 2)).toBe(50);
    expect(worthIn({ win: -1 / 3, points: 0 }, 'win', 4)).toBe(0);
    expect(worthIn({ win: 1, points: 0 }, 'win', 4)).toBeCloseTo(100);
    expect(changeIn({ win: 0.28, points: 0 }, 'win', 2)).toBeCloseTo(14);
  });
  test('a loss that shows nothing in one unit is told in the other', () => {
    expect(lossText({ win: 0.28, points: 2.14 }, 'points', 2)).toBe('−2.1');
    expect(lossText({ win: 0.9, points: 104.02 }, 'points', 2)).toBe('−104');
    expect(lossText({ win: 0.28, points: 2.14 }, 'win', 2)).toBe('−14%');
    expect(lossText({ win: 0.28, points: -0.3 }, 'points', 2)).toBe('−14%');
    expect(lossText({ win: 0, points: 0 }, 'points', 2)).toBe('');
  });
  test('the axis has a few round values about the lines', () => {
    const { low, high, ticks } = axis([74.2, 88.9], false);
    expect(ticks).toEqual([75, 80, 85, 90]);
    expect(low).toBeLessThan(74.2);
    expect(high).toBeGreaterThan(88.9);
    expect(axis([3], true).ticks).toEqual([0, 50, 100]);
  });
  test('signs at the ends of lines do not lie on each other', () => {
    const [first, second, third] = apart([{ y: 10 }, { y: 12 }, { y: 60 }], 17);
    expect(second!.y - first!.y).toBeGreaterThanOrEqual(16.9);
    expect(third!.y).toBe(60);
  });
});

describe('the words', () => {
  const names = ['Ines', 'Jonas'];
  test('say what the next player could take', () => {
    expect(reasons(decision(1), names)).toEqual([
      'The better one scores 8 less now and more later.',
      'After it Jonas can take 8 at once; after the better one 4.',
    ]);
  });
  test('say what a good move does', () => {
    const [option] = decision(1).options;
    const reason = { gain: 3, answer: 1, by: 1, usual: 6, follow: null };
    const good = decision(1, { best: 'a1', verdict: 'best', options: [{ ...option!, move: 'a1', reason }] });
    expect(reasons(good, names)).toEqual([
      'It scores 3 at once.',
      'It leaves Jonas only 1 to take at once, usually 6.',
    ]);
  });
  test('admit that no single reason shows', () => {
    const option = decision(1).options[0]!;
    const same = decision(1, { options: [option, { ...option, move: 'a1' }] });
    expect(reasons(same, names)).toEqual(['It does not show at once: the better one is worth more in the long run.']);
  });
  test('tell luck from skill', () => {
    const told = (first: Partial<AccountView>, second: Partial<AccountView>, hasLuck = true) =>
      decidedText([account(0, first), account(1, second)], [0], hasLuck, 'points', names);
    expect(told({ adjusted: figure(40) }, { adjusted: figure(60) })).toContain('With even luck Jonas wins');
    expect(told({ adjusted: figure(60), luck: figure(-1) }, {})).toContain('Skill decided');
    expect(told({ adjusted: figure(60), luck: figure(9), own: figure(0) }, {})).toContain('most luck and played best');
    expect(told({ own: figure(-1) }, { own: figure(-4) }, false)).toBe('No luck in this game: Ines lost less.');
    expect(decidedText([account(0), account(1)], [], true, 'points', names)).toContain('Nobody won alone');
  });
  test('tell a match alone', () => {
    expect(aloneText(account(0, { luck: figure(-34), own: figure(-80) }))).toBe('Luck cost 34 points, choices 80.');
    expect(aloneText(account(0, { luck: figure(1), own: figure(-24.3) }))).toContain('nearly even');
  });
  test('rank by even luck', () => {
    const accounts = [account(0, { adjusted: figure(40) }), account(1, { adjusted: figure(60) })];
    expect(evenPlace(accounts, 0, 'points')).toBe(2);
  });
});

describe('the reviewer', () => {
  test('asks for a review that nobody has asked for, once', () => {
    tell({ state: 'none' });
    tell({ state: 'making', since: 3 });
    expect(Socket.last.url).toContain('/api/tables/x/review/live');
    expect(Socket.last.sent).toEqual([{ type: 'ask', care: 'normal' }]);
  });
  test('adds what is new and forgets all of it when it is told anew', () => {
    tell({ decisions: [decision(1)], worth: [{ ply: 1, seats: [figure(50), figure(50)] }] });
    tell({ since: 2, decisions: [decision(2)] });
    expect([...reviewer.decisions.keys()]).toEqual([1, 2]);
    expect(reviewer.worth.size).toBe(1);
    tell({ decisions: [decision(3)] });
    expect([...reviewer.decisions.keys()]).toEqual([3]);
    expect(reviewer.worth.size).toBe(0);
  });
  test('does not ask again for what was stopped or refused', () => {
    tell();
    reviewer.stop();
    tell({ state: 'stopped' });
    expect(Socket.last.sent).toEqual([{ type: 'stop' }]);
    reviewer.ask('thorough');
    Socket.last.say({ type: 'refused', id: null, code: 'too-many', sentence: 'Later.', reason: null });
    tell({ state: 'none' });
    expect(Socket.last.sent).toHaveLength(2);
    expect(reviewer.refusal?.code).toBe('too-many');
  });
});

describe('stepping', () => {
  test('begins where the match went on from another', () => {
    expect(new Study(study.replay, reviewer, game, [], 3).stops).toEqual([3, 4, 6, 7, 8]);
    expect(new Study(study.replay, reviewer, game, [], 8).stops).toEqual([8]);
  });
  test('goes from decision to decision', async () => {
    expect(study.stops).toEqual([1, 2, 3, 4, 6, 7, 8]);
    study.step(1);
    await tick();
    expect(study.at).toBe(6);
    study.step(-1);
    expect(study.at).toBe(4);
    expect(study.nearest(5.2)).toBe(6);
  });
  test('finds one’s own mistakes only', () => {
    tell({ decisions: [decision(1), decision(2), decision(3, { verdict: 'fine' }), decision(6, { verdict: 'slip' })] });
    expect(study.mistakes.map(({ ply }) => ply)).toEqual([1, 6]);
    expect(study.seek(1)).toBe(true);
    expect(study.at).toBe(7);
    expect(study.seek(1)).toBe(false);
    study.seek(-1);
    expect(study.at).toBe(2);
  });
  test('marks the move that led here, and a better one', () => {
    expect(study.marks).toMatchObject({ before: { ply: 3 }, played: { move: 'a2', verdict: null }, better: null });
    tell({ decisions: [decision(3)] });
    expect(study.marks).toMatchObject({ played: { verdict: 'mistake' }, better: 'z9' });
    study.go(5);
    expect(study.marks).toBeNull();
  });
  test('by keys', async () => {
    render(Stepper, { study, hasHands: true });
    await press('ArrowRight');
    expect(study.at).toBe(6);
    await press('Home');
    expect(study.at).toBe(1);
    await press('End');
    expect(study.at).toBe(8);
    await press('h');
    expect(study.isOpen).toBe(true);
    await press(' ');
    expect(study.isPlaying).toBe(true);
    expect(study.at).toBe(1);
  });
});

describe('the parts', () => {
  test('the timeline tells the position, its verdict and what everybody can expect', async () => {
    const worth = [1, 2, 3, 4].map((ply) => ({ ply, seats: [figure(50 + ply), figure(50 - ply)] }));
    tell({
      decisions: [decision(3)],
      worth,
      chances: [{ ply: 0, outcome: '*deal', luck: [figure(1), figure(-1)], sampled: false }],
    });
    render(Timeline, { study, view: view() });
    const slider = screen.getByRole('slider');
    expect(slider.getAttribute('aria-valuetext')).toBe('3 of 7, Ines, Lays a2, Mistake, Ines: 54, Jonas: 46');
    expect(document.querySelectorAll('polyline')).toHaveLength(2);
    expect(document.querySelectorAll('.dot')).toHaveLength(1);
    expect(document.querySelector('svg [data-verdict=mistake]')).toBeTruthy();
    expect(screen.getByText('2 of 6 decisions judged')).toBeTruthy();
    await fireEvent.click(screen.getByRole('radio', { name: 'Win %' }));
    expect(screen.getByRole('heading').textContent).toBe('Chance to win');
    expect(document.querySelectorAll('polyline')).toHaveLength(1);
  });

  test('the card tells what was played, what was better and why', () => {
    tell({ decisions: [decision(3)] });
    const [find, playOn] = [vi.fn(), vi.fn()];
    render(VerdictCard, { study, isBrief: false, find, playOn });
    expect(screen.getByRole('heading').textContent).toContain('Mistake');
    expect(screen.getByRole('heading').textContent).toContain('−2.1');
    expect(screen.getByText('z9')).toBeTruthy();
    expect(screen.getByText('+8 now')).toBeTruthy();
    expect(screen.getByText('expects 81.2')).toBeTruthy();
    expect(screen.getByText(/After it Jonas can take 8/)).toBeTruthy();
    screen.getByRole('button', { name: 'Find better' }).click();
    screen.getByRole('button', { name: 'Play on from here' }).click();
    expect(find).toHaveBeenCalledWith(3);
    expect(playOn).toHaveBeenCalledWith(3);
  });
  test('the card of what is not judged lets it jump the queue', () => {
    tell();
    render(VerdictCard, { study, isBrief: false, find: null, playOn: () => {} });
    screen.getByRole('button', { name: 'Judge this one next' }).click();
    expect(Socket.last.sent.at(-1)).toEqual({ type: 'next', ply: 3 });
  });

  test('the moves have verdicts and luck, and a click goes there', async () => {
    tell({
      decisions: [
        decision(1),
        decision(2, { verdict: 'best', best: 'b1' }),
        decision(3, { forced: true, verdict: 'best' }),
      ],
      chances: [{ ply: 4, outcome: '*draw', luck: [figure(-1), figure(1.5)], sampled: false }],
    });
    render(Moves, { study, view: view() });
    const rows = () => screen.getAllByRole('button').map((row) => row.textContent!.replace(/\s+/g, ' ').trim());
    expect(rows()).toHaveLength(8);
    expect(rows()[0]).toContain('Brings deal');
    expect(rows()[1]).toContain('mistake −2.1');
    expect(rows()[2]).toContain('best');
    expect(rows()[3]).toContain('only move');
    expect(rows()[4]).toContain('luck +1.5');
    expect(rows()[5]).toContain('waiting');
    expect(document.querySelector('[aria-current=step]')?.textContent).toContain('Lays a2');
    study.filter = 'mistakes';
    await tick();
    expect(rows()).toHaveLength(1);
    screen.getByRole('button').click();
    expect(study.at).toBe(2);
    study.filter = 'mine';
    await tick();
    expect(rows()).toHaveLength(3);
  });

  test('the account adds up, and says while it is made that it is so far', async () => {
    tell();
    const shown = { study, view: view(), winners: [0], hasHands: false, learn: () => {} };
    render(Account, shown);
    expect(screen.getByText('So far, after 2 of 6 decisions:')).toBeTruthy();
    expect(screen.getAllByText('later')).toHaveLength(2);
    tell({ state: 'done', seats: [account(0), account(1, { unexplained: figure(-1.5), adjusted: figure(60) })] });
    await tick();
    expect(screen.getByText('Luck decided it. With even luck Jonas wins.')).toBeTruthy();
    expect(screen.getByText('−1.5 unexplained')).toBeTruthy();
    expect(screen.getAllByText('+2.0')).toHaveLength(2);
    expect(screen.getAllByText('accuracy 91%')).toHaveLength(2);
    expect(screen.queryByText('(you)')).toBeNull(); // a stranger looks through somebody's eyes
    cleanup();
    render(Account, { ...shown, study: new Study(study.replay, reviewer, game, [1]) });
    expect(screen.getByText('(you)').closest('b')?.textContent).toContain('Jonas');
  });
});
