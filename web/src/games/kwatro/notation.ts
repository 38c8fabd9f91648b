import * as m from '$messages';
import type { Notation } from '../../records/notation';

export default [
  { moves: ['*RS3', '*J'], text: m.import_kwatro_draw },
  { moves: ['RS3@2,-1'], text: m.import_kwatro_lay },
  { moves: ['done'], text: m.import_kwatro_done },
  { moves: ['swap YC2@1,0'], text: m.import_kwatro_swap },
  { moves: ['pass GT1 RS3'], text: m.import_kwatro_pass },
] satisfies Notation;
