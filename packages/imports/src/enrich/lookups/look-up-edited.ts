import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { readCoverage } from '@draftshelf/database/enrich/coverage';
import { removeStaleFound } from '@draftshelf/database/enrich/found-values';
import { learnValues } from '@draftshelf/database/enrich/lookups';
import type { EffectiveRow } from '@draftshelf/database/review/effective-rows';
import { removeStaleProposals } from '@draftshelf/database/review/proposals/proposals';
import { currentRows } from '@draftshelf/database/work/runs';
import { lookupFields } from '@draftshelf/domain/enrich/sources';
import { learnedFrom } from './learned-values.ts';
import { readRowsByProduct } from './look-up-range.ts';
import { readOwnValues } from './own-values.ts';
import { type ProductFacts, productFacts } from './product-facts.ts';
import { reconcileProducts } from './reconcile-products.ts';

/** The facts of products before an edit, by first row; null if the import's products are not looked up. */
export type FactsBefore = Map<number, ProductFacts> | null;

/** The facts of products, by their rows before an edit changes them. */
export async function factsOf(
  db: Db,
  record: ImportRecord,
  products: readonly (readonly EffectiveRow[])[],
): Promise<FactsBefore> {
  return (await isLookedUp(db, record)) ? byRow(products) : null;
}

const isLookedUp = async (db: Db, record: ImportRecord): Promise<boolean> =>
  record.enable_upc && (await readCoverage(db, currentRows(record))).length > 0;

const byRow = (products: readonly (readonly EffectiveRow[])[]) =>
  new Map(products.map(productFacts).map((one) => [one.row, one]));

/** The fields that look-ups read of products. */
const readFields: readonly string[] = [...lookupFields, 'title', 'upc', 'moreImages'];

/** Whether an edit of these fields may change what is looked up. */
export const readsLookUps = (fields: ReadonlySet<string>): boolean =>
  readFields.some((field) => fields.has(field));

/** `products`: their numbers; `fields`: those that were edited. */
type EditedProducts = { products: readonly number[]; fields: ReadonlySet<string>; before: FactsBefore };

/**
 * Updates look-ups after an edit: stores edited values as the operator's own answers, removes values found by a GTIN
 * that a product no longer has, and looks up fields that are empty now. The caller enqueues the tasks for it
 * (`enqueueAfterEdit`). Returns whether pictures have changed.
 */
export async function lookUpChanged(
  db: Db,
  record: ImportRecord,
  { products, fields, before }: EditedProducts,
): Promise<boolean> {
  if (before === null && !lookupFields.some((field) => fields.has(field))) return false;
  const of = currentRows(record);
  const edited = await readRowsByProduct(db, of, products);
  const ownOf = await readOwnValues(db, record.id, edited.flat());
  await learnValues(
    db,
    edited.flatMap((rows) => learnedFrom(rows.map(ownOf), (source) => source === 'edit')),
  );
  if (before === null) return false;
  const facts = edited.map(productFacts);
  await removeStaleFound(db, of, facts);
  await removeStaleProposals(db, record.id, facts);
  const states = new Map([...before].map(([row, one]) => [row, one.states]));
  await reconcileProducts(db, of, await readRowsByProduct(db, of, products), states);
  const pictures = (one: ProductFacts | undefined) => one?.values.image ?? '';
  return facts.some((one) => pictures(one) !== pictures(before.get(one.row)));
}
