import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { changeImport } from '../imports/imports.ts';
import { refreshProducts } from '../reading/refresh-products.ts';
import type { EffectiveRow } from '../review/effective-rows.ts';
import { currentRows } from '../work/runs.ts';
import { readCoverage } from './coverage.ts';
import { enqueueLookups } from './lookups/enqueue-lookups.ts';
import { lookUpNumbers } from './lookups/look-up-range.ts';

/** Validates products whose found values changed, and looks up empty fields. `gained`: how many have more values. */
export async function refreshFound(
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
  await lookUpNumbers(db, record, numbers, changed);
  await enqueueLookups(db, record);
}
