// Tables to join, to watch and to go on with, as soon as they change.
import type { Lobby } from './api';
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
      received: (message) => {
        if ((message as Lobby).type === 'lobby') this.lobby = message as Lobby;
      },
    });
  }

  close(): void {
    this.#line.close();
  }
}
