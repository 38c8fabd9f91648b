// What became of the dolmens from one moment to another, read off their squares alone.
import type { Dolmen } from '$lib/api';

export type Change = {
  kind: 'made' | 'joined' | 'broken' | 'split' | 'grown' | 'shrunk';
  seat: number;
  /** Sizes, the largest first. */
  before: number[];
  after: number[];
  /** Where to look: what it is now, or what it was. */
  squares: string[];
};

/** How many dolmens its seat has more. */
export const gain = ({ before, after }: Change) => after.length - before.length;

/** Every dolmen that came, went or has another size. Red's first. */
export function changes(before: Dolmen[], after: Dolmen[]): Change[] {
  return [0, 1].flatMap((seat) => {
    const own = (dolmens: Dolmen[]) => dolmens.filter((dolmen) => dolmen.seat === seat);
    return related(own(before), own(after)).flatMap((family) => changeOf(seat, family) ?? []);
  });
}

type Family = { before: Dolmen[]; after: Dolmen[] };

/** Dolmens that share squares, then and now, belong together. */
function related(before: Dolmen[], after: Dolmen[]): Family[] {
  const families: Family[] = before.map((dolmen) => ({ before: [dolmen], after: [] }));
  for (const dolmen of after) {
    const kin = families.filter((family) => all(family).some((square) => dolmen.squares.includes(square)));
    const joined = {
      before: kin.flatMap((family) => family.before),
      after: [...kin.flatMap((family) => family.after), dolmen],
    };
    kin.forEach((family) => families.splice(families.indexOf(family), 1));
    families.push(joined);
  }
  return families;
}
const all = ({ before }: Family) => before.flatMap((dolmen) => dolmen.squares);

function changeOf(seat: number, family: Family): Change | null {
  const [before, after] = [sizes(family.before), sizes(family.after)];
  const squares = (after.length >= before.length ? family.after : [...family.after, ...family.before]).flatMap(
    (dolmen) => dolmen.squares,
  );
  const change = (kind: Change['kind']) => ({ kind, seat, before, after, squares: [...new Set(squares)] });
  if (!before.length) return change('made');
  if (!after.length) return change('broken');
  if (after.length !== before.length) return change(after.length < before.length ? 'joined' : 'split');
  const growth = sum(after) - sum(before);
  return growth ? change(growth > 0 ? 'grown' : 'shrunk') : null;
}

const sizes = (dolmens: Dolmen[]) => dolmens.map(({ squares }) => squares.length).sort((a, b) => b - a);
const sum = (numbers: number[]) => numbers.reduce((total, size) => total + size, 0);
