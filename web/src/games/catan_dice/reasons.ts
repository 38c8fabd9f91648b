// Why something cannot be done, as the server tells it in parts, in a sentence.
import * as m from '$messages';
import { capital } from '$lib/text';
import { facesInWords } from './faces';
import { thing } from './words';

/** Parts that a reason has no use for are empty. */
export type Objection = {
  reason: string;
  site: string | null;
  needs: string | null;
  faces: string;
  missing: string;
  number: number | null;
};

export function objection(told: unknown): string {
  const { reason, site, needs, faces, missing, number } = told as Objection;
  const what = site ? thing(site) : '';
  const first = needs ? thing(needs) : '';
  const sentences: Record<string, () => string> = {
    rolling: m.catan_why_rolling,
    stands: m.catan_why_stands,
    dice: () => m.catan_why_dice({ missing: facesInWords(missing) }),
    knight: () => m.catan_why_knight({ number: number! }),
    used: () => m.catan_why_used({ number: number! }),
    new: () => m.catan_why_new({ number: number! }),
    same: () => m.catan_why_same({ face: facesInWords(faces) }),
    face: () => m.catan_why_face({ face: facesInWords(faces) }),
    gold: m.catan_why_gold,
    built: () => m.catan_why_built({ thing: what }),
    order: () => m.catan_why_order({ needs: first, thing: what }),
    road: () => m.catan_why_road({ needs: first }),
    cost: () => m.catan_why_cost({ thing: what, missing: facesInWords(missing) }),
  };
  return capital(sentences[reason]?.() ?? '');
}
