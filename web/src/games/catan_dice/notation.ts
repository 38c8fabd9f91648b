import * as m from '$messages';
import type { Notation } from '../../records/notation';

export default [
  { moves: ['*ogwtb$'], text: m.import_catan_roll },
  { moves: ['keep oogg', 'keep'], text: m.import_catan_keep },
  { moves: ['stop'], text: m.import_catan_stop },
  { moves: ['trade b'], text: m.import_catan_trade },
  { moves: ['joker 3 $'], text: m.import_catan_joker },
  { moves: ['R4', 'S3', 'C7', 'K1'], text: m.import_catan_build },
  { moves: ['end'], text: m.import_catan_end },
] satisfies Notation;
