// How strong a bot one likes to play, for each game, on this device.
import type { GameInfo } from './api';
import { middleLevel, type Level } from './wishes';

const KEY = 'levels';

class Levels {
  #chosen: Record<string, unknown> = $state(read());

  /** The level chosen last, if the game still has it. */
  of(game: GameInfo): Level {
    const chosen = this.#chosen[game.key];
    return game.levels.some(({ level }) => level === chosen) ? (chosen as Level) : middleLevel(game);
  }
  choose(game: GameInfo, level: string): void {
    this.#chosen[game.key] = level;
    localStorage.setItem(KEY, JSON.stringify(this.#chosen));
  }
}

function read(): Record<string, unknown> {
  try {
    return { ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return {};
  }
}

export const levels = new Levels();
