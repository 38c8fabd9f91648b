import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as m from '$messages';
import type { Checked } from '$lib/api';
import { loadNotation } from '../games';
import Import from '../screens/Import.svelte';
import { games, position } from '../specimen/data.svelte';
import { LONGEST, readText } from './files';
import { extended, mended, movesAfter, movesIn } from './moves';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('moves as people type them', () => {
  test.each([
    ['c3wr\ntilt N\n', ['c3wr', 'tilt N']],
    ['1. c3wr, 2. tilt N; stand', ['c3wr', 'tilt N', 'stand']],
    ['RS3@2,-1, RS4@0,1,done', ['RS3@2,-1', 'RS4@0,1', 'done']],
    ['\r\n  1) *ogwtb$ \r\n\r\nkeep oo', ['*ogwtb$', 'keep oo']],
    ['', []],
  ])('%j', (text, moves) => expect(movesIn(text)).toEqual(moves));

  test('a wrong one is replaced where it stands, and what follows stays', () => {
    expect(mended('a1\nb2\nc3\n', { ply: 1, move: 'b2' }, 'b9')).toBe('a1\nb9\nc3\n');
    expect(mended('a1; b2', { ply: 0, move: 'a1' }, 'x')).toBe('x\nb2\n');
    // A lay-out in two parts is one move of the match, so the third word is its second move.
    expect(mended('*chips 1\n*chips 2\nbad\ngood', { ply: 1, move: 'bad' }, 'fine')).toBe(
      '*chips 1\n*chips 2\nfine\ngood\n',
    );
    expect(extended('1. a1', 'b2')).toBe('a1\nb2\n');
  });

  test('those after a wrong one are known of a record', () => {
    expect(movesAfter('{"moves": ["a", "b", "c"]}', 1)).toEqual(['c']);
    expect(movesAfter('1. Ann: a; b', 0)).toEqual([]);
    expect(movesAfter('{"moves": 7}', 0)).toEqual([]);
  });
});

describe('a file', () => {
  test('of text is read, with or without a mark at its beginning', async () => {
    expect(await readText(new Blob(['\ufeffKwartet 1\n']))).toEqual({ text: 'Kwartet 1\n' });
  });
  test.each([
    ['too-large', new Blob(['x'.repeat(LONGEST + 1)])],
    ['too-large', new Blob([new Uint8Array(4 * LONGEST + 1)])],
    ['not-text', new Blob([new Uint8Array([0xff, 0xd8, 0xff])])],
    ['not-text', new Blob(['a\0b'])],
  ])('that is %s is refused', async (trouble, file) => expect(await readText(file)).toEqual({ trouble }));
});

test('every game says how its moves are written', async () => {
  for (const { key } of games) expect((await loadNotation(key)).length, key).toBeGreaterThan(2);
  expect(await loadNotation('unheard_of')).toEqual([]);
});

describe('bringing a match', () => {
  const { view, log } = position('carnac-over');
  const found: Checked = {
    game: 'carnac',
    options: { board: 'medium' },
    players: ['Ann', 'Bo'],
    moves: log,
    actor: null,
    legal: [],
    over: true,
    view,
    trouble: null,
  };
  /** A server that finds this, or refuses; what it was asked. */
  const server = (answer: Partial<Checked> | { code: string; sentence: string }) => {
    const asked: { path: string; body: Record<string, unknown> }[] = [];
    vi.stubGlobal('fetch', async (path: string, how: RequestInit) => {
      asked.push({ path, body: JSON.parse(String(how.body)) as Record<string, unknown> });
      const ok = !('code' in answer);
      const body = path.endsWith('/check') ? (ok ? { ...found, ...answer } : answer) : { id: 'brought' };
      return { ok, status: ok ? 200 : 400, json: async () => body };
    });
    return asked;
  };
  const type = (text: string, label = m.import_moves()) =>
    fireEvent.input(screen.getByLabelText(label), { target: { value: text } });
  const typing = () => fireEvent.click(screen.getByRole('radio', { name: m.import_way_typed() }));
  const go = () => screen.getByRole<HTMLButtonElement>('button', { name: m.import_go() });

  test('shows how far it is good, and leads to its review', async () => {
    const asked = server({});
    render(Import, { games });
    expect(go().disabled).toBe(true);
    await type('{"kwartet": 1}', m.import_paste());
    expect(await screen.findByText(new RegExp(m.import_good({ count: log.length })))).toBeTruthy();
    expect(asked).toEqual([{ path: '/api/records/check', body: { text: '{"kwartet": 1}' } }]);
    await fireEvent.click(go());
    await vi.waitFor(() => expect(location.pathname).toBe('/table/brought'));
    expect(location.search).toBe(`?ply=${log.length}&tab=luck`);
    expect(asked[1]!.path).toBe('/api/records');
  });

  test('is typed with game, options and names', async () => {
    const asked = server({ over: false, actor: 0, legal: ['a1wr'], moves: [] });
    render(Import, { games });
    await typing();
    await fireEvent.click(screen.getByRole('radio', { name: m.carnac_title() }));
    await fireEvent.click(screen.getByRole('radio', { name: m.board_large() }));
    await fireEvent.input(screen.getByLabelText(m.import_name({ seat: 2 })), { target: { value: ' Bo ' } });
    await type('c3wr');
    const offered = await screen.findByRole('group', { name: m.import_possible_next() });
    expect(asked.at(-1)!.body).toMatchObject({
      text: 'c3wr',
      game: 'carnac',
      players: [m.import_seat({ seat: 1 }), 'Bo'],
    });
    expect(asked.at(-1)!.body['options']).toMatchObject({ board: 'large' });
    expect(screen.getByText(m.import_unfinished())).toBeTruthy();
    expect(go().disabled).toBe(true);
    await fireEvent.click(within(offered).getByRole('button', { name: 'a1wr' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>(m.import_moves()).value).toBe('c3wr\na1wr\n');
  });

  test('says which move is wrong, why, and puts in what was possible', async () => {
    const trouble = { ply: 1, move: 'zz', sentence: 'There is no zz.', possible: ['stand'], reason: null };
    server({ over: false, actor: 0, moves: ['c3wr'], trouble });
    render(Import, { games });
    await typing();
    await type('c3wr\nzz\nb2rw');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(m.import_wrong({ number: 2, move: 'zz' }));
    expect(alert.textContent).toContain('There is no zz.');
    expect(go().disabled).toBe(true);
    await fireEvent.click(screen.getByRole('button', { name: 'stand' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>(m.import_moves()).value).toBe('c3wr\nstand\nb2rw\n');
  });

  test('a wrong move of a record goes on as moves that are typed', async () => {
    const trouble = { ply: 1, move: 'zz', sentence: '', possible: ['stand'], reason: null };
    server({ over: false, actor: 0, moves: ['c3wr'], trouble });
    render(Import, { games });
    await type('{"moves": ["c3wr", "zz", "b2rw"]}', m.import_paste());
    await fireEvent.click(await screen.findByRole('button', { name: 'stand' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>(m.import_moves()).value).toBe('c3wr\nstand\nb2rw\n');
    expect(screen.getByLabelText<HTMLInputElement>(m.import_name({ seat: 1 })).value).toBe('Ann');
    expect(screen.getByRole('radio', { name: m.carnac_title() }).getAttribute('aria-checked')).toBe('true');
  });

  test('says what is no match at all', async () => {
    server({ code: 'bad-record', sentence: 'This is no record.' });
    render(Import, { games });
    await type('hello', m.import_paste());
    expect((await screen.findByRole('alert')).textContent).toContain('This is no record.');
    expect(go().disabled).toBe(true);
  });

  test('a file that is none is told so, and nothing is asked', async () => {
    const asked = server({});
    const { container } = render(Import, { games });
    const file = new File([new Uint8Array([0xff, 0xfe, 0x00])], 'match.png');
    const chooser = container.querySelector<HTMLInputElement>('input[type=file]')!;
    Object.defineProperty(chooser, 'files', { value: [file] });
    await fireEvent.change(chooser);
    expect((await screen.findByRole('alert')).textContent).toContain(m.import_not_text());
    expect(asked).toEqual([]);
  });
});
