import { cutText } from '@draftshelf/domain/base/cut-text';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import { countProducts, type ProductCounts } from '@draftshelf/reading/count-products';
import { createNoDataError, type FileLimits, refuseLargeFile, refuseOnFileError } from './take-file.ts';

export type CheckedRow = { title: string; price: string; class: RowClass | null };

export type CheckedFile = ProductCounts & { firstRows: CheckedRow[] };

const firstRowsMax = 5;
const valueCharsMax = 300;

/** Reads a file as an upload would, but stores nothing. Throws FileRefused, or the error of the source. */
export async function checkFile(source: AsyncIterable<Uint8Array>, limits: FileLimits): Promise<CheckedFile> {
  const first: { cells: string[]; class: RowClass | null }[] = [];
  const { reading, counts } = countProducts({
    limits,
    onRow: ({ record }, check) => {
      if (first.length < firstRowsMax) first.push({ cells: record.cells(), class: check?.class ?? null });
    },
  });
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    refuseLargeFile({ isArchive: false, bytes }, limits);
    await refuseOnFileError(() => reading.push(piece));
  }
  await refuseOnFileError(() => reading.end());
  const counted = counts();
  if (counted.products === 0) throw createNoDataError();
  // The cells are read at the end, because rows far below may change the mapping.
  const mapping = reading.mapping();
  const cut = (value: string) => cutText(value, valueCharsMax);
  const firstRows = first.map(({ cells, class: name }): CheckedRow => {
    const { title = '', price = '' } = mapping === undefined ? {} : readRowValues(cells, mapping);
    return { title: cut(title), price: cut(price), class: name };
  });
  return { ...counted, firstRows };
}
