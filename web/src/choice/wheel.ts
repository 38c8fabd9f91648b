// Turning a piece by the wheel: a quarter for each notch of a mouse, and one for a whole sweep over a
// trackpad, which sends dozens of events.
type Roll = { deltaY: number; deltaMode: number; timeStamp: number };

const NOTCH = 50; // pixels; no mouse sends less at once
const SWEEP = 40; // pixels on a trackpad until it is meant
const STREAM = 25; // milliseconds; a hand cannot send two notches closer to each other
const REST = 120; // milliseconds after which a sweep is over

export class Wheel {
  #last = -Infinity;
  #rolled = 0;
  #isSpent = false;

  /** Quarters to turn for an event: 1 clockwise, −1 back, or none. */
  roll({ deltaY, deltaMode, timeStamp }: Roll): number {
    const since = timeStamp - this.#last;
    this.#last = timeStamp;
    const isNotch = since > STREAM && (deltaMode !== 0 || Math.abs(deltaY) >= NOTCH);
    if (isNotch || since > REST) [this.#rolled, this.#isSpent] = [0, false];
    this.#rolled += deltaY;
    if (this.#isSpent || (!isNotch && Math.abs(this.#rolled) < SWEEP)) return 0;
    this.#isSpent = true;
    return Math.sign(this.#rolled);
  }
}
