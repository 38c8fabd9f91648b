// Four colours, each with a mark of its own: nobody has to tell them by hue. Centre 0, 0.
export type Letter = 'R' | 'Y' | 'B' | 'G';

export const COLOUR_NAMES: Record<Letter, 'red' | 'yellow' | 'blue' | 'green'> = {
  R: 'red',
  Y: 'yellow',
  B: 'blue',
  G: 'green',
};

export const MARKS: Record<Letter, string> = {
  R: 'M-9.5 0a9.5 9.5 0 1 0 19 0a9.5 9.5 0 1 0 -19 0Z',
  Y: 'M0-11 10.5 7.5Q0 11-10.5 7.5Z',
  B: 'M0-12 8.5 0 0 12-8.5 0Z',
  G: 'M-5-10H5L8.5-6.5V6.5L5 10H-5L-8.5 6.5V-6.5Z',
};

const BY_SEAT: Letter[] = ['R', 'Y', 'B', 'G'];

/** In games that give seats no colour of their own. */
export const seatLetter = (seat: number): Letter => BY_SEAT[seat % BY_SEAT.length]!;
export const seatTint = (seat: number) => `var(--p-${COLOUR_NAMES[seatLetter(seat)]})`;
