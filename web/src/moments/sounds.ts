// The sounds themselves, made from sines and noise when they are wanted. Loaded with the first gesture,
// before which browsers let no page be heard.
import type { Sound } from './moments.svelte';

type Note = { at: number; hertz: number; seconds: number; level: number; falls?: number; shape?: OscillatorType };
type Knock = { at: number; hertz: number; seconds: number; level: number };
type Score = { notes?: Note[]; knocks?: Knock[]; seconds: number };

const [D4, G4, C5, E5, G5, A5, C6, E6] = [293.66, 392, 523.25, 659.25, 783.99, 880, 1046.5, 1318.5];
const bell = (at: number, hertz: number, level: number, seconds = 0.5): Note[] => [
  { at, hertz, seconds, level },
  { at, hertz: hertz * 2.01, seconds: seconds * 0.5, level: level * 0.3 },
];
const wood = (at: number, hertz: number, level: number): Score => ({
  notes: [{ at, hertz, falls: hertz * 0.6, seconds: 0.09, level }],
  knocks: [{ at, hertz: hertz * 9, seconds: 0.035, level: level * 0.8 }],
  seconds: 0.12,
});

const SCORES: Record<Sound, Score> = {
  own: wood(0, 240, 0.5),
  other: wood(0, 180, 0.4),
  dice: {
    knocks: [0, 0.07, 0.12, 0.2, 0.26, 0.36, 0.43].map((at, i) => ({
      at,
      hertz: 2600 - 180 * i + 400 * (i % 2),
      seconds: 0.03,
      level: 0.45 - 0.04 * i,
    })),
    seconds: 0.5,
  },
  points: { notes: [...bell(0, C6, 0.14, 0.3), ...bell(0.08, E6, 0.14, 0.4)], seconds: 0.3 },
  turn: { notes: [...bell(0, E5, 0.14), ...bell(0.11, A5, 0.14)], seconds: 0.5 },
  won: {
    notes: [C5, E5, G5, C6].flatMap((hertz, i) => bell(i * 0.11, hertz, 0.2, i === 3 ? 1.2 : 0.6)),
    seconds: 1.4,
  },
  over: { notes: [...bell(0, G4, 0.2, 0.6), ...bell(0.16, D4, 0.2, 0.9)], seconds: 1 },
  refused: {
    notes: [0, 0.11].map((at) => ({ at, hertz: 130, falls: 95, seconds: 0.1, level: 0.4, shape: 'triangle' as const })),
    seconds: 0.25,
  },
};

const context = new AudioContext();
const noise = makeNoise();
let free = 0; // when the last sound has been heard

/** To be called in a gesture; whether sounds can be heard by now. */
export function wake(): boolean {
  if (context.state !== 'running') void context.resume();
  return context.state === 'running';
}

/** One after the other; what would come too late is left out. */
export function sound(wanted: Sound[]): void {
  if (!wake()) return;
  let at = Math.max(context.currentTime + 0.01, free);
  for (const name of wanted) {
    if (at - context.currentTime > 1) return;
    const { notes = [], knocks = [], seconds } = SCORES[name];
    notes.forEach((note) => ring(at, note));
    knocks.forEach((knock) => strike(at, knock));
    free = at += seconds * 0.8;
  }
}

function ring(start: number, { at, hertz, seconds, level, falls, shape = 'sine' }: Note): void {
  const oscillator = new OscillatorNode(context, { type: shape, frequency: hertz });
  if (falls) oscillator.frequency.exponentialRampToValueAtTime(falls, start + at + seconds);
  oscillator.connect(envelope(start + at, seconds, level));
  oscillator.start(start + at);
  oscillator.stop(start + at + seconds);
}

function strike(start: number, { at, hertz, seconds, level }: Knock): void {
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  const filter = new BiquadFilterNode(context, { type: 'bandpass', frequency: hertz, Q: 2 });
  source.connect(filter).connect(envelope(start + at, seconds, level));
  source.start(start + at, 0, seconds);
}

/** There at once, then fading. */
function envelope(start: number, seconds: number, level: number): AudioNode {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(level * 0.5, start + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  gain.connect(context.destination);
  return gain;
}

function makeNoise(): AudioBuffer {
  const buffer = new AudioBuffer({ length: context.sampleRate * 0.1, sampleRate: context.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
