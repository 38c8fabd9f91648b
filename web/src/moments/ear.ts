// Lets a table be heard: waits for the first gesture, then for what happens.
import { settings } from '$lib/settings.svelte';
import type { Sound } from './moments.svelte';

const GESTURES = ['pointerup', 'keydown'] as const;

/** Listens until it is told to stop; `hear` is given every sound as it happens. */
export function ear(): { hear: (sound: Sound) => void; stop: () => void } {
  let sounds: typeof import('./sounds') | undefined;
  const forget = () => GESTURES.forEach((gesture) => removeEventListener(gesture, wake));
  const wake = async () => {
    if (!settings.sound) return;
    sounds ??= await import('./sounds');
    if (sounds.wake()) forget();
  };
  GESTURES.forEach((gesture) => addEventListener(gesture, wake));
  return {
    hear: (sound) => {
      if (settings.sound) sounds?.sound([sound]);
    },
    stop: forget,
  };
}
