import { lookupFields } from '@draftshelf/domain/enrich/sources';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { refreshRows } from '../../reading/refresh-products.ts';
import type { EffectiveRow } from '../../review/effective-rows.ts';
import { removeStaleProposals } from '../../review/proposals/proposals.ts';
import { currentRows } from '../../work/runs.ts';
import { readCoverage } from '../coverage.ts';
import { removeStaleFound } from '../found-values.ts';
import { forgetLearned, learnValues } from '../lookups.ts';
import { learnedFrom, noLongerLearned, readOwnValues } from './learned-values.ts';
import { lookUpNumbers, readRowsByProduct } from './look-up-range.ts';
import { type ProductFacts, productFacts } from './product-facts.ts';

const isLookedUp = async (db: Db, record: ImportRecord): Promise<boolean> =>
  record.enable_upc && (await readCoverage(db, currentRows(record))).length > 0;

const readFields: readonly string[] = [...lookupFields, 'title', 'upc', 'moreImages'];

/** Whether an edit of these fields may change what is looked up. */
export const readsLookUps = (fields: ReadonlySet<string>): boolean =>
  readFields.some((field) => fields.has(field));

/** `fields`: the edited ones; `before`: the products' rows before the edit, if any. */
type EditedProducts = {
  products: readonly number[];
  fields: ReadonlySet<string>;
  before: readonly (readonly EffectiveRow[])[];
};

/** Learns edited values, forgets undone and stale ones, and looks up empty fields. Returns whether pictures changed. */
export async function lookUpChanged(
  db: Db,
  record: ImportRecord,
  { products, fields, before }: EditedProducts,
): Promise<boolean> {
  const isFollowed = await isLookedUp(db, record);
  if (!isFollowed && !lookupFields.some((field) => fields.has(field))) return false;
  const of = currentRows(record);
  const edited = await readRowsByProduct(db, of, products);
  const ownOf = await readOwnValues(db, record.id, edited.flat());
  const isEdit = (source: string | undefined) => source === 'edit';
  const learned = edited.flatMap((rows) => learnedFrom(rows.map(ownOf), isEdit));
  const learnedBefore = before.flatMap((rows) => learnedFrom(rows, isEdit));
  await forgetLearned(db, noLongerLearned(learnedBefore, learned));
  await learnValues(db, learned);
  if (!isFollowed) return false;
  const facts = edited.map(productFacts);
  await refreshRows(db, record, await removeStaleFound(db, of, facts));
  await removeStaleProposals(db, record.id, facts);
  const factsBefore = new Map(before.map(productFacts).map((one) => [one.row, one]));
  await lookUpNumbers(db, record, products, before);
  const pictures = (one: ProductFacts | undefined) => one?.values.image ?? '';
  return facts.some((one) => pictures(one) !== pictures(factsBefore.get(one.row)));
}
