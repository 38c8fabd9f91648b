// A game's introduction, as tools/lessons.py writes it. Texts are messages of the catalogue.
import type { View } from './api';

export type Text = () => string;
export type Position = { view: View; legal: string[]; log: string[] };
export type Section = { title: Text; text: Text; frames: Position[] };

/** One step of a first match: something to look at, or something to play. */
export type Step = Position & {
  /** Which part of the lesson it belongs to; the ways through it may part. */
  beat: number;
  text: Text;
  /** Where "go on" leads; null at the end. */
  next?: number | null;
  /** Where each right move leads. */
  right?: Record<string, number>;
  /** What to say to other moves. */
  wrong?: { text: Text; moves: string[] }[];
  otherwise?: Text | null;
};

export type Lesson = { lead: Text; sections: Section[]; steps: Step[]; tips: Text[] };
