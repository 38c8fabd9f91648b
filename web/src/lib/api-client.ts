// The server over HTTP: one function a request. Refusals are thrown with their code and sentence.
import type { GameInfo, Me, NewTable, PastMatch, TableSummary } from './server';

export class Refused extends Error {
  constructor(
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

async function ask<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await fetch(`/api${path}`, { method, ...sent }).catch(() => {
    throw new Refused('offline', '');
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(answer.code ?? String(response.status), answer.sentence ?? '');
  return answer as T;
}

export const api = {
  games: () => ask<GameInfo[]>('/games'),
  me: () => ask<Me>('/me'),
  rename: (name: string) => ask<Me>('/me', 'PATCH', { name }),
  tables: () => ask<TableSummary[]>('/tables'),
  openTable: (wish: NewTable) => ask<{ id: string }>('/tables', 'POST', wish),
  history: () => ask<PastMatch[]>('/me/matches'),
};
