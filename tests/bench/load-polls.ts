import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from './figures.ts';
import { type LoadBrowser, openLoadBrowser, type Timed } from './load-browser.ts';

type Poll = { path: string; everyMs: number };

/** As the web app polls (apps/web/src/api). */
const dashboard: readonly Poll[] = [
  { path: '/api/dashboard/stats', everyMs: 5_000 },
  { path: '/api/dashboard/activity', everyMs: 5_000 },
  { path: '/api/dashboard/current', everyMs: 2_000 },
];
const queue: readonly Poll[] = [
  { path: '/api/queue', everyMs: 2_000 },
  { path: '/api/dashboard/current', everyMs: 5_000 },
];
const importPolls = (id: string): readonly Poll[] => [{ path: `/api/queue/${id}`, everyMs: 2_000 }];

/** Seven of ten browsers show the dashboard, two the queue, and one an import. */
const screenOf = (nth: number, id: string): readonly Poll[] => {
  const share = nth % 10;
  if (share < 7) return dashboard;
  return share < 9 ? queue : importPolls(id);
};

/** Of this many browsers one also opens a page of rows and searches, every 20 s. */
const actingShare = 100;
const actEveryMs = 20_000;

export type Met = { polls: Timed[]; actions: Timed[]; seconds: number };

/** Lets each cookie's browser poll its screen, spread evenly, while `work` runs. */
export async function browse(
  at: { ports: readonly number[]; cookies: readonly string[]; id: string },
  work: () => Promise<unknown>,
): Promise<Met> {
  const browsers: LoadBrowser[] = [];
  for (const cookie of at.cookies) browsers.push(await openLoadBrowser(at.ports, cookie));
  const met: Met = { polls: [], actions: [], seconds: 0 };
  const begun = performance.now();
  const stop = new AbortController();
  const repeat = async (browser: LoadBrowser, { path, everyMs }: Poll, offset: number, into: Timed[]) => {
    for (let due = begun + offset * everyMs; !stop.signal.aborted; due += everyMs) {
      const isDue = await pause(Math.max(1, due - performance.now()), true, { signal: stop.signal }).catch(
        () => false,
      );
      if (!isDue) return;
      // A timer may fire a little early.
      into.push(await browser.ask(path, Math.min(due, performance.now())));
    }
  };
  const loops = browsers.flatMap((browser, nth) => {
    const offset = nth / browsers.length;
    const polls = screenOf(nth, at.id).map((poll) => repeat(browser, poll, offset, met.polls));
    if (nth % actingShare !== 0) return polls;
    const actions = [`/api/queue/${at.id}/rows?limit=25`, `/api/queue/${at.id}/rows?limit=25&q=vase`];
    const acts = actions.map((path) => repeat(browser, { path, everyMs: actEveryMs }, offset, met.actions));
    return [...polls, ...acts];
  });
  await work();
  met.seconds = (performance.now() - begun) / 1000;
  stop.abort();
  await Promise.all(loops);
  for (const browser of browsers) browser.end();
  return met;
}

/** The figures with their bars, one per line. */
export function describeMet({ polls, actions, seconds }: Met): string {
  const ms = (figures: Timed[], percent: number) =>
    `${percentile(
      figures.map(({ tookMs }) => tookMs),
      percent,
    ).toFixed(1)} ms`;
  const all = [...polls, ...actions];
  const failed = all.filter(({ status }) => status === 0 || status >= 500);
  const refused = all.filter(({ status }) => status >= 400 && status < 500);
  const unchanged = polls.filter(({ status }) => status === 304).length;
  const lines = [
    `  ${polls.length} polls in ${seconds.toFixed(0)} s (${Math.round((100 * unchanged) / polls.length)} % 304): p50 ${ms(polls, 50)} (bar 10), p99 ${ms(polls, 99)} (bar 100), slowest ${ms(polls, 100)} (bar 2000)`,
    `  ${failed.length} failed or 5xx (bar 0)${failed[0] ? `, first: ${failed[0].status} ${failed[0].path}` : ''}, ${refused.length} refused (bar 0)${refused[0] ? `, first: ${refused[0].status} ${refused[0].path}` : ''}`,
  ];
  if (actions.length > 0)
    lines.push(`  ${actions.length} pages of rows and searches: p99 ${ms(actions, 99)} (bar 1000)`);
  return lines.join('\n');
}
