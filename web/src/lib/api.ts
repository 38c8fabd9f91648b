// Made by tools/web_types.py from the Python types; never edited.

/** What every view has, whatever the game. */
export interface View {
  actor: number | null;
  game: string;
  options: Record<string, unknown>;
  ply: number;
  scores: number[];
  seat: number | null;
  winners: number[];
}

/** What a seat sees. */
export interface CaratView extends View {
  chips: Chip[];
  colour_points: Record<string, number>;
  colours: string[];
  hands: (string[] | number)[];
  last: string | null;
  settled_last: number[];
  stock: number;
  tiles: Placed[];
}

/** A chip on its point; the points are numbered row by row. */
export interface Chip {
  prize: number;
  settled: boolean;
  sums: Record<string, number>;
  value: number;
  winner: string | null;
}

/** A tile on the board. */
export interface Placed {
  cell: string;
  tile: string;
}

/** What everybody sees. */
export interface CarnacView extends View {
  columns: number;
  dolmens: Dolmen[];
  rows: number;
  stock: number;
  stones: Stone[];
  tilting: string | null;
}

/** A group of at least three squares of a seat's colour. */
export interface Dolmen {
  seat: number;
  squares: string[];
}

/** A megalith on the board. */
export interface Stone {
  colour: string;
  side: string | null;
  squares: string[];
}

/** What everybody sees. */
export interface CatanDiceView extends View {
  dice: string;
  gained: number;
  phase: string;
  rolls_left: number;
  sheets: Sheet[];
  turn: number;
}

/** A seat's island. */
export interface Sheet {
  boxes: number[];
  cities: string[];
  jokers: number[];
  knights: string[];
  roads: string[];
  settlements: string[];
}

/** What a seat sees. */
export interface KwatroView extends View {
  field: Laid[];
  hands: (string[] | number)[];
  last_play: Play | null;
  passes: number;
  pile: number;
  play: Play | null;
  under: (string | null)[];
}

/** A card on the field; x to the right, y down, from the start card. */
export interface Laid {
  card: string;
  x: number;
  y: number;
}

/** The cards of one turn and what they score. */
export interface Play {
  cells: ([number, number])[];
  lines: Line[];
  points: number;
  seat: number;
}

/** A line that a play made or extended. */
export interface Line {
  cells: ([number, number])[];
  sum: number;
}
