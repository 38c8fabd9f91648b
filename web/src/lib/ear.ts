// Lets a table be heard: waits for the first gesture, then for what happens.
import { heard, type Moment } from './hearing';
import { settings } from './settings.svelte';

const GESTURES = ['pointerup', 'keydown'] as const;

/** Listens until it is told to stop; `hear` is given every moment of the table. */
export function ear(): { hear: (moment: Moment) => void; stop: () => void } {
  let sounds: typeof import('./sounds') | undefined;
  let before: Moment = { table: null, log: [], sent: null, refusal: null };
  const forget = () => GESTURES.forEach((gesture) => removeEventListener(gesture, wake));
  const wake = async () => {
    if (!settings.sound) return;
    sounds ??= await import('./sounds');
    if (sounds.wake()) forget();
  };
  GESTURES.forEach((gesture) => addEventListener(gesture, wake));
  return {
    hear: (after) => {
      const wanted = heard(before, after);
      before = after;
      if (settings.sound && wanted.length) sounds?.sound(wanted);
    },
    stop: forget,
  };
}
