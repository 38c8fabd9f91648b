// Tables to join, to watch and to go on with, as soon as they change.
import type { FromLobby, Lobby, Refused } from './api';
import { heard } from './lobby-changes';
import { Line, type LineState } from '../sources/line';

export class LiveLobby {
  lobby: Lobby | null = $state.raw(null);
  link: LineState = $state('connecting');
  /** Why one is not let in. */
  failed: Refused | null = $state.raw(null);
  #line: Line;

  constructor() {
    this.#line = new Line({
      path: () => '/api/live',
      beat: { type: 'ping' },
      turned: (link) => (this.link = link),
      received: (message) => {
        const told = message as FromLobby;
        if (told.type === 'refused') this.failed = told;
        else this.lobby = heard(this.lobby, told);
      },
    });
  }

  close(): void {
    this.#line.close();
  }
}
