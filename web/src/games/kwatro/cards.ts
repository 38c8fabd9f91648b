// Cards as they are written: colour, shape, number, as in `RS3`; `J` is a joker, `?` hidden.
import * as m from '$messages';
import type { Misfit } from '$lib/api';

export type Colour = 'R' | 'G' | 'B' | 'Y';
export type Shape = 'S' | 'C' | 'T' | 'X';

export const CELL = 108; // units from card to card on the field; a card has 100

/** Outlines on a square of 100. */
export const SHAPES: Record<Shape, string> = {
  S: 'M27 22H73Q78 22 78 27V73Q78 78 73 78H27Q22 78 22 73V27Q22 22 27 22Z',
  C: 'M18.5 50a31.5 31.5 0 1 0 63 0a31.5 31.5 0 1 0 -63 0Z',
  T: 'M50 13.5Q53 13.5 54.6 16.6L87 76Q89.500 81.5 83.5 82H16.5Q10.5 81.5 13 76L45.4 16.6Q47 13.5 50 13.5Z',
  X: 'M35.5 12.5H64.5Q68.5 12.5 68.5 16.5V31.5H83.5Q87.5 31.5 87.5 35.5V64.5Q87.5 68.5 83.5 68.5H68.5V83.5Q68.5 87.5 64.5 87.5H35.5Q31.5 87.5 31.5 83.5V68.5H16.5Q12.5 68.5 12.5 64.5V35.5Q12.5 31.5 16.5 31.5H31.5V16.5Q31.5 12.5 35.5 12.5Z',
};

const COLOURS: Record<Colour, () => string> = {
  R: m.colour_red,
  G: m.colour_green,
  B: m.colour_blue,
  Y: m.colour_yellow,
};
const SHAPE_NAMES: Record<Shape, () => string> = {
  S: m.kwatro_square,
  C: m.kwatro_circle,
  T: m.kwatro_triangle,
  X: m.kwatro_cross,
};
// Languages with genders and cases need a form for what is laid and one for what it lies beside.
const LAID = { S: m.kwatro_the_square, C: m.kwatro_the_circle, T: m.kwatro_the_triangle, X: m.kwatro_the_cross };
const BESIDE = { S: m.kwatro_of_square, C: m.kwatro_of_circle, T: m.kwatro_of_triangle, X: m.kwatro_of_cross };

const colourOf = (card: string) => COLOURS[card[0] as Colour]();
const shapeOf = (card: string) => card[1] as Shape;

/** "red square 3". */
export function cardName(card: string): string {
  if (card === '?') return m.kwatro_unknown();
  if (card === 'J') return m.kwatro_joker();
  return m.kwatro_card({ colour: colourOf(card), shape: SHAPE_NAMES[shapeOf(card)](), number: card[2]! });
}

/** "the red square 3", as what somebody lays or takes. */
export function theCard(card: string): string {
  if (card === '?') return m.kwatro_unknown();
  if (card === 'J') return m.kwatro_the_joker();
  return LAID[shapeOf(card)]({ colour: colourOf(card), number: card[2]! });
}

/** The same after "right of". */
export function ofCard(card: string): string {
  if (card === 'J') return m.kwatro_of_joker();
  return BESIDE[shapeOf(card)]({ colour: colourOf(card), number: card[2]! });
}

export const TRAITS = { colour: m.kwatro_colour, shape: m.kwatro_shape, number: m.kwatro_number };

/** What a card is in a trait, "red" or "3"; a joker is a joker. */
export function valueName(trait: Misfit['trait'], value: string): string {
  if (value === 'J') return m.kwatro_joker();
  if (trait === 'colour') return COLOURS[value as Colour]();
  return trait === 'shape' ? SHAPE_NAMES[value as Shape]() : value;
}
