import { isDeepStrictEqual } from 'node:util';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { auditImport } from '@draftshelf/core/operate/audit/audit-import';
import { currentRows } from '@draftshelf/core/work/runs';
import { differenceSentence } from '@draftshelf/domain/operate/audit';
import { queueNames } from '@draftshelf/domain/work/task-catalog';
import { list } from '@draftshelf/object-storage/objects';
import { createQueue } from '@draftshelf/queues/connection';
import { chooseQueueConnection } from '@draftshelf/queues/queue-connection';
import { until } from '../support/fixture.ts';
import type { Stack, StoredProduct } from '../support/stack.ts';
import { valueDifferences } from '../support/value-differences.ts';
import type { Truth } from './true-file.ts';

const shownMax = 10;

/** All differences between an import and the expected result of its file, in words. */
export async function rowDifferences(stack: Stack, importId: string, truth: Truth): Promise<string[]> {
  const wrong: string[] = [];
  const total = truth.rows.length;
  const enriched = truth.rows.filter((row) => row.enrichable).length;
  compare(wrong, await findImport(stack.database.db, importId), {
    total_rows: total,
    total_products: total,
    parsed_rows: total,
    processed_products: total,
    valid_products: truth.count.valid,
    warning_products: truth.count.warning,
    error_products: truth.count.error,
    enrich_rows: enriched,
    enriched_rows: enriched,
    open_chunks: 0,
  });
  let at = 0;
  for (;;) {
    const page = await stack.database.db
      .selectFrom('rows')
      .select(['row', 'class', 'title', 'price', 'sku', 'enrichable', 'cells'])
      .where('import_id', '=', importId)
      .where('row', '>', at)
      .orderBy('row')
      .limit(10_000)
      .execute();
    for (const row of page) {
      const { brand: _, ...expected } = truth.rows[at] ?? { brand: null };
      at += 1;
      if (!isDeepStrictEqual(row, expected))
        wrong.push(`row ${at} is ${JSON.stringify(row)}, not ${JSON.stringify(expected)}`);
      if (wrong.length > shownMax) return wrong;
    }
    if (page.length === 0) break;
  }
  if (at !== total) wrong.push(`${at} rows, not ${total}`);
  const found = await stack.database.db
    .selectFrom('found_values')
    .select(['row', 'field', 'value'])
    .where('import_id', '=', importId)
    .orderBy('row')
    .execute();
  const toFind = truth.rows.flatMap(({ row, brand }) =>
    brand ? [{ row, field: 'vendor', value: brand }] : [],
  );
  if (!isDeepStrictEqual(found, toFind))
    wrong.push(`${found.length} values were found, ${toFind.length} are to be found`);
  const record = await findImport(stack.database.db, importId);
  if (record) wrong.push(...(await valueDifferences(stack.database.db, currentRows(record))));
  return wrong;
}

/** All differences of store, ledger and counters from the expected result of a push of the file. */
export async function pushDifferences(stack: Stack, importId: string, truth: Truth): Promise<string[]> {
  const wrong: string[] = [];
  const record = await findImport(stack.database.db, importId);
  const total = truth.rows.length;
  const { valid } = truth.count;
  compare(wrong, record, {
    status: 'completed',
    push_total: total,
    push_done: total,
    skipped: total - valid,
    failed: 0,
    open_chunks: 0,
    waiting_for: null,
  });
  const succeeded = (record?.created ?? 0) + (record?.updated ?? 0) + (record?.unchanged ?? 0);
  if (succeeded !== valid) wrong.push(`${succeeded} products came into the store, ${valid} should have`);
  const label = truth.rows[0]?.sku.replace(/\d+$/, '') ?? '';
  const inStore = (await stack.store.products()).filter((product) => skuOf(product).startsWith(label));
  const asStored = inStore.map((product) => [
    skuOf(product),
    product.title,
    product.variants[0]?.price,
    product.status,
  ]);
  const expected = truth.rows
    .filter((row) => row.class === 'valid')
    .map((row) => [row.sku, row.title, row.price, 'DRAFT']);
  const difference = firstDifference(sorted(asStored), sorted(expected));
  if (difference) wrong.push(`the store: ${difference}`);
  const { differences: found } = await auditImport(stack.database.db, importId);
  wrong.push(...found.map(differenceSentence).slice(0, shownMax));
  return wrong;
}

const skuOf = (product: StoredProduct) => product.variants[0]?.sku ?? '';
const sorted = (list: unknown[]) => list.map((one) => JSON.stringify(one)).sort();

function firstDifference(is: string[], should: string[]): string | undefined {
  if (is.length !== should.length) return `${is.length} products, not ${should.length}`;
  const at = is.findIndex((one, index) => one !== should[index]);
  return at < 0 ? undefined : `${is[at]} where ${should[at]} should be`;
}

function compare(wrong: string[], record: ImportRecord | undefined, expected: Partial<ImportRecord>): void {
  for (const [column, value] of Object.entries(expected)) {
    const is = record?.[column as keyof ImportRecord];
    if (is !== value)
      wrong.push(
        `${column} is ${is}, not ${value}${record?.error_message ? ` (${record.error_message})` : ''}`,
      );
  }
}

/**
 * What must not be left when all imports have ended: chunks, jobs, products in `sending`, files without an import that
 * no sweep knows.
 */
export async function leftOver(stack: Stack): Promise<string[]> {
  const left: string[] = [];
  const { db } = stack.database;
  const open = () =>
    db
      .selectFrom('chunks')
      .select(['id', 'kind', 'state'])
      .where('subject', 'is', null)
      .where('state', 'not in', ['done', 'dropped'])
      .execute();
  // A push that has ended still has its values learnt in the background.
  await until('the tasks have ended', async () => (await open()).every(({ kind }) => kind !== 'task'));
  const chunks = await open();
  if (chunks.length > 0) left.push(`chunks: ${JSON.stringify(chunks.slice(0, 5))}`);
  const sending = await db.selectFrom('listings').select('our_id').where('sending', 'is not', null).execute();
  if (sending.length > 0) left.push(`${sending.length} listings are still sending`);
  const jobs = await jobsLeft(stack);
  if (jobs !== '') left.push(`jobs: ${jobs}`);
  const known = new Set(
    (await db.selectFrom('imports').select('object_key').execute()).map((one) => one.object_key),
  );
  const { rows } = await stack.database.pool.query<{ object_key: string }>('select object_key from uploads');
  const uploads = new Set(rows.map((one) => one.object_key));
  for await (const { key } of list(stack.storage, '')) {
    if (!known.delete(key) && !uploads.has(key)) left.push(`object without an import: ${key}`);
  }
  if (known.size > 0) left.push(`${known.size} imports without their object`);
  return left;
}

const jobStates = ['waiting', 'active', 'delayed', 'prioritized'] as const;
/** A job of an outdated publication may still be delivered to a worker, which drops it. */
const jobsGoneMsMax = 40_000;

async function jobsLeft(stack: Stack): Promise<string> {
  const connection = chooseQueueConnection({ databaseUrl: stack.databaseUrl, redisUrl: stack.redis?.url });
  let counts = '';
  for (const name of queueNames) {
    const queue = createQueue(connection, name);
    queue.on('error', () => {});
    try {
      await until(
        'no job is left',
        async () => {
          counts = JSON.stringify(await queue.getJobCounts(...jobStates));
          return !/[1-9]/.test(counts);
        },
        jobsGoneMsMax,
      );
    } catch {
      return `${name} ${counts}`;
    } finally {
      await queue.close();
    }
  }
  return '';
}
