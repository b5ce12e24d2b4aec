import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeProductFile } from '../../scripts/product-file.ts';
import { startBenchStack } from './bench-stack.ts';
import { fairnessCalls } from './fairness-calls.ts';
import { describeMachine, median } from './figures.ts';
import { processorQuota } from './processor-quota.ts';

// How much more parse workers do, each held to a part of a core, so that a small machine has enough for several.
const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    workers: { type: 'string', default: '1,2,4' },
    cores: { type: 'string', default: '0.25' },
  },
});
const [rows, rounds, cores] = [Number(given.rows), Number(given.rounds), Number(given.cores)];
const counts = given.workers.split(',').map(Number);

const importMsMax = 30 * 60_000;
/** Times as fast as one worker. */
const bars: Record<number, number> = { 2: 1.8, 4: 3.2 };

const seconds: number[] = [];
for (const count of counts) seconds.push(await secondsWith(count));
for (const [nth, count] of counts.entries()) {
  const factor = (seconds[0] ?? 0) / (seconds[nth] ?? 1);
  const bar = bars[count] === undefined ? '' : ` (bar ${bars[count]} ×)`;
  console.log(
    `${count} parse workers, ${cores} of a core each: ${rows} rows stored in ${(seconds[nth] ?? 0).toFixed(1)} s, ${(factor * (counts[0] ?? 1)).toFixed(2)} ×${bar}`,
  );
}

/** Median of the rounds, from the upload's end to the last row that is stored. */
async function secondsWith(count: number): Promise<number> {
  const stack = await startBenchStack(['api', ...Array<'parse-worker'>(count).fill('parse-worker')]);
  const quota = processorQuota(cores);
  try {
    if (count === counts[0]) console.log(await describeMachine(stack.database));
    const csv = join(stack.dir, 'large.csv');
    writeProductFile(csv, rows, 'ascii');
    const calls = fairnessCalls(stack);
    await calls.reach(await calls.uploadProducts(1000), ['processed', 'queued'], importMsMax);
    for (const pid of stack.pidsOf('parse-worker')) quota.hold(pid);
    const took: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const id = await calls.uploadFile(csv);
      const begun = performance.now();
      await calls.stored(id, rows, importMsMax);
      took.push((performance.now() - begun) / 1000);
      await calls.reach(id, ['processed', 'queued'], importMsMax);
    }
    return median(took);
  } finally {
    await stack.close();
    quota.remove();
  }
}
