// Tables to join, to watch and to go on with, as soon as they change.
import type { FromLobby, Lobby } from './api';
import { heard } from './lobby-changes';
import { Line, type LineState } from '../sources/line';

export class LiveLobby {
  lobby: Lobby | null = $state.raw(null);
  link: LineState = $state('connecting');
  #line: Line;

  constructor() {
    this.#line = new Line({
      path: () => '/api/live',
      beat: { type: 'ping' },
      turned: (link) => (this.link = link),
      received: (message) => (this.lobby = heard(this.lobby, message as FromLobby)),
    });
  }

  close(): void {
    this.#line.close();
  }
}
