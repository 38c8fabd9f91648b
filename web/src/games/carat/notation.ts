import * as m from '$messages';
import type { Notation } from '../../records/notation';

export default [
  { moves: ['*chips 1433…'], text: m.import_carat_chips },
  { moves: ['*5RYGB'], text: m.import_carat_draw },
  { moves: ['c3=5GBRY'], text: m.import_carat_place },
] satisfies Notation;
