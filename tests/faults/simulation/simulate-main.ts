import { parseArgs } from 'node:util';
import { startMigrated } from '../../support/services.ts';
import { prepareImport } from './prepared.ts';
import { simulate } from './simulate.ts';

// Seeds in a row until one ends wrong; then its trace. --twice runs each of them twice.
const { values: given } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    twice: { type: 'string', default: '100' },
    trace: { type: 'boolean', default: false },
  },
});
const services = await startMigrated();
try {
  const prepared = await prepareImport(services, 6);
  const report = await simulate(prepared, {
    ...{ seeds: Number(given.seeds), from: Number(given.from), twiceEvery: Number(given.twice) },
    onSeed: ({ seed, steps, wrong, trace }) => {
      if (given.trace || wrong.length > 0) console.log(trace.join('\n'));
      console.log(`seed ${seed}: ${steps} steps`, wrong);
    },
  });
  const { interleavings, met, failed } = report;
  console.log(`${interleavings} interleavings, ${report.steps} steps, ${report.seconds.toFixed(1)} s`);
  for (const [fault, times] of [...met].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${fault}: ${times}`);
  if (failed) {
    console.log(`seed ${failed.seed} is wrong:\n  ${failed.wrong.join('\n  ')}`);
    process.exitCode = 1;
  }
} finally {
  await services.stop();
}
