import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { findImport } from '@draftshelf/core/imports/imports';
import { refreshRows } from '@draftshelf/core/reading/refresh-products';
import { lockRows } from '@draftshelf/core/review/rows-lock';

/** Computes the values of rows again after a test has changed what they follow from. */
export const refreshed = (db: OpenDatabase['db'], id: string, rows: readonly number[]): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockRows(trx, id);
    const record = await findImport(trx, id);
    if (!record) throw new Error(`No import ${id}`);
    await refreshRows(trx, record, rows);
  });
