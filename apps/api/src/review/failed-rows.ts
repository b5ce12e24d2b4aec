import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { findImport } from '@draftshelf/core/imports/imports';
import { type MissedProduct, pageMissed, readCells } from '@draftshelf/core/push/missed-products';
import { findRowsOfProducts } from '@draftshelf/core/review/effective-rows';
import { currentRows, readParseRun } from '@draftshelf/core/work/runs';
import { failedRowsColumn } from '@draftshelf/csv/own-download';

/** Limits of what is held in memory at a time. A single row may exceed the bytes. */
const productsAtATime = 200;
const rowsAtATime = 200;
const bytesAtATime = 2 * 1024 * 1024;

const unexplained: Record<MissedProduct['outcome'], string> = {
  skipped: 'Skipped',
  failed: 'Failed',
};

/**
 * The records of a CSV file with the rows of all skipped and failed products: the header, then each row with its own
 * cells and the reason. Cells beyond the header stay, behind the reason. Reads a few rows at a time. Throws if the
 * import is read or pushed again or deleted in the meantime, because the records would be of two states.
 */
export async function* readFailedRows(db: Db, record: ImportRecord): AsyncGenerator<string[]> {
  const of = currentRows(record);
  const { headers } = await readParseRun(db, of);
  yield [...headers, failedRowsColumn];
  for (let after = 0; ; ) {
    const missed = await pageMissed(db, of, { after, limit: productsAtATime });
    const reasons = new Map(
      missed.map(({ product, message, outcome }) => [product, message ?? unexplained[outcome]]),
    );
    for (const part of inParts(await findRowsOfProducts(db, of, [...reasons.keys()]))) {
      for (const { product, cells } of await readCells(db, of, part)) {
        yield withReason(cells, headers.length, reasons.get(product) ?? '');
      }
    }
    await requireUnchanged(db, record);
    if (missed.length < productsAtATime) return;
    after = missed.at(-1)?.product ?? after;
  }
}

function withReason(cells: readonly string[], columns: number, reason: string): string[] {
  const missing = Array.from({ length: Math.max(0, columns - cells.length) }, () => '');
  return [...cells.slice(0, columns), ...missing, reason, ...cells.slice(columns)];
}

async function requireUnchanged(db: Db, { id, rows_run, push_run }: ImportRecord): Promise<void> {
  const now = await findImport(db, id);
  const isUnchanged = now?.rows_run === rows_run && now.push_run === push_run;
  if (isUnchanged && now.deletion_began_at === null) return;
  throw new Error(`Import ${id} changed while its failed rows were read`);
}

/** Row numbers in parts that fit into memory. A product may have more rows than a part. */
function inParts(products: readonly { rows: number[]; bytes: number }[]): number[][] {
  const parts: number[][] = [];
  let part: number[] | undefined;
  let partBytes = 0;
  for (const { rows, bytes } of products) {
    for (const row of rows) {
      if (!part || part.length === rowsAtATime || partBytes > bytesAtATime) {
        part = [];
        partBytes = 0;
        parts.push(part);
      }
      part.push(row);
      partBytes += bytes / rows.length;
    }
  }
  return parts;
}
