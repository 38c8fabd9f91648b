// One's decisions alone at a table beside the best ones, as far as they have been asked for.
import * as m from '$messages';
import type { CoachView, Judged } from '$lib/api';
import type { LogEntry } from '$lib/board';
import { decimal } from '$lib/format';

const NOTHING = 0.05; // points; less is told as nothing

export class Coach {
  state: 'new' | 'unsolved' | 'solved' | 'failed' = $state('new');
  decisions: Judged[] = $state.raw([]);
  #ply = 0; // up to which they are known
  #asking: Promise<void> = Promise.resolve();

  /** Ask for what is new at this ply, one question after the other; forget what was taken back. */
  ask(ply: number, coach: (since: number) => Promise<CoachView>): void {
    this.#asking = this.#asking.then(() => this.#ask(ply, coach));
  }

  async #ask(ply: number, coach: (since: number) => Promise<CoachView>): Promise<void> {
    if (ply < this.#ply) {
      this.#ply = ply;
      this.decisions = this.decisions.filter((decision) => decision.ply < ply);
    }
    if (ply === this.#ply) return;
    try {
      const found = await coach(this.#ply);
      this.state = found.solved ? 'solved' : 'unsolved';
      if (!found.solved) return;
      this.#ply = found.ply;
      this.decisions = [...this.decisions, ...found.decisions];
    } catch {
      this.state = 'failed';
    }
  }
}

type Advice = (move: string) => string;

/** What the decisions of each of the log's entries lost, in words; by the entry's ply. */
export function verdicts(entries: LogEntry[], decisions: Judged[], advice: Advice): Map<number, string> {
  const told = new Map<number, string>();
  entries.forEach(({ ply }, i) => {
    const after = entries[i - 1]?.ply ?? -1;
    const own = decisions.filter((decision) => after < decision.ply && decision.ply <= ply);
    if (own.length) told.set(ply, verdict(own, advice));
  });
  return told;
}

const sum = (decisions: Judged[]) => decisions.reduce((total, { loss }) => total + loss, 0);

function verdict(decisions: Judged[], advice: Advice): string {
  const loss = sum(decisions);
  if (loss < NOTHING) return m.coach_best();
  const worst = decisions.reduce((a, b) => (b.loss > a.loss ? b : a));
  return m.coach_loss({ points: decimal(loss), best: advice(worst.best) });
}

export const inAll = (decisions: Judged[]) => m.coach_total({ points: decimal(sum(decisions)) });
