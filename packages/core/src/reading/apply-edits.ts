import { changeParseRun } from '../imports/imports.ts';
import { countEditsWithoutRow, readEditedRows, readLastEditId } from '../review/commands/stored-edits.ts';
import { addToRunCounts } from '../review/row-facets.ts';
import type { PreparedBatch, StepState } from '../suppliers/prepared-batch.ts';
import { productsPerBatch, validateNextProducts } from './validate-products.ts';

const rowsPerScan = 10_000;

/** The step 'apply edits': validates products of the next edited rows if any edit is new. The caller locks the rows. */
export async function applyEdits({ db, record, of, progress }: PreparedBatch): Promise<StepState> {
  const editsTo = progress.at === 0 ? await readLastEditId(db, record.id) : progress.editsTo;
  if (progress.at === 0 && editsTo === progress.editsTo) return {};
  const last = progress.at + rowsPerScan;
  const edited = await readEditedRows(db, of, { at: progress.at, last });
  const products = [...new Set(edited.map(({ product }) => product))].slice(0, productsPerBatch);
  const { taken, ...counts } = await validateNextProducts(db, of, products);
  const done = new Set(products.slice(0, taken));
  const open = edited.findIndex(({ product }) => !done.has(product));
  const at = open === -1 ? last : (edited[open - 1]?.row ?? last);
  const isEnd = at >= record.total_rows;
  const withoutRow = isEnd ? await countEditsWithoutRow(db, of) : 0;
  const endsBatch = await addToRunCounts(db, of, counts);
  if (!isEnd) return { at, editsTo, endsBatch };
  await changeParseRun(db, of, { edits_without_row: withoutRow });
  return { editsTo, endsBatch: true };
}
