import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startMigrated } from '../../support/services.ts';
import { createReport } from './report.ts';
import type { SeedResult } from './run-seed.ts';
import type { WorkerPlan } from './simulate-worker-main.ts';

// Seeds until one ends wrong; then its trace. Each process has a database of its own.
const { values: given } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    /** Each so many-th seed runs twice. */
    twice: { type: 'string', default: '100' },
    /** Only this scenario, by its place. */
    scenario: { type: 'string' },
    trace: { type: 'boolean', default: false },
    /** A fault of the past that is to be found. */
    'put-back': { type: 'string' },
    /** Processes that share the seeds. */
    processes: { type: 'string', default: String(availableParallelism()) },
  },
});
const seeds = Array.from({ length: Number(given.seeds) }, (_, nth) => Number(given.from) + nth);
const count = Math.min(Number(given.processes), seeds.length);
const { stop, ...services } = await startMigrated();
const since = performance.now();
const report = createReport();
const workers: ChildProcess[] = [];
try {
  await Promise.all(
    Array.from({ length: count }, (_, nth) => work(seeds.filter((_seed, at) => at % count === nth))),
  );
  const { interleavings, met, failed, steps } = report.now();
  const seconds = (performance.now() - since) / 1000;
  console.log(`${interleavings} interleavings, ${steps} steps, ${seconds.toFixed(1)} s`);
  for (const [fault, times] of [...met].sort()) console.log(`  ${fault}: ${times}`);
  if (failed) {
    console.log(`seed ${failed.seed} is wrong:\n  ${failed.wrong.join('\n  ')}`);
    process.exitCode = 1;
  }
} finally {
  await stop();
}

/** Runs seeds in a process of its own. Throws if it does not end in order. */
async function work(own: readonly number[]): Promise<void> {
  const plan: WorkerPlan = {
    ...{ services, seeds: own, twiceEvery: Number(given.twice), isTraced: given.trace },
    ...{ only: given.scenario ? Number(given.scenario) : undefined, fault: given['put-back'] },
  };
  const worker = fork(fileURLToPath(new URL('simulate-worker-main.ts', import.meta.url)), {
    env: { ...process.env, SIMULATION: JSON.stringify(plan) },
    serialization: 'advanced',
    // Most of its garbage is from one step to the next.
    execArgv: ['--max-semi-space-size=64'],
  });
  workers.push(worker);
  worker.on('message', (message) => {
    const result = message as SeedResult;
    const { seed, scenario, steps, wrong, trace } = result;
    report.add(result);
    if (trace.length > 0) console.log(trace.join('\n'));
    console.log(`seed ${seed}, ${scenario}: ${steps} steps${wrong.length > 0 ? ', wrong' : ''}`);
    if (wrong.length > 0) for (const one of workers) one.kill();
  });
  const [code] = await once(worker, 'exit');
  if (code !== 0 && !report.now().failed) throw new Error('A process of the simulation has failed');
}
