import { getLocale } from '../generated/paraglide/runtime.js';

/** A sentence's first letter large. */
export const capital = (text: string) => text.charAt(0).toLocaleUpperCase(getLocale()) + text.slice(1);
