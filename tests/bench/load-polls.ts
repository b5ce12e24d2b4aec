import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from './figures.ts';
import { openLoadBrowser, type Timed } from './load-browser.ts';
import type { Screen } from './load-screens.ts';
import { forgetPeakMemory, peakMemoryMb, processorSeconds } from './processor.ts';

/** Of this many browsers one also opens a page of rows and searches, every 20 s. */
const actingShare = 100;
const actEveryMs = 20_000;

/** After the last browser has come, the arrival lasts until its polls have begun. */
const settleMs = 5_000;

/** How often this process looks how late it is. */
const loopEveryMs = 1;

type Api = { port: number; pid: number };
type ApiUse = { share: number; peakMb: number | undefined };
type Phase = {
  files: Timed[];
  reads: Timed[];
  polls: Timed[];
  actions: Timed[];
  seconds: number;
  apis: ApiUse[];
  /** The 99th percentile of what this process itself was late by, which is in all times. */
  ownMs: number;
};

/** Everything that was asked for, by when it was due: while browsers arrived, or afterwards. */
type Met = { arrival: Phase; steady: Phase };

type Load = {
  apis: readonly Api[];
  cookies: readonly string[];
  screens: readonly Screen[];
  /** The import that some browsers show. */
  id: string;
  /** All browsers arrive within this time, evenly. */
  arriveMs: number;
  /** The steady state lasts at least this long. */
  steadyMs: number;
};

/** Lets each cookie's browser open its screen with an empty cache and poll while `work` runs. */
export async function browse(load: Load, work: () => Promise<unknown>): Promise<Met> {
  const { apis, cookies, arriveMs, id } = load;
  const met: Met = { arrival: emptyPhase(), steady: emptyPhase() };
  const measured = measureApis(apis);
  const own = monitorEventLoopDelay({ resolution: loopEveryMs });
  own.enable();
  const endPhase = (phase: Phase) => {
    phase.apis = measured.sinceLast();
    phase.ownMs = own.percentile(99) / 1e6 - loopEveryMs;
    own.reset();
  };
  const begun = performance.now();
  const steadyFrom = begun + arriveMs + settleMs;
  const phaseAt = (due: number) => (due < steadyFrom ? met.arrival : met.steady);
  const stop = new AbortController();
  const until = (due: number) =>
    pause(Math.max(1, due - performance.now()), true, { signal: stop.signal }).catch(() => false);

  const live = async (cookie: string, nth: number): Promise<void> => {
    const arrives = begun + (nth / cookies.length) * arriveMs;
    if (!(await until(arrives))) return;
    const screen = load.screens[nth % load.screens.length] as Screen;
    const browser = await openLoadBrowser(
      apis.map(({ port }) => port),
      cookie,
    );
    const ask = async (path: string, due: number, into: 'files' | 'reads' | 'polls' | 'actions') => {
      // A timer may fire a little early.
      phaseAt(due)[into].push(await browser.ask(path, Math.min(due, performance.now())));
    };
    const repeat = async (path: string, everyMs: number, from: number, into: 'polls' | 'actions') => {
      // As the web app does: the time until the next poll begins with the reply.
      for (let due = from; await until(due); due = performance.now() + everyMs) await ask(path, due, into);
    };
    for (const path of screen.files) await ask(path, performance.now(), 'files');
    for (const path of screen.reads) await ask(path, performance.now(), 'reads');
    const opened = performance.now();
    const loops = screen.polls.map(({ path, everyMs }) => repeat(path, everyMs, opened + everyMs, 'polls'));
    if (nth % actingShare === 0) {
      const rows = `/api/queue/${id}/rows?limit=25`;
      for (const path of [rows, `${rows}&q=vase`]) loops.push(repeat(path, actEveryMs, opened, 'actions'));
    }
    await Promise.all(loops);
    browser.end();
  };

  const lives = cookies.map(live);
  const arrived = until(steadyFrom).then(() => {
    endPhase(met.arrival);
    met.arrival.seconds = (performance.now() - begun) / 1000;
  });
  await Promise.all([work(), arrived, until(steadyFrom + load.steadyMs)]);
  endPhase(met.steady);
  own.disable();
  met.steady.seconds = (performance.now() - begun) / 1000 - met.arrival.seconds;
  stop.abort();
  await Promise.all(lives);
  return met;
}

const emptyPhase = (): Phase => ({
  files: [],
  reads: [],
  polls: [],
  actions: [],
  seconds: 0,
  apis: [],
  ownMs: 0,
});

/** Processor time and peak memory of each api since the last look. */
export function measureApis(apis: readonly Api[]): { sinceLast(): ApiUse[] } {
  let at = performance.now();
  let used = apis.map(({ pid }) => processorSeconds(pid));
  for (const { pid } of apis) forgetPeakMemory(pid);
  return {
    sinceLast() {
      const seconds = (performance.now() - at) / 1000;
      const now = apis.map(({ pid }) => processorSeconds(pid));
      const uses = apis.map(({ pid }, nth) => ({
        share: ((now[nth] ?? 0) - (used[nth] ?? 0)) / seconds,
        peakMb: peakMemoryMb(pid),
      }));
      for (const { pid } of apis) forgetPeakMemory(pid);
      at = performance.now();
      used = now;
      return uses;
    },
  };
}

/** The figures with their bars, one per line. */
export function describeMet({ arrival, steady }: Met): string {
  return [...describePhase('arrival', arrival), ...describePhase('afterwards', steady)].join('\n');
}

function describePhase(name: string, phase: Phase): string[] {
  const { files, reads, polls, actions, seconds, apis, ownMs } = phase;
  const all = [...files, ...reads, ...polls, ...actions];
  const failed = all.filter(({ status }) => status === 0 || status >= 500);
  const refused = all.filter(({ status }) => status >= 400 && status < 500);
  const first = (of: Timed[]) => (of[0] ? `, first: ${of[0].status} ${of[0].path}` : '');
  const asked: [string, Timed[], string][] = [
    ['files of pages', files, ''],
    ['first reads', reads, ''],
    ['polls', polls, ' (bars 10, 100, 2000)'],
    ['pages of rows and searches', actions, ' (bar for p99: 1000)'],
  ];
  return [
    `  ${name}, ${seconds.toFixed(0)} s`,
    ...asked.flatMap(([what, of, bars]) =>
      of.length === 0 ? [] : [`    ${what}: ${describeTimes(of)}${bars}`],
    ),
    `    ${failed.length} failed or 5xx (bar 0)${first(failed)}, ${refused.length} refused (bar 0)${first(refused)}`,
    `    api: ${describeUse(apis)}`,
    `    the load itself: late by p99 ${ownMs.toFixed(1)} ms`,
  ];
}

function describeTimes(of: Timed[]): string {
  const ms = (percent: number) =>
    percentile(
      of.map(({ tookMs }) => tookMs),
      percent,
    ).toFixed(1);
  const unchanged = of.filter(({ status }) => status === 304).length;
  const share = unchanged === 0 ? '' : ` (${Math.round((100 * unchanged) / of.length)} % 304)`;
  return `${of.length}${share}, p50 ${ms(50)} ms, p99 ${ms(99)} ms, slowest ${ms(100)} ms`;
}

export function describeUse(apis: ApiUse[]): string {
  const each = apis.map(({ share, peakMb }) => `${(share * 100).toFixed(0)} % of a core, peak ${peakMb} MB`);
  return `${each.join('; ')} (bars 25 %, 192 MB)`;
}
