import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { saveSettings } from '@draftshelf/core/access/settings';
import { findWatchSource, requestLook } from '@draftshelf/core/folders/sources';
import { until } from '../support/fixture.ts';
import { memoryOf } from '../support/process-memory.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { describeMachine, median } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';

// Looks at a local folder with many files: the first one, which stores them, and later ones, which find nothing new.
const { files, rounds } = givenNumbers({ files: 10_000, rounds: 20 });

const stack = await startBenchStack(['api', 'folder-worker']);
try {
  console.log(`${await describeMachine(stack.database)}`);
  await measure(stack);
} finally {
  await stack.close();
}

async function measure({ app, database, watchFolder }: BenchStack): Promise<void> {
  await saveSettings(database.db, { oneDriveEnabled: true, watchFrequency: '1440' });
  await until('the worker has looked at the empty folder', async () => (await lookedAt()) !== null);
  const memory = memoryOf(app('folder-worker').pid);
  const idleBytes = await memory.residentBytes();
  for (let nth = 1; nth <= files; nth += 1) {
    await writeFile(join(watchFolder, `prices ${nth}.csv`), `Title,Price\nVase ${nth},${nth}.50\n`);
  }
  await memory.forgetPeak();
  const firstMs = await look();
  const laterMs: number[] = [];
  for (let round = 1; round <= rounds; round += 1) laterMs.push(await look());
  const grownBytes = (await memory.peakBytes()) - idleBytes;
  const shown = (ms: number) => `${Math.round(ms)} ms`;
  console.log(`${files} files: first look ${shown(firstMs)}`);
  console.log(`later looks: median ${shown(median(laterMs))}, slowest ${shown(Math.max(...laterMs))}`);
  console.log(
    `memory: ${Math.round(idleBytes / 1e6)} MB idle, at most ${Math.round(grownBytes / 1e6)} MB more`,
  );

  async function lookedAt(): Promise<Date | null> {
    return (await findWatchSource(database.db, 'local'))?.looked_at ?? null;
  }

  /** Milliseconds from the request of a look until it is stored, by the clock of Postgres. */
  async function look(): Promise<number> {
    const before = Number(await lookedAt());
    const { rows } = await database.pool.query<{ now: Date }>('select clock_timestamp() as now');
    await requestLook(database.db, 'local', 0);
    await until('the look has ended', async () => Number(await lookedAt()) > before, 60_000);
    return Number(await lookedAt()) - Number(rows[0]?.now);
  }
}
