// Numbers, dates, durations and lists as they are written in the page's language.
import { getLocale } from '../generated/paraglide/runtime.js';

export const DAY = 86_400; // seconds

/** The browser's own variant of the language, such as de-AT; some browsers list what Intl refuses. */
const tag = () => {
  const locale = getLocale();
  const isVariant = (preferred: string) => RegExp(`^${locale}(-[a-z0-9]+)*$`, 'i').test(preferred);
  return navigator.languages.find(isVariant) ?? locale;
};

export const number = (value: number) => new Intl.NumberFormat(tag()).format(value);

/** Always one digit after the point. */
export const decimal = (value: number) =>
  new Intl.NumberFormat(tag(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);

/** With a digit after the point unless it is whole. */
export const real = (value: number) =>
  new Intl.NumberFormat(tag(), { minimumFractionDigits: Number.isInteger(value) ? 0 : 1, maximumFractionDigits: 1 })
    .format(value)
    .replace('-', '−');

/** Of 100. */
export const percent = (value: number) =>
  new Intl.NumberFormat(tag(), { style: 'percent', maximumFractionDigits: 0 }).format(value / 100).replace('-', '−');

/** A difference with its sign, as per cent, whole from a hundred on, else in tenths. */
export function signed(value: number, isPercent = false): string {
  const digits = isPercent || Math.abs(value) >= 99.95 ? 0 : 1;
  const form = new Intl.NumberFormat(tag(), {
    style: isPercent ? 'percent' : 'decimal',
    signDisplay: 'exceptZero',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return form.format(isPercent ? value / 100 : value).replace('-', '−');
}

export const date = (seconds: number) => new Intl.DateTimeFormat(tag()).format(new Date(seconds * 1000));

/** A day as one speaks of it: "14:20" today, "yesterday", "10 November". */
export function spoken(seconds: number, now = Date.now()): string {
  const [at, today] = [new Date(seconds * 1000), new Date(now)];
  const days = Math.round((midnight(at) - midnight(today)) / (DAY * 1000));
  if (days === 0) return new Intl.DateTimeFormat(tag(), { timeStyle: 'short' }).format(at);
  if (Math.abs(days) === 1) return new Intl.RelativeTimeFormat(tag(), { numeric: 'auto' }).format(days, 'day');
  const isThisYear = at.getFullYear() === today.getFullYear();
  return new Intl.DateTimeFormat(
    tag(),
    isThisYear ? { day: 'numeric', month: 'long' } : { dateStyle: 'medium' },
  ).format(at);
}
const midnight = (at: Date) => new Date(at).setHours(0, 0, 0, 0);

/** "5 min", "3 days". */
export const duration = (seconds: number) =>
  seconds < DAY
    ? inUnits(Math.round(seconds / 60), { unit: 'minute', unitDisplay: 'short' })
    : inUnits(Math.floor(seconds / DAY), { unit: 'day', unitDisplay: 'long' });

const inUnits = (value: number, unit: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(tag(), { style: 'unit', ...unit }).format(value);

/** "red, blue and green". */
export const list = (items: string[]) => new Intl.ListFormat(tag()).format(items);

/** A day and an hour: "Tue 18 Nov, 18:00". */
export const moment = (seconds: number) =>
  new Intl.DateTimeFormat(tag(), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(seconds * 1000));

/** What is left, in the two units that matter: "2 days 4 hr", "3 hr 5 min", "4 min". */
export function remaining(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const short = (value: number, unit: string) => inUnits(value, { unit, unitDisplay: 'short' });
  if (days) return [short(days, 'day'), ...(hours ? [short(hours, 'hour')] : [])].join(' ');
  return [...(hours ? [short(hours, 'hour')] : []), short(rest, 'minute')].join(' ');
}
