import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { canAffectLookUps, lookUpEditedProducts } from '../../enrich/lookups/look-up-edited.ts';
import { mergeValidations, type ValidatedProducts, validateRows } from '../../reading/validate-products.ts';
import { currentRows, readRowRules } from '../../work/runs.ts';
import type { RekeyedRow } from '../duplicates.ts';
import { computeValues, type EffectiveRow } from '../effective-rows.ts';
import { reopenProposals } from '../proposals/decided-proposals.ts';
import { applyCellChanges } from './operate.ts';
import { insertEdits, type NewEdit } from './stored-edits.ts';

export type EditsWithRows = { before: readonly EffectiveRow[]; edits: readonly NewEdit[] };

export type ChangedRows = ValidatedProducts & { pictured: boolean };

/** Stores edits and validates their products. The caller locks the rows and passes the result to `updateCounts`. */
export async function applyCellEdits(
  db: Db,
  record: ImportRecord,
  command: string,
  { before, edits }: EditsWithRows,
): Promise<ChangedRows> {
  if (edits.length === 0) return { ...mergeValidations([]), pictured: false };
  await insertEdits(db, record.id, command, edits);
  const removed = edits.filter(({ after }) => after === null);
  await reopenProposals(db, record.id, removed);
  const of = currentRows(record);
  // A status carried over from an earlier list counts as the file's status, so all values are computed again.
  const isComputed = removed.length > 0 || edits.some(({ field }) => field === 'status');
  const after = isComputed ? await computeValues(db, of, before) : valuesAfter(before, edits);
  const pairs = before.map((row, at) => ({ before: row, now: after[at] ?? row }));
  const validated = await validateRows(db, of, pairs, await readRowRules(db, of));
  const fields = new Set(edits.map(({ field }) => field));
  const products = Map.groupBy(before, ({ product }) => product);
  const edited = { products: [...products.keys()], fields, before: [...products.values()] };
  const pictured = canAffectLookUps(fields) && (await lookUpEditedProducts(db, record, edited));
  return { ...validated, rekeyed: validated.rekeyed.filter(isRekeyed), pictured };
}

function valuesAfter(before: readonly EffectiveRow[], edits: readonly NewEdit[]): EffectiveRow[] {
  const offsets = new Map(before.map(({ row, byte_from }) => [row, byte_from]));
  return applyCellChanges(
    before,
    edits.filter(({ row, byteFrom }) => offsets.get(row) === byteFrom),
  );
}

const isRekeyed = ({ before, after }: RekeyedRow): boolean =>
  before.sku !== after.sku || before.gtin !== after.gtin;
