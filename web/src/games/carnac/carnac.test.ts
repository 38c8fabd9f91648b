import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CarnacView } from '$lib/api';
import { position, run } from '../../specimen/data.svelte';
import { cell, press } from '../../testing';
import { faces, type Pose } from './block';
import Board from './Board.svelte';
import { outline } from './outline';
import { above, fromChair } from './projection';
import { arrivals, falls, landing, openFalls, shows } from './squares';
import { describe as inWords, entries, lastMove } from './words';

afterEach(cleanup);

type Shown = { view: CarnacView; legal: string[]; log: string[] };
const place = position('carnac-place') as Shown;
const tilt = position('carnac-tilt') as Shown;
const show = (shown: Shown, changes: object = {}) => {
  const play = vi.fn();
  const board = render(Board, { ...shown, play, ...changes });
  return { play, board };
};
const button = (name: RegExp) => screen.getByRole('button', { name });

describe('placing', () => {
  test('offers exactly the legal squares', () => {
    show(place);
    const offered = [...document.querySelectorAll('.square.is-open')].map((square) => square.getAttribute('data-cell'));
    expect(new Set(offered)).toEqual(new Set(place.legal.map((move) => move.slice(0, -2))));
  });

  test.each([
    ['1', 'k6rw'],
    ['2', 'k6rr'],
    ['3', 'k6ww'],
    ['4', 'k6wr'],
  ])('key %s raises the stone as shown', async (key, move) => {
    const { play } = show(place);
    await press(key);
    await fireEvent.click(cell('k6'));
    await fireEvent.click(button(/^Raise on k6/));
    expect(play).toHaveBeenCalledExactlyOnceWith(move);
  });

  test('T swaps the top and F the sides', async () => {
    const { play } = show(place);
    await fireEvent.click(cell('k6'));
    await press('t');
    await press('f');
    await fireEvent.click(button(/^Raise on k6/));
    expect(play).toHaveBeenCalledExactlyOnceWith('k6wr');
  });

  test('can be done with keys alone', async () => {
    const { play } = show(place);
    await press('ArrowRight', cell('c3'));
    await press('Enter', cell('d3'));
    expect(play).not.toHaveBeenCalled();
    await press('Enter', cell('d3'));
    expect(play).toHaveBeenCalledExactlyOnceWith('d3rw');
  });

  test('takes no square that is not legal', async () => {
    const { play } = show(place);
    await fireEvent.click(cell(place.view.stones[0]!.squares[0]!));
    expect(button(/^Choose a square/)).toHaveProperty('disabled', true);
    expect(play).not.toHaveBeenCalled();
  });

  test('works in the view from a chair as well', async () => {
    const { play } = show(place);
    await fireEvent.click(screen.getByRole('radio', { name: 'Table' }));
    await fireEvent.click(cell('k6'));
    await fireEvent.click(button(/^Raise on k6/));
    expect(play).toHaveBeenCalledExactlyOnceWith('k6rw');
  });
});

describe('tilting', () => {
  test('offers exactly the legal falls', () => {
    show(tilt);
    expect(document.querySelectorAll('.tilt-card')).toHaveLength(tilt.legal.length);
    expect(document.querySelectorAll('.preview')).toHaveLength(tilt.legal.length - 1);
  });

  test('arrow keys choose a fall and Enter confirms it', async () => {
    const { play } = show(tilt);
    await press('ArrowLeft');
    await press('Enter', document.body);
    expect(play).toHaveBeenCalledExactlyOnceWith('tilt W');
  });

  test('a fall that is not legal cannot be chosen', async () => {
    const { play } = show(tilt);
    expect(tilt.legal).not.toContain('tilt N');
    await press('ArrowUp');
    await press('Enter', document.body);
    expect(play).not.toHaveBeenCalled();
  });

  test('Space leaves the stone', async () => {
    const { play } = show(tilt);
    await press(' ');
    await fireEvent.click(button(/^Leave it/));
    expect(play).toHaveBeenCalledExactlyOnceWith('stand');
  });

  test('a square stands for the fall that covers it', async () => {
    const { play } = show(tilt);
    await fireEvent.click(cell(landing(tilt.view.tilting!, 'E')[1]));
    await fireEvent.click(button(/^Tilt east/));
    expect(play).toHaveBeenCalledExactlyOnceWith('tilt E');
  });
});

describe('the drawing', () => {
  test('outlines and counts the dolmens of the view', () => {
    show(place);
    const sizes = [...document.querySelectorAll('.badge text')].map((badge) => Number(badge.textContent));
    expect(sizes).toEqual(place.view.dolmens.map((dolmen) => dolmen.squares.length));
    expect(document.querySelectorAll('.dolmen')).toHaveLength(place.view.dolmens.length);
  });

  test('a fallen stone lies on the two squares next to where it stood', () => {
    const view = above(14, 9);
    const lying: Pose = { x: 2, y: 2, top: 'w', side: 'r', fall: 'E', angle: 90, lift: 0 };
    const up = faces(lying, view).find((face) => face.kind === 'up')!;
    expect(up.colour).toBe('r');
    const xs = up.outline.split(' ').map((point) => Number(point.split(',')[0]));
    const [west] = view.at([3, 2, 1]);
    const [east] = view.at([5, 2, 1]);
    expect(Math.min(...xs)).toBeGreaterThan(west - 1);
    expect(Math.max(...xs)).toBeLessThan(east + 1);
  });

  test.each([above(8, 5), fromChair(8, 5)])('shows at most three faces of a stone', (view) => {
    for (const angle of [0, 20, 45, 70, 90]) {
      const pose: Pose = { x: 3, y: 2, top: 'r', side: 'w', fall: 'S', angle, lift: 0 };
      expect(faces(pose, view).length).toBeLessThanOrEqual(3);
    }
  });

  test('an outline is one loop around squares that hang together', () => {
    const path = outline(['a1', 'b1', 'b2'], (point) => point, 0);
    expect(path.match(/M/g)).toHaveLength(1);
    expect(path.match(/Z/g)).toHaveLength(1);
  });

  test('what is new has been raised or has fallen; the first view is still', () => {
    const [first, second, third] = run('carnac-run') as unknown as [Shown, Shown, Shown];
    expect(arrivals(null, first.view).size).toBe(0);
    expect([...arrivals(first.view, second.view).values()]).toEqual(['raised']);
    expect([...arrivals(second.view, third.view).values()]).toEqual(['fallen']);
  });
});

describe('squares and words', () => {
  test('a stone shows its east and west colour when it falls east or west', () => {
    expect(landing('c3', 'N')).toEqual(['c2', 'c1']);
    expect(shows('r', 'E')).toBe('r');
    expect(shows('r', 'N')).toBe('w');
  });

  test('the log tells where lying stones stood', () => {
    for (const stone of tilt.view.stones.filter((s) => !s.side)) {
      expect(falls(tilt.log).get(stone.squares.join('-'))).toBeDefined();
    }
  });

  test('falls are drawn where there is room, which is where they are legal', () => {
    const drawn = openFalls({ ...tilt.view }, tilt.view.tilting!).map((direction) => `tilt ${direction}`);
    expect(drawn).toEqual(tilt.legal.filter((move) => move !== 'stand'));
  });

  test('the log gives each move to the seat that made it', () => {
    const log = ['c3wr', 'tilt E', 'c3rr', 'stand', 'd5ww'];
    expect(entries(tilt.view, log).map((entry) => entry.seat)).toEqual([0, 1, 1, 0, 1]);
  });

  test('the position is told in words', () => {
    expect(inWords(place.view)[0]).toBe('14 by 9 squares, 11 stones in the stock.');
    expect(inWords(place.view)).toHaveLength(3 + place.view.stones.length);
    expect(lastMove(tilt.view, tilt.log)).toContain('Dolmens: red 0, white 2.');
  });
});
