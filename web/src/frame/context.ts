// What the frame's parts know of each other without handing it through every board.
import { getContext, setContext, type Snippet } from 'svelte';
import type { GamePage } from '$lib/board';
import type { Moments } from '../moments/moments.svelte';

export type FrameContext = {
  readonly moments: Moments;
  readonly game: GamePage;
  readonly names: string[];
  /** Who is thinking elsewhere, for how long nothing has come; null while it is one's own turn. */
  readonly waitingFor: number | null;
  /** At a shared device: whose hand is covered. */
  readonly covered: number | null;
  uncover(): void;
  /** The result is shown: there is nothing left to do. */
  readonly isEnded: boolean;
  /** A match is looked back at: boards show what was, and ask for nothing. */
  readonly isReview?: boolean;
  /** Next to confirming: take back, hint, resign. */
  readonly actions: Snippet | undefined;
};

const KEY = Symbol('frame');
export const setFrame = (frame: FrameContext) => setContext(KEY, frame);
/** Outside a frame a board is a picture: `undefined`. */
export const useFrame = () => getContext<FrameContext | undefined>(KEY);
