import { expect } from 'vitest';
import { until } from '../support/fixture.ts';
import { isLong } from '../support/queue-backend.ts';
import { readers, testOnWorkers, type WorkerStack } from '../support/test.ts';
import { rowDifferences } from './differences.ts';
import { beginImport } from './fault-stack.ts';
import { installHolds } from './holds.ts';
import { kill } from './inject.ts';

/** Where the worker is killed: after a statement of the transaction of a chunk, or behind it. */
const places = {
  'rows are stored': 'insert on rows for each statement',
  'rows are counted': 'update of facets on runs for each statement',
  'texts of found values are replaced': 'update of search on rows for each row',
  'the run ends': 'update of ended_at on runs for each statement',
} as const;
type Place = keyof typeof places;
const short: readonly Place[] = ['rows are stored'];

const it = testOnWorkers(readers);
let stack: WorkerStack;
let hold: Awaited<ReturnType<typeof installHolds<Place>>>;
it.beforeAll(async ({ stack: shared }) => {
  stack = shared;
  hold = await installHolds(stack, places);
});

const tried = (Object.keys(places) as Place[]).filter((place) => isLong || short.includes(place));

it.for(tried)('a worker is killed when %s, and each row has its text once', async (place) => {
  const { isWaiting, release } = await hold(place);
  const worker = place.startsWith('texts of found') ? 'enrich-worker' : 'parse-worker';
  const { id, truth } = await beginImport(stack, 300, 70);
  try {
    await until('the worker waits', isWaiting);
    await kill(stack, worker);
  } finally {
    await release();
  }
  await until('the import can be reviewed', async () => {
    const { rows } = await stack.database.pool.query(
      `select from imports where id = $1 and status in ('queued', 'processed')`,
      [id],
    );
    return rows.length === 1;
  });
  expect(await rowDifferences(stack, id, truth)).toEqual([]);
});
