import { randomUUID } from 'node:crypto';
import type { ImportRecord, ScannedRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { addToImport, followProduct } from '@draftshelf/core/scanner/add-to-import';
import {
  changeScannedProduct,
  createScannedProduct,
  lockScannedProduct,
  type ScannedChange,
} from '@draftshelf/core/scanner/scanned-products';
import { cancelImport, pauseImport, pushImport, resumeImport } from '@draftshelf/core/work/import-actions';
import {
  dimensionsDefault,
  type ScannedFields,
  weightDefault,
} from '@draftshelf/domain/scanner/scanned-product';
import { editRow } from '../support/edit-row.ts';
import { productCsv, storedImport, until } from '../support/fixture.ts';
import { importDifferences } from '../support/import-truth.ts';
import type { Stack } from '../support/stack.ts';
import type { Random } from './fault-random.ts';

const fileRows = 6;
/** An import that has taken this many products is replaced: every check reads all rows. */
const roundsPerImport = 20;
/** In one of so many rounds the push worker is killed while it sends. */
const roundsPerKill = 6;

type Db = Stack['database']['db'];

/**
 * Adds products of the scanner to imports while others push, re-read, pause, cancel, edit and change the products, all
 * at once and in random order. In some rounds the push worker is killed with -9 while it sends. After each round every
 * product that was accepted is one row of its import, each product of the store has its listing, and counters, facets,
 * bitmaps, search and pages are those of the rows. Returns everything that is wrong.
 */
export async function runAddedStorm(stack: Stack, rounds: number, random: Random): Promise<string[]> {
  const wrong: string[] = [];
  let id = '';
  const accepted = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    if (round % roundsPerImport === 0) {
      id = (await storedImport(stack, { csv: productCsv(fileRows) })).id;
      accepted.clear();
      await reachRest(stack, id);
    }
    const acts = await beginRound(stack, id, accepted, random);
    if (round % roundsPerKill === roundsPerKill - 1) acts.push(() => killWhileSending(stack, id));
    const results = await Promise.allSettled(acts.map((act) => act()));
    for (const result of results)
      if (result.status === 'rejected') wrong.push(`round ${round}: ${result.reason}`);
    await reachRest(stack, id);
    const found = await roundDifferences(stack, id, accepted);
    wrong.push(...found.map((one) => `round ${round} of seed ${random.seed}: ${one}`));
    if (wrong.length > 0) break;
  }
  return wrong;
}

/** What happens at once in a round: a product is added, and two or three others of these. */
async function beginRound(
  stack: Stack,
  id: string,
  accepted: Set<string>,
  random: Random,
): Promise<(() => Promise<unknown>)[]> {
  const inTransaction = <T>(work: (trx: Db) => Promise<T>) => stack.database.db.transaction().execute(work);
  const add = async () => {
    const productId = randomUUID();
    const added = await inTransaction(async (trx) => {
      const product = productOf(
        await createScannedProduct(trx, { id: productId, ageMs: 0 }, fieldsOf(productId, 0)),
      );
      return addToImport(trx, id, product);
    });
    if (added.ok) accepted.add(productId);
  };
  const ofKnown = (act: (trx: Db, productId: string) => Promise<unknown>) => () => {
    const known = [...accepted];
    return known.length === 0 ? add() : inTransaction((trx) => act(trx, random.pick(known)));
  };
  const addAgain = ofKnown(async (trx, productId) => {
    const product = await lockScannedProduct(trx, productId);
    if (product) await addToImport(trx, id, product);
  });
  const change = ofKnown(async (trx, productId) => {
    const fields = fieldsOf(productId, random.between(0, 1));
    const product = await changeScannedProduct(trx, { id: productId, version: null }, fields);
    await followProduct(trx, productOf(product), null);
  });
  const edit = async () => {
    const record = await findImport(stack.database.db, id);
    const row = Math.floor(random.between(1, (record?.total_rows ?? 1) + 1));
    return inTransaction((trx) => editRow(trx, id, row, { title: `Edited ${random.between(0, 1)}` }));
  };
  const others = {
    add,
    addAgain,
    change,
    edit,
    push: () => inTransaction((trx) => pushImport(trx, id, undefined, { supplier: null })),
    reread: () => inTransaction((trx) => beginReread(trx, id, { dialect: { delimiter: ',' } })),
    rollBack: async () => {
      await inTransaction((trx) => beginReread(trx, id, { dialect: { delimiter: ',' } }));
      await inTransaction((trx) => cancelImport(trx, id, { onlyReread: true }));
    },
    pause: async () => {
      await inTransaction((trx) => pauseImport(trx, id));
      await add();
      await inTransaction((trx) => resumeImport(trx, id));
    },
  };
  const names = Object.keys(others) as (keyof typeof others)[];
  const count = 2 + Math.floor(random.between(0, 3));
  const acts = Array.from({ length: count }, () => others[random.pick(names)]);
  return [add, ...acts].sort(() => random.between(-1, 1));
}

/** Pushes an import, kills the push worker while it sends one of the products, and starts it again. */
async function killWhileSending(stack: Stack, id: string): Promise<void> {
  const { db, pool } = stack.database;
  await stack.store.fault({ kind: 'delay', delayMs: 500, operation: 'productSet', times: 3 });
  const pushed = await db.transaction().execute((trx) => pushImport(trx, id, undefined, { supplier: null }));
  if (pushed.ok) {
    await until('a product is being sent, or the push has ended', async () => {
      const { rows } = await pool.query('select 1 from listings where sending is not null limit 1');
      return rows.length > 0 || (await findImport(db, id))?.status !== 'uploading';
    });
  }
  stack.process('push-worker').kill('SIGKILL');
  await stack.process('push-worker').ended;
  await stack.start('push-worker');
}

const fieldsOf = (id: string, change: number): ScannedFields => ({
  ...{ name: `Scanned ${change}`, description: '', price: '24.99', sku: `S-${id}`, upc: null },
  ...{ dimensions: dimensionsDefault, weight: weightDefault, photos: [`https://images.example/${id}.jpg`] },
});

function productOf(change: ScannedChange): ScannedRecord {
  if (!('product' in change)) throw new Error(`The product was not saved: ${change.kind}`);
  return change.product;
}

/** Waits until nothing happens to an import any more; brings it back to review if it has ended. */
async function reachRest(stack: Stack, id: string): Promise<void> {
  const { db, pool } = stack.database;
  let record: ImportRecord | undefined;
  await until(
    `import ${id} is at rest`,
    async () => {
      record = await findImport(db, id);
      if (record?.status === 'paused') await db.transaction().execute((trx) => resumeImport(trx, id));
      if (!record || !['queued', 'processed', 'completed'].includes(record.status)) return false;
      const { rows } = await pool.query(
        `select id from chunks where import_id = $1 and state in ('pending', 'published')`,
        [id],
      );
      return rows.length === 0;
    },
    60_000,
  ).catch((error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(record)}`);
  });
}

async function roundDifferences(stack: Stack, id: string, accepted: ReadonlySet<string>): Promise<string[]> {
  const { db } = stack.database;
  const wrong = await importDifferences(stack.database, id);
  const stored = await db.selectFrom('added_rows').select('product_id').where('import_id', '=', id).execute();
  const missing = [...accepted].filter((one) => !stored.some(({ product_id }) => product_id === one));
  if (missing.length > 0 || stored.length !== accepted.size) {
    wrong.push(`${stored.length} products are added, ${accepted.size} were accepted`);
  }
  const { rows } = await stack.database.pool.query(
    `select added_rows.product_id from added_rows join scanned_products on scanned_products.id = product_id
     where import_id = $1 and added_rows.version <> scanned_products.version`,
    [id],
  );
  if (rows.length > 0) wrong.push(`${rows.length} rows do not follow their products`);
  const { rows: listings } = await stack.database.pool.query<{ known: number; sending: number }>(
    `select (count(*) filter (where store_product_id is not null))::int as known,
       (count(*) filter (where sending is not null))::int as sending from listings`,
  );
  const { known = 0, sending = 0 } = listings[0] ?? {};
  const inStore = (await stack.store.products()).length;
  if (known !== inStore) wrong.push(`${known} listings of ${inStore} products in the store`);
  if (sending > 0) wrong.push(`${sending} listings are still sending`);
  return wrong;
}
