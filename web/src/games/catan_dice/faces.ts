// Six outlines for six faces, on a square of 32. Each is a list of strokes: a tone and a path.
import * as m from '$messages';
import { list } from '$lib/format';
import { FACES, type Face } from './island';

type Tone = 'base' | 'light' | 'dark' | 'thin' | 'line' | 'leg' | 'black';
export const ART: Record<Face | 'any', [Tone, string][]> = {
  o: [
    ['base', 'M3 20.5 7 10.5 15 4.5 24 7.5 29.5 17 26 26.5 9 28Z'],
    ['light', 'M7 10.5 15 4.5 17 14 10.5 18Z'],
    ['dark', 'M17 14 29.5 17 26 26.5 17.5 27.3Z'],
    ['thin', 'M7 10.5 10.5 18 17 14 15 4.5M17 14 24 7.5M17 14 29.5 17M17 14 17.5 27.3M10.5 18 9 28M10.5 18 3 20.5'],
    ['line', 'M3 20.5 7 10.5 15 4.5 24 7.5 29.5 17 26 26.5 9 28Z'],
  ],
  g: [
    ['line', 'M16 30V12M16 26C12.5 26 9.5 24.5 7.5 21.5M16 28C19.5 27.5 22 26 24 23'],
    ['light', 'M16 1C19.2 3.8 19.2 7.4 16 10.2C12.8 7.4 12.8 3.8 16 1Z'],
    ['base', 'M8.7 5.6C12.9 6.4 14.7 9.5 13.3 13.6C9.1 12.8 7.3 9.7 8.7 5.6Z'],
    ['light', 'M23.3 5.6C19.1 6.4 17.3 9.5 18.7 13.6C22.9 12.8 24.7 9.7 23.3 5.6Z'],
    ['base', 'M8.7 11.2C12.9 12 14.7 15.1 13.3 19.2C9.1 18.4 7.3 15.3 8.7 11.2Z'],
    ['light', 'M23.3 11.2C19.1 12 17.3 15.1 18.7 19.2C22.9 18.4 24.7 15.3 23.3 11.2Z'],
    ['base', 'M9.1 16.6C13.3 17.4 15.1 20.5 13.7 24.6C9.5 23.8 7.7 20.7 9.1 16.6Z'],
    ['light', 'M22.9 16.6C18.7 17.4 16.9 20.5 18.3 24.6C22.5 23.8 24.3 20.7 22.9 16.6Z'],
    [
      'line',
      'M16 1C19.2 3.8 19.2 7.4 16 10.2C12.8 7.4 12.8 3.8 16 1ZM8.7 5.6C12.9 6.4 14.7 9.5 13.3 13.6C9.1 12.8 7.3 9.7 8.7 5.6ZM23.3 5.6C19.1 6.4 17.3 9.5 18.7 13.6C22.9 12.8 24.7 9.7 23.3 5.6ZM8.7 11.2C12.9 12 14.7 15.1 13.3 19.2C9.1 18.4 7.3 15.3 8.7 11.2ZM23.3 11.2C19.1 12 17.3 15.1 18.7 19.2C22.9 18.4 24.7 15.3 23.3 11.2ZM9.1 16.6C13.3 17.4 15.1 20.5 13.7 24.6C9.5 23.8 7.7 20.7 9.1 16.6ZM22.9 16.6C18.7 17.4 16.9 20.5 18.3 24.6C22.5 23.8 24.3 20.7 22.9 16.6Z',
    ],
  ],
  w: [
    ['leg', 'M13 24V29M21 24V29'],
    [
      'base',
      'M9.5 22.5A4.6 4.6 0 0 1 8 13.8 5 5 0 0 1 14 8.2 5.4 5.4 0 0 1 22.5 7.7 5 5 0 0 1 28 13.4 4.8 4.8 0 0 1 26.6 22 5 5 0 0 1 19.8 24.4 5 5 0 0 1 14 24.6 4.6 4.6 0 0 1 9.5 22.5Z',
    ],
    [
      'line',
      'M9.5 22.5A4.6 4.6 0 0 1 8 13.8 5 5 0 0 1 14 8.2 5.4 5.4 0 0 1 22.5 7.7 5 5 0 0 1 28 13.4 4.8 4.8 0 0 1 26.6 22 5 5 0 0 1 19.8 24.4 5 5 0 0 1 14 24.6 4.6 4.6 0 0 1 9.5 22.5Z',
    ],
    ['thin', 'M14.5 13.5A3.4 3.4 0 0 1 20 15.8M20.5 18.8A3.2 3.2 0 0 0 24.6 16.4'],
    [
      'black',
      'M10.8 13.2C9 11.6 6 11.6 4.2 13.2 2.8 14.4 2.6 18.6 4.2 20.2 5.6 21.6 8.2 21.6 9.6 20.2 11 18.8 11.6 15.4 10.8 13.2Z',
    ],
  ],
  t: [
    ['dark', 'M13.8 24H18.2V30H13.8Z'],
    ['line', 'M13.8 24H18.2V30H13.8Z'],
    ['base', 'M16 2.5 22 11H19.6L25 18H21.8L27.5 25.5H4.5L10.2 18H7L12.4 11H10Z'],
    ['dark', 'M16 2.5 22 11H19.6L25 18H21.8L27.5 25.5H18C19.6 18 18.6 9 16 2.5Z'],
    ['line', 'M16 2.5 22 11H19.6L25 18H21.8L27.5 25.5H4.5L10.2 18H7L12.4 11H10Z'],
  ],
  b: [
    ['base', 'M9 5.5H23V14.5H9ZM17 17H30V26.5H17Z'],
    ['light', 'M2 17H15V26.5H2Z'],
    ['dark', 'M9 11.6H23V14.5H9ZM2 23.6H15V26.5H2ZM17 23.6H30V26.5H17Z'],
    ['line', 'M9 5.5H23V14.5H9ZM2 17H15V26.5H2ZM17 17H30V26.5H17Z'],
  ],
  $: [
    ['base', 'M3 16a13 13 0 1 0 26 0a13 13 0 1 0 -26 0Z'],
    ['dark', 'M24.6 6.3A13 13 0 0 1 9 26.9 13.6 13.6 0 0 0 24.6 6.3Z'],
    ['thin', 'M6.4 16a9.6 9.6 0 1 0 19.2 0a9.6 9.6 0 1 0 -19.2 0Z'],
    ['light', 'M16 9 18 14 23 16 18 18 16 23 14 18 9 16 14 14Z'],
    ['line', 'M16 9 18 14 23 16 18 18 16 23 14 18 9 16 14 14ZM3 16a13 13 0 1 0 26 0a13 13 0 1 0 -26 0Z'],
  ],
  any: [
    ['base', 'M3.5 16a12.5 12.5 0 1 0 25 0a12.5 12.5 0 1 0 -25 0Z'],
    ['line', 'M3.5 16a12.5 12.5 0 1 0 25 0a12.5 12.5 0 1 0 -25 0Z'],
    ['leg', 'M16 8.5V23.5M9.5 12.2 22.5 19.8M22.5 12.2 9.5 19.8'],
  ],
};

const NAMES: Record<Face | 'any', () => string> = {
  o: m.catan_ore,
  g: m.catan_grain,
  w: m.catan_wool,
  t: m.catan_timber,
  b: m.catan_brick,
  $: m.catan_gold,
  any: m.catan_any,
};
export const faceName = (face: Face | 'any') => NAMES[face]();

const MANY: Record<Face, () => string> = {
  o: m.catan_ore_many,
  g: m.catan_grain_many,
  w: m.catan_wool_many,
  t: m.catan_timber_many,
  b: m.catan_brick_many,
  $: m.catan_gold_many,
};
const COUNTS = [m.catan_two, m.catan_three, m.catan_four, m.catan_five, m.catan_six];

/** "two wool and brick". */
export const facesInWords = (faces: Iterable<string>) => {
  const all = [...faces];
  return list(
    FACES.flatMap((face) => {
      const count = all.filter((one) => one === face).length;
      if (count < 2) return count ? [faceName(face)] : [];
      return [m.catan_counted({ count: COUNTS[count - 2]!(), face: MANY[face]() })];
    }),
  );
};
