// Small colour arithmetic for shading drawn pieces.
const channels = (colour: string) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

export function mix(from: string, to: string, share: number): string {
  const target = channels(to);
  const mixed = channels(from).map((value, i) => Math.round(value + (target[i]! - value) * share));
  return '#' + mixed.map((value) => value.toString(16).padStart(2, '0')).join('');
}

/** A ramp of five colours read at 0…1. */
export function shade(ramp: readonly string[], at: number): string {
  const place = Math.max(0, Math.min(0.999, at)) * (ramp.length - 1);
  const step = Math.floor(place);
  return mix(ramp[step]!, ramp[step + 1]!, place - step);
}
