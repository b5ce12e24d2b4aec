import { setTimeout as pause } from 'node:timers/promises';
import type { FairnessCalls } from './fairness-calls.ts';
import { percentile } from './figures.ts';

const pollers = 10;
const pollEveryMs = 20;
const actionEveryMs = 250;

type Answer = { what: string; status: number; tookMs: number };

/** Answers to polls and actions while large work runs. */
export type Met = { polls: Answer[]; actions: Answer[] };

/**
 * Polls the queue and does operator actions, one after the other, while `work` runs: pauses and resumes the large
 * import, edits a row of the small one, and tries actions that must be refused.
 */
export async function meanwhile(
  calls: FairnessCalls,
  { large, small }: { large: string; small: string },
  work: () => Promise<unknown>,
): Promise<Met> {
  const met: Met = { polls: [], actions: [] };
  let going = true;
  const working = work().finally(() => {
    going = false;
  });
  const poll = async () => {
    while (going) {
      const due = performance.now() + pollEveryMs;
      const { status, tookMs } = await calls.call('GET', '/api/queue');
      met.polls.push({ what: 'GET /api/queue', status, tookMs });
      await pause(Math.max(1, due - performance.now()));
    }
  };
  const actions = [
    ['pause the large import', 'POST', `/api/queue/${large}/pause`],
    ['resume the large import', 'POST', `/api/queue/${large}/resume`],
    ['edit a row of another import', 'PATCH', `/api/queue/${small}/rows/2`],
    ['mark the large import as ready', 'POST', `/api/queue/${large}/ready`],
    ['mark another import as ready', 'POST', `/api/queue/${small}/ready`],
  ] as const;
  const act = async () => {
    for (let nth = 0; going; nth += 1) {
      const [what, method, path] = actions[nth % actions.length] ?? actions[0];
      const body = method === 'PATCH' ? { values: { price: `${nth}.50` } } : undefined;
      const { status, tookMs } = await calls.call(method, path, body);
      met.actions.push({ what, status, tookMs });
      await pause(actionEveryMs);
    }
    // The work may have ended right after the last pause.
    await calls.call('POST', `/api/queue/${large}/resume`);
  };
  await Promise.all([working, act(), ...Array.from({ length: pollers }, poll)]);
  return met;
}

/** The figures, one per line. */
export function describeMet({ polls, actions }: Met): string {
  const times = polls.map(({ tookMs }) => tookMs);
  const broken = [...polls, ...actions].filter(({ status }) => status >= 500);
  const slowest = actions.toSorted((a, b) => b.tookMs - a.tookMs)[0];
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return `  ${polls.length} polls      p50 ${ms(percentile(times, 50))}, p99 ${ms(percentile(times, 99))} (target 500 ms), slowest ${ms(percentile(times, 100))}
  ${actions.length} actions    slowest ${slowest ? `${ms(slowest.tookMs)}: ${slowest.what}, ${slowest.status}` : 'none'} (target 3 s)
  5xx answers  ${broken.length} (target 0)${broken[0] ? `, first ${broken[0].what}: ${broken[0].status}` : ''}`;
}
