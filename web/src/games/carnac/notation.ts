import * as m from '$messages';
import type { Notation } from '../../records/notation';

export default [
  { moves: ['c3wr'], text: m.import_carnac_place },
  { moves: ['tilt N'], text: m.import_carnac_tilt },
  { moves: ['stand'], text: m.import_carnac_stand },
] satisfies Notation;
