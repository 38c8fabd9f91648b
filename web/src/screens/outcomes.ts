// How matches ended for somebody.
import * as m from '$messages';
import type { Past, Profile } from '$lib/api';

export function outcomeText({ outcome, place, score }: Past): string {
  const TEXTS: Record<string, () => string> = {
    won: m.outcome_won,
    shared: m.outcome_shared,
    drawn: m.outcome_drawn,
    alone: () => m.outcome_alone({ count: score }),
    dropped: m.outcome_dropped,
  };
  return TEXTS[outcome]?.() ?? m.outcome_place({ place: place + 1 });
}

/** "12 played, 5 won"; what is played alone is neither won nor lost, what was broken off not played. */
export function countText({ counts }: Profile): string {
  const of = (...outcomes: string[]) =>
    Object.values(counts)
      .flatMap((each) => Object.entries(each))
      .reduce((sum, [outcome, count]) => (outcomes.includes(outcome) ? sum + count : sum), 0);
  return m.profile_count({ count: of('won', 'shared', 'drawn', 'lost', 'alone'), won: of('won', 'shared') });
}
