import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as m from '$messages';
import { hasLesson, lessonKeys, loadGame, loadLesson } from '../../games';
import { cell } from '../../testing';
import FirstMatch from '../FirstMatch.svelte';
import Learn from '../Learn.svelte';

const load = async (key: string) => ({ key, game: await loadGame(key), lesson: await loadLesson(key) });
beforeEach(() => history.replaceState(null, '', '/'));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('every game that has a board has an introduction', () => {
  expect([...lessonKeys].sort()).toEqual(['carat', 'carnac', 'catan_dice', 'kwatro']);
  expect(hasLesson('plain')).toBe(false);
});

describe('the rules', () => {
  test.each(['carat', 'carnac', 'catan_dice', 'kwatro'])('of %s have a board beside each part', async (key) => {
    const props = await load(key);
    const { container } = render(Learn, props);
    expect(container.querySelectorAll('[data-place=board]')).toHaveLength(props.lesson.sections.length);
    expect(screen.getAllByRole('link', { name: m.learn_start() })[0]?.getAttribute('href')).toBe(`/learn/${key}/first`);
    const whole = screen.getByRole('link', { name: m.help_rules() });
    expect(whole.getAttribute('href')).toBe(`/help/rules/en/${key}.html`);
  });

  test('are shown step by step, from the last position on', async () => {
    render(Learn, await load('carat'));
    const shows = (count: number) =>
      expect(screen.getAllByRole('group', { name: /./ })[0]!.getAttribute('aria-label')).toBe(m.carat_board({ count }));
    shows(3);
    await fireEvent.click(screen.getAllByRole('button', { name: m.learn_frame_first() })[0]!);
    shows(0);
    await fireEvent.click(screen.getByRole('button', { name: m.learn_frame_next() }));
    shows(1);
  });
});

describe('a first match', () => {
  const raise = async (square: string) => {
    await fireEvent.click(cell(square));
    await fireEvent.click(screen.getByRole('button', { name: `Raise on ${square}` }));
  };

  test('says why a legal move is not the one, every time', async () => {
    render(FirstMatch, await load('carnac'));
    for (let time = 0; time < 2; time++) {
      await raise('d3');
      expect((await screen.findByRole('alert')).textContent?.trim()).toBe(
        'Any square is allowed, but let us begin on c3.',
      );
    }
    await raise('c3');
    expect((await screen.findByRole('alert')).textContent).toContain('swap the sides');
  });

  test('goes on with the right one, shows the answer and keeps its place in the address', async () => {
    render(FirstMatch, await load('carnac'));
    await fireEvent.click(screen.getAllByRole('radio', { name: /^Red on top; falls red/ })[0]!);
    await raise('c3');
    await vi.waitFor(() => expect(location.hash).toBe('#1'));
    expect(screen.getByText(/White tips it to the north/)).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Go on' }));
    expect(location.hash).toBe('#2');
  });

  test('puts the right move on the board when asked', async () => {
    render(FirstMatch, await load('carnac'));
    await fireEvent.click(screen.getByRole('button', { name: 'Show me' }));
    expect(await screen.findByRole('button', { name: 'Raise on c3' })).toBeTruthy();
  });

  test('goes on after a reload where it was, and ends with tips and a novice', async () => {
    const props = await load('kwatro');
    const last = props.lesson.steps.findIndex((step) => step.next === null);
    history.replaceState(null, '', `/#${last}`);
    const fetched = vi.fn(async (url: string) => ({
      ok: true,
      status: 200,
      json: async () =>
        url.endsWith('/games')
          ? [{ key: 'kwatro', seats: [2], options: [], levels: [] }]
          : { id: 'new-one', mine: [], may: [] },
    }));
    vi.stubGlobal('fetch', fetched);
    render(FirstMatch, props);
    expect(screen.getByRole('heading', { name: 'Tips' })).toBeTruthy();
    await fireEvent.click(screen.getByRole('button', { name: 'Play against the novice' }));
    await vi.waitFor(() => expect(location.pathname).toBe('/table/new-one'));
    expect(JSON.stringify(fetched.mock.calls.at(-1))).toContain('novice');
  });
});
