import { readCoverage } from '@draftshelf/core/enrich/coverage';
import { insertFoundValues, readEnrichableRows } from '@draftshelf/core/enrich/found-values';
import { lookUpRange } from '@draftshelf/core/enrich/lookups/look-up-range';
import { refreshRows } from '@draftshelf/core/reading/refresh-products';
import { lockRows } from '@draftshelf/core/review/rows-lock';
import { markDone } from '@draftshelf/core/work/claim-chunk';
import { closeWorkChunk } from '@draftshelf/core/work/complete-chunk';
import { currentRows } from '@draftshelf/core/work/runs';
import type { PinnedWork } from '@draftshelf/queues/run-chunk';
import { findInRow } from './find-in-row.ts';

/**
 * Fills gaps from the row's own text if the switch 'AI Validation & Enhancement' is on, then from cached look-ups.
 * Values go to `found_values` and into the rows that got one. Missing look-ups are queued; no source is called.
 */
export async function enrichChunk({ chunk, import: record, connection }: PinnedWork): Promise<void> {
  const of = currentRows(record);
  const range = { firstRow: chunk.first_row ?? 0, rows: chunk.rows ?? 0 };
  const rows = await readEnrichableRows(connection.db, of, range);
  const found = record.enable_ai ? rows.flatMap(findInRow) : [];
  const isLookedUp = (await readCoverage(connection.db, of)).length > 0;
  await connection.db.transaction().execute(async (trx) => {
    await markDone(trx, chunk);
    await insertFoundValues(trx, of, found);
    const numbers = found.map(({ row }) => row);
    if (isLookedUp || numbers.length > 0) await lockRows(trx, of.import_id);
    await refreshRows(trx, record, numbers);
    const { filled } = isLookedUp ? await lookUpRange(trx, of, { ...range, counted: false }) : { filled: [] };
    await refreshRows(trx, record, filled);
    await closeWorkChunk(trx, chunk, { enriched_rows: isLookedUp ? range.rows : rows.length });
  });
}
