import { parseArgs } from 'node:util';
import { startMigrated } from '../../support/services.ts';
import { putBack } from './put-back.ts';

// Seeds in a row until one ends wrong; then its trace.
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
  },
});
if (given['put-back']) putBack(given['put-back']);
// After that, because a mended fault is put back into modules while they are loaded.
const { prepare } = await import('./prepared.ts');
const { simulate } = await import('./simulate.ts');
const services = await startMigrated();
try {
  const prepared = await prepare(services);
  const report = await simulate(prepared, {
    ...{ seeds: Number(given.seeds), from: Number(given.from), twiceEvery: Number(given.twice) },
    ...(given.scenario && { only: Number(given.scenario) }),
    onSeed({ seed, scenario, steps, wrong, trace }) {
      if (given.trace || wrong.length > 0) console.log(trace.join('\n'));
      console.log(`seed ${seed}, ${scenario}: ${steps} steps${wrong.length > 0 ? ', wrong' : ''}`);
    },
  });
  await prepared.close();
  const { interleavings, met, failed } = report;
  console.log(`${interleavings} interleavings, ${report.steps} steps, ${report.seconds.toFixed(1)} s`);
  for (const [fault, times] of [...met].sort()) console.log(`  ${fault}: ${times}`);
  if (failed) {
    console.log(`seed ${failed.seed} is wrong:\n  ${failed.wrong.join('\n  ')}`);
    process.exitCode = 1;
  }
} finally {
  await services.stop();
}
