// What the server sends and takes, until these types are generated from its own.
import type { View } from './api';

export type OptionInfo = { name: string; summary: string; default: unknown; choices: unknown[] };
export type LevelInfo = { key: string; sentence: string };
export type GameInfo = {
  key: string;
  title: string;
  summary: string;
  seats: number[];
  options: OptionInfo[];
  levels: LevelInfo[];
  ready: boolean;
};

export type Me = { player: string; name: string };
export type TableSummary = {
  id: string;
  game: string;
  options: Record<string, unknown>;
  state: TableState['state'];
  seats: { name: string | null }[];
  clock: Pace | null;
  /** Whether it is the asker's turn. */
  yours: boolean;
  mine: boolean;
  scores: number[];
};
export type PastMatch = {
  id: string;
  game: string;
  ended: string;
  players: string[];
  scores: number[];
  winners: number[];
  seat: number;
};

export type Pace = { kind: 'none' | 'match' | 'days'; minutes?: number; increment?: number; days?: number };
export type SeatWish = { kind: 'me' | 'open' | 'invite' | 'bot'; level?: string };
export type NewTable = {
  game: string;
  options: Record<string, unknown>;
  seats: SeatWish[];
  public: boolean;
  clock: Pace;
  takeback: boolean;
  hints: boolean;
  rated: boolean;
  order: 'lot' | 'fixed';
};

export type SeatState = {
  kind: 'open' | 'invite' | 'person' | 'bot';
  name: string | null;
  player: string | null;
  level: string | null;
  connected: boolean;
  resigned: boolean;
  /** Seconds since the player was last seen; none while connected. */
  away: number | null;
};
export type ClockState = { running: number | null; left: number[]; at: number };
export type Offer = { kind: 'takeback' | 'draw' | 'rematch'; by: number; sentence?: string };
export type ChatLine = { name: string; text: string; at: number };
export type MatchState = { view: View; legal: string[]; log_from: number; log: string[] };
export type Result = {
  scores: number[];
  winners: number[];
  reason: 'played' | 'resigned' | 'time' | 'draw';
  next?: string;
};

/** A table whole, on every change. */
export type TableState = {
  type: 'table';
  id: string;
  version: number;
  game: string;
  state: 'open' | 'preparing' | 'running' | 'over';
  seats: SeatState[];
  mine: number[];
  owner: boolean;
  watchers: string[];
  pace: Pace;
  rated: boolean;
  takeback: boolean;
  hints: boolean;
  clock: ClockState | null;
  offers: Offer[];
  chat: ChatLine[];
  match: MatchState | null;
  result: Result | null;
};
export type Answer = {
  type: 'answer';
  id: string;
  ok: boolean;
  ply?: number;
  code?: string;
  sentence?: string;
  hint?: string;
};

export type Command =
  | { type: 'play'; ply: number; move: string }
  | { type: 'sit'; seat: number }
  | { type: 'leave' }
  | { type: 'start' }
  | { type: 'offer'; kind: Offer['kind'] }
  | { type: 'answer'; kind: Offer['kind']; accept: boolean }
  | { type: 'resign' }
  | { type: 'handover'; seat: number }
  | { type: 'chat'; text: string }
  | { type: 'hint' };
