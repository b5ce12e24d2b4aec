import { rowClasses } from '@draftshelf/domain/review/row-rule';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { lookUpChanged, readsLookUps } from '../../enrich/lookups/look-up-edited.ts';
import { moveCounts } from '../../reading/refresh-products.ts';
import { type ValidatedProducts, validateRows } from '../../reading/validate-products.ts';
import { currentRows, readRowRules } from '../../work/runs.ts';
import { type RekeyedRow, revalidateDuplicates } from '../duplicates.ts';
import { computeValues, type EffectiveRow } from '../effective-rows.ts';
import { reopenProposals } from '../proposals/decided-proposals.ts';
import { changedRows } from './operate.ts';
import { insertEdits, type NewEdit } from './stored-edits.ts';

export type EditedCells = { before: readonly EffectiveRow[]; edits: readonly NewEdit[] };

export type RowsChanged = ValidatedProducts & { pictured: boolean };

/** Stores edits and validates their products. The caller locks the rows, then passes the result to updateCounts. */
export async function applyCells(
  db: Db,
  record: ImportRecord,
  command: string,
  { before, edits }: EditedCells,
): Promise<RowsChanged> {
  if (edits.length === 0) return { classes: noProducts(), facets: [], rekeyed: [], pictured: false };
  await insertEdits(db, record.id, command, edits);
  const removed = edits.filter(({ after }) => after === null);
  await reopenProposals(db, record.id, removed);
  const of = currentRows(record);
  // A status that was carried does not count as edited.
  const isComputed = removed.length > 0 || edits.some(({ field }) => field === 'status');
  const after = isComputed ? await computeValues(db, of, before) : valuesAfter(before, edits);
  const pairs = before.map((row, at) => ({ before: row, now: after[at] ?? row }));
  const validated = await validateRows(db, of, pairs, await readRowRules(db, of));
  const fields = new Set(edits.map(({ field }) => field));
  const products = Map.groupBy(before, ({ product }) => product);
  const edited = { products: [...products.keys()], fields, before: [...products.values()] };
  const pictured = readsLookUps(fields) && (await lookUpChanged(db, record, edited));
  return { ...validated, rekeyed: validated.rekeyed.filter(isRekeyed), pictured };
}

const noProducts = (): ValidatedProducts['classes'] => ({ valid: 0, warning: 0, error: 0 });

function valuesAfter(before: readonly EffectiveRow[], edits: readonly NewEdit[]): EffectiveRow[] {
  const offsets = new Map(before.map(({ row, byte_from }) => [row, byte_from]));
  return changedRows(
    before,
    edits.filter(({ row, byteFrom }) => offsets.get(row) === byteFrom),
  );
}

const isRekeyed = ({ before, after }: RekeyedRow): boolean =>
  before.sku !== after.sku || before.gtin !== after.gtin;

/** Updates duplicates and the import's counts after all cells of a command. Locks the import. */
export async function updateCounts(
  db: Db,
  record: ImportRecord,
  changed: readonly RowsChanged[],
): Promise<void> {
  const allRekeyed = changed.flatMap(({ rekeyed }) => rekeyed);
  const marked = await revalidateDuplicates(db, currentRows(record), allRekeyed);
  const classes = noProducts();
  for (const part of changed) for (const name of rowClasses) classes[name] += part.classes[name];
  await moveCounts(db, record, { classes, facets: [...changed.flatMap(({ facets }) => facets), ...marked] });
}
