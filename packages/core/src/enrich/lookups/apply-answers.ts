import { type Kysely, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord, Schema } from '../../connection/schema.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { refreshProducts } from '../../reading/refresh-products.ts';
import { type EffectiveRow, findProductsOfRows } from '../../review/effective-rows.ts';
import { lockRows } from '../../review/rows-lock.ts';
import { currentRows, type RunOfRows } from '../../work/runs.ts';
import { readCoverage } from '../coverage.ts';
import { findIncompleteProducts } from '../lacks.ts';
import { markLookupsCovered } from '../lookups.ts';
import { enqueueLookups } from './enqueue-lookups.ts';
import { applyCachedLookUps } from './look-up-range.ts';

/** Products per transaction. Each transaction locks the import. */
const productsMax = 100;

/** Applies answers to the products that wait for them, in imports of any status. Safe to repeat. */
export async function applyAnswers(db: Kysely<Schema>, gtins: readonly string[]): Promise<void> {
  for (const { importId, rows } of await findIncompleteProducts(db, gtins)) {
    for (let from = 0; from < rows.length; from += productsMax) {
      const part = rows.slice(from, from + productsMax);
      await db.transaction().execute((trx) => applyToRows(trx, importId, part));
    }
  }
  await markLookupsCovered(db, gtins);
}

/** Proposes cached pictures for products whose own pictures the store would refuse. Skips runs without look-ups. */
export async function proposeForBadPictures(db: Db, of: RunOfRows, rows: readonly number[]): Promise<void> {
  if ((await readCoverage(db, of)).length > 0) await applyToRows(db, of.import_id, rows);
}

async function applyToRows(db: Db, importId: string, rows: readonly number[]): Promise<void> {
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  if (!record) return;
  const numbers = await findProductsOfRows(db, currentRows(record), rows);
  const filled = await applyCachedLookUps(db, record, numbers);
  const isPushed = record.push_run > 0 && filled.length > 0;
  await changeImport(
    db,
    record.id,
    isPushed ? { found_since_push: sql`found_since_push + ${filled.length}` } : {},
  );
}

/** Validates products whose found values changed, and looks up empty fields. `gained`: how many got a new value. */
export async function refreshFoundProducts(
  db: Db,
  record: ImportRecord,
  { before: changed, gained }: { before: readonly (readonly EffectiveRow[])[]; gained: number },
): Promise<void> {
  if (changed.length === 0) return;
  const numbers = changed.flatMap(([first]) => first?.product ?? []);
  await refreshProducts(db, record, numbers);
  if (record.push_run > 0 && gained > 0) {
    await changeImport(db, record.id, { found_since_push: sql`found_since_push + ${gained}` });
  }
  if ((await readCoverage(db, currentRows(record))).length === 0) return;
  await applyCachedLookUps(db, record, numbers, changed);
  await enqueueLookups(db, record);
}
