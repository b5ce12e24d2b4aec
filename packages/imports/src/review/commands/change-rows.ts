import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import type { RekeyedRow } from '@draftshelf/database/review/duplicates';
import type { EffectiveRow } from '@draftshelf/database/review/effective-rows';
import { moveFacets } from '@draftshelf/database/review/row-facets';
import { replaceSearchRows, searchRowOf } from '@draftshelf/database/review/search/row-search';
import { currentRows, readRowRules } from '@draftshelf/database/work/runs';
import type { RowClass } from '@draftshelf/domain/review/row-rule';
import { factsOf, lookUpChanged, readsLookUps } from '../../enrich/lookups/look-up-edited.ts';
import { validateRows } from '../../reading/validate-products.ts';

/** All rows of some products before their edits and after, in the same order. */
export type EditedRows = { before: readonly EffectiveRow[]; after: readonly EffectiveRow[] };

/** What is left to do for the import after its rows have changed. */
export type RowsChanged = {
  /** Products by class, as differences. */
  classes: Record<RowClass, number>;
  /** The rows with another SKU or UPC: their duplicates are still as before. */
  rekeyed: RekeyedRow[];
  /** Whether pictures have changed, which are to be checked. */
  pictured: boolean;
};

/**
 * Validates the rows of products whose edits are stored, and updates their typed columns, facets, search texts and
 * look-ups; does not lock the import. `fields`: those that were edited. The caller holds the lock of the import's rows.
 */
export async function changeRows(
  db: Db,
  record: ImportRecord,
  { before, after }: EditedRows,
  fields: ReadonlySet<string>,
): Promise<RowsChanged> {
  const of = currentRows(record);
  const pairs = before.map((row, at) => ({ before: row, now: after[at] ?? row }));
  const validated = await validateRows(db, of, pairs, await readRowRules(db, of));
  await moveFacets(db, of, validated.facets);
  const texts = new Map(before.map((row) => [row.row, searchRowOf(row.row, row.values, row).text]));
  await replaceSearchRows(
    db,
    of,
    validated.searched.filter(({ row, text }) => texts.get(row) !== text),
  );
  const pictured = readsLookUps(fields) && (await updateLookUps(db, record, before, fields));
  const rekeyed = validated.rekeyed.filter((row) => isRekeyed(row));
  return { classes: validated.classes, rekeyed, pictured };
}

const isRekeyed = ({ before, after }: RekeyedRow): boolean =>
  before.sku !== after.sku || before.gtin !== after.gtin;

async function updateLookUps(
  db: Db,
  record: ImportRecord,
  before: readonly EffectiveRow[],
  fields: ReadonlySet<string>,
): Promise<boolean> {
  const products = Map.groupBy(before, ({ product }) => product);
  const facts = await factsOf(db, record, [...products.values()]);
  return lookUpChanged(db, record, { products: [...products.keys()], fields, before: facts });
}
