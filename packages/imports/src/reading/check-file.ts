import { cutText } from '@draftshelf/domain/base/cut-text';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import { countProducts, type ProductCounts } from '@draftshelf/reading/count-products';
import { type FileLimits, orRefuse, refuseLarge, tooFewRecords } from './take-file.ts';

/** A row as read, for callers that show examples. */
export type CheckedRow = { title: string; price: string; class: RowClass | null };

export type CheckedFile = ProductCounts & { firstRows: CheckedRow[] };

/** Limits of `firstRows`. */
const firstRowsMax = 5;
const valueCharsMax = 300;

/**
 * Reads a file as an upload would, but stores nothing. Returns what it has counted and the first rows.
 *
 * @throws FileRefused for a file that cannot become an import, or the error of the source
 */
export async function checkFile(source: AsyncIterable<Uint8Array>, limits: FileLimits): Promise<CheckedFile> {
  let mapping: HeaderMapping | undefined;
  const firstRows: CheckedRow[] = [];
  const reading = countProducts({
    limits,
    onHeader: (header) => {
      mapping = header.mapping;
    },
    onRow: ({ record }, check) => {
      if (firstRows.length === firstRowsMax || !mapping) return;
      const { title = '', price = '' } = readRowValues(record.cells(), mapping);
      const cut = (value: string) => cutText(value, valueCharsMax);
      firstRows.push({ title: cut(title), price: cut(price), class: check?.class ?? null });
    },
  });
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    refuseLarge({ isArchive: false, bytes }, limits);
    await orRefuse(() => reading.push(piece));
  }
  await orRefuse(() => reading.end());
  const counts = reading.counts();
  if (counts.products === 0) throw tooFewRecords();
  return { ...counts, firstRows };
}
