import { enqueueCountList } from '@draftshelf/core/suppliers/count-list';
import { pageMissing } from '@draftshelf/core/suppliers/listed-rows';
import { findListOf } from '@draftshelf/core/suppliers/lists';
import { changesIn } from '@draftshelf/domain/suppliers/list';
import { expect } from 'vitest';
import { until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';
import { type Comparison, compareLists } from './independent-comparison.ts';
import { randomPair } from './random-lists.ts';

const pairs = isLong ? 200 : 3;
const pairMsMax = 15_000;

const test = testOnWorkers(readers);
const { processed, reach, read } = importSteps(() => stack);

async function query<Row>(text: string, id: string): Promise<Row[]> {
  return (await stack.database.pool.query(text, [id])).rows as Row[];
}

/** Lets a list count, as the end of its push does, and waits until it has. Returns its supplier. */
async function countList(id: string): Promise<number> {
  const record = await reach(id, 'queued', 'processed');
  await stack.database.db.transaction().execute((db) => enqueueCountList(db, record));
  await until('the list counts', async () => {
    const [list] = await query<{ state: string }>(
      'select state from supplier_lists where import_id = $1',
      id,
    );
    return list?.state === 'counted';
  });
  return (await read(id)).supplier ?? 0;
}

/** What the product has found for the rows of an import. */
async function foundIn(id: string): Promise<Comparison> {
  const rows = await query<{ key: string | null; change: number }>(
    `select item_key as key, change from rows join imports on imports.id = import_id and rows_run = run
     left join row_items using (import_id, run, row) where import_id = $1 order by row`,
    id,
  );
  const list = await findListOf(stack.database.db, id);
  if (!list) throw new Error('It is no list');
  const missing = await pageMissing(stack.database.db, await read(id), list, { after: '', limit: 10_000 });
  return {
    rows: rows.map(({ key, change }) => `${key ?? 'none'}: ${changesIn(change).join(' ')}`),
    missing: missing.map(({ key }) => key).sort(),
  };
}

test(`${pairs} pairs of lists are compared as an independent program compares them`, {
  timeout: pairs * pairMsMax,
}, async () => {
  for (let seed = 1; seed <= pairs; seed += 1) {
    const { first, second } = randomPair(seed);
    const supplier = await countList(await processed(first.bytes, { supplier: 'new' }));
    const id = await processed(second.bytes, { supplier: String(supplier) });
    const found = await foundIn(id);
    expect(found, `pair ${seed}`).toEqual(compareLists(first, second));
    const [list] = await query<{ counts: object }>(
      'select counts from supplier_lists where import_id = $1',
      id,
    );
    expect(list?.counts, `pair ${seed}`).toMatchObject({
      missing: found.missing.length,
      ...countsOf(found.rows),
    });
  }
});

function countsOf(rows: readonly string[]): Record<string, number> {
  const changes = rows.flatMap((row) => row.slice(row.lastIndexOf(': ') + 2).split(' '));
  return Object.fromEntries([...Map.groupBy(changes, String)].map(([change, all]) => [change, all.length]));
}
