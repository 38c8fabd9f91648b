import { expect, test } from 'vitest';
import { Wheel } from './wheel';

/** All quarters that events of so many pixels, so many milliseconds apart, turn. */
const turned = (deltas: number[], apart: number, deltaMode = 0) => {
  const wheel = new Wheel();
  return deltas.map((deltaY, i) => wheel.roll({ deltaY, deltaMode, timeStamp: i * apart }));
};

test('each notch of a mouse turns by a quarter, either way', () => {
  expect(turned([100, 100, -100], 40)).toEqual([1, 1, -1]);
  expect(turned([3, 3, -3], 40, 1)).toEqual([1, 1, -1]);
});

test('a sweep over a trackpad turns by one quarter, however long it is', () => {
  const sweep = [2, 8, 20, 40, 60, 70, 50, 30, 12, 5, 2, 1];
  expect(turned(sweep, 12).filter(Boolean)).toEqual([1]);
});

test('the next sweep turns again', () => {
  const wheel = new Wheel();
  const sweep = (from: number) =>
    [30, 30, 30].map((deltaY, i) => wheel.roll({ deltaY, deltaMode: 0, timeStamp: from + i * 12 }));
  expect([...sweep(0), ...sweep(500)].filter(Boolean)).toEqual([1, 1]);
});

test('a touch that is not meant turns nothing', () => {
  expect(turned([4, -3, 2], 12)).toEqual([0, 0, 0]);
});
