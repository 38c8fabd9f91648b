// Whether this device tells its owner of turns at tables where one plays over days. Asked for by a
// click and never before; what it takes is loaded when it is wanted.
import { api } from './api-client';

export type Consent = 'unable' | 'refused' | 'off' | 'on';

const isAble = 'Notification' in globalThis && 'serviceWorker' in navigator;

class Notifying {
  #isWanted = $state(localStorage.getItem('notify') === 'on');
  #permission: NotificationPermission = $state(isAble ? Notification.permission : 'default');
  /** Whether it reaches one while the page is closed; null as long as that is not known. */
  isPushed: boolean | null = $state(null);
  /** The game at whose table it is one's turn. */
  awaited: string | null = $state(null);

  /** Changes with the person whom this device belongs to. */
  owner = $state(0);

  changeOwner(): void {
    this.owner += 1;
    this.awaited = null;
  }

  get consent(): Consent {
    if (!isAble) return 'unable';
    if (this.#permission === 'denied') return 'refused';
    return this.#permission === 'granted' && this.#isWanted ? 'on' : 'off';
  }

  /** To be called in a click: the browser asks, too. */
  async start(): Promise<void> {
    this.#permission = await Notification.requestPermission();
    if (this.#permission === 'granted') this.#want(true);
  }

  async stop(): Promise<void> {
    this.#want(false);
    this.awaited = null;
    const registration = await navigator.serviceWorker.getRegistration();
    const subscription = await registration?.pushManager?.getSubscription();
    if (!subscription) return;
    await subscription.unsubscribe();
    await api.dropPush(subscription.endpoint);
  }

  #want(on: boolean): void {
    this.#isWanted = on;
    localStorage.setItem('notify', on ? 'on' : 'off');
  }
}

export const notifying = new Notifying();
