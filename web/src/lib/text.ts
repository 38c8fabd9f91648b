import { getLocale } from '../generated/paraglide/runtime.js';

/** A sentence's first letter large; a cell's name, such as j5, stays as it is. */
export const capital = (text: string) =>
  /^[a-z]\d/.test(text) ? text : text.charAt(0).toLocaleUpperCase(getLocale()) + text.slice(1);
