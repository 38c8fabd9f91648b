// What a player chose on this device.
import type { Pace } from '../moments/moments.svelte';

export type Theme = 'system' | 'light' | 'dark';

const read = (key: string) => localStorage.getItem(key);

class Settings {
  #theme: Theme = $state((read('theme') as Theme | null) ?? 'system');
  #chat = $state(read('chat') !== 'off');
  #coach = $state(read('coach') === 'on');
  #sound = $state(read('sound') !== 'off');
  #pace: Pace = $state((read('pace') as Pace | null) ?? 'normal');
  #notation = $state(read('notation') === 'on');

  get theme(): Theme {
    return this.#theme;
  }
  set theme(theme: Theme) {
    this.#theme = theme;
    if (theme === 'system') {
      localStorage.removeItem('theme');
      delete document.documentElement.dataset['theme'];
    } else {
      localStorage.setItem('theme', theme);
      document.documentElement.dataset['theme'] = theme;
    }
  }
  get isDark(): boolean {
    return this.#theme === 'system' ? matchMedia('(prefers-color-scheme: dark)').matches : this.#theme === 'dark';
  }
  get chat(): boolean {
    return this.#chat;
  }
  set chat(on: boolean) {
    this.#chat = on;
    localStorage.setItem('chat', on ? 'on' : 'off');
  }
  /** Whether one's choices alone at a table are compared with the best ones. */
  get coach(): boolean {
    return this.#coach;
  }
  set coach(on: boolean) {
    this.#coach = on;
    localStorage.setItem('coach', on ? 'on' : 'off');
  }
  get sound(): boolean {
    return this.#sound;
  }
  set sound(on: boolean) {
    this.#sound = on;
    localStorage.setItem('sound', on ? 'on' : 'off');
  }
  /** How long what others do is shown. */
  get pace(): Pace {
    return this.#pace;
  }
  set pace(pace: Pace) {
    this.#pace = pace;
    localStorage.setItem('pace', pace);
  }
  /** Whether moves are written in notation, too. */
  get notation(): boolean {
    return this.#notation;
  }
  set notation(on: boolean) {
    this.#notation = on;
    localStorage.setItem('notation', on ? 'on' : 'off');
  }
}

export const settings = new Settings();
