import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { lookupFields, type SourceAnswer } from '@draftshelf/domain/enrich/sources';
import { listWebPictures } from '@draftshelf/domain/products/images';
import type { Db } from '../../connection/database.ts';
import type { ImportRecord } from '../../connection/schema.ts';
import { refreshRows } from '../../reading/refresh-products.ts';
import { type AcceptedAiValue, readAcceptedAiValues } from '../../review/commands/stored-edits.ts';
import type { EffectiveRow } from '../../review/effective-rows.ts';
import { removeStaleProposals } from '../../review/proposals/proposals.ts';
import { currentRows } from '../../work/runs.ts';
import { readCoverage } from '../coverage.ts';
import { removeStaleFoundValues } from '../found-values.ts';
import { forgetLearnedValues, learnValues, type OwnAnswer } from '../lookups.ts';
import { applyCachedLookUps, readRowsByProduct } from './look-up-range.ts';
import { deriveProductFacts, type ProductFacts } from './product-facts.ts';

const isLookedUp = async (db: Db, record: ImportRecord): Promise<boolean> =>
  record.enable_upc && (await readCoverage(db, currentRows(record))).length > 0;

const readFields: readonly string[] = [...lookupFields, 'title', 'upc', 'moreImages'];

/** Returns whether an edit of these fields may change the look-ups of a product. */
export const canAffectLookUps = (fields: ReadonlySet<string>): boolean =>
  readFields.some((field) => fields.has(field));

/** `fields` are the edited fields. `before` has the rows of the products before the edit. */
type EditedProducts = {
  products: readonly number[];
  fields: ReadonlySet<string>;
  before: readonly (readonly EffectiveRow[])[];
};

/** Learns edited values, forgets undone ones and looks up empty fields. Returns whether the pictures have changed. */
export async function lookUpEditedProducts(
  db: Db,
  record: ImportRecord,
  { products, fields, before }: EditedProducts,
): Promise<boolean> {
  const isFollowed = await isLookedUp(db, record);
  if (!isFollowed && !lookupFields.some((field) => fields.has(field))) return false;
  const of = currentRows(record);
  const edited = await readRowsByProduct(db, of, products);
  const ownOf = await createAiValueRemover(db, record.id, edited.flat());
  const isEdit = (source: string | undefined) => source === 'edit';
  const learned = edited.flatMap((rows) => listLearnedValues(rows.map(ownOf), isEdit));
  const learnedBefore = before.flatMap((rows) => listLearnedValues(rows, isEdit));
  await forgetLearnedValues(db, noLongerLearned(learnedBefore, learned));
  await learnValues(db, learned);
  if (!isFollowed) return false;
  const facts = edited.map(deriveProductFacts);
  await refreshRows(db, record, await removeStaleFoundValues(db, of, facts));
  await removeStaleProposals(db, record.id, facts);
  const factsBefore = new Map(before.map(deriveProductFacts).map((one) => [one.row, one]));
  await applyCachedLookUps(db, record, products, before);
  const pictures = (one: ProductFacts | undefined) => one?.values.image ?? '';
  return facts.some((one) => pictures(one) !== pictures(factsBefore.get(one.row)));
}

type ValueSource = EffectiveRow['sources'][keyof EffectiveRow['sources']];

/** Returns values whose source `isOwn` accepts, with title and brand for comparison. File values have no source. */
export function listLearnedValues(
  rows: readonly EffectiveRow[],
  isOwn: (source: ValueSource) => boolean,
): OwnAnswer[] {
  const { gtin, values } = deriveProductFacts(rows);
  if (gtin === null || !values.title?.trim()) return [];
  const of = (field: 'vendor' | 'description' | 'type', isTaken = isOwn) =>
    isTaken(rows[0]?.sources[field]) && values[field]?.trim() ? values[field] : undefined;
  const images = rows.flatMap((row) => (isOwn(row.sources.image) ? listWebPictures(row.values) : []));
  const [description, category] = [of('description'), of('type')];
  if (!of('vendor') && !description && !category && images.length === 0) return [];
  const brand = of('vendor', (source) => source !== 'found');
  const answer: Partial<SourceAnswer> = {
    title: values.title,
    ...(brand ? { brand } : {}),
    ...(description ? { description } : {}),
    ...(category ? { category } : {}),
    ...(images.length > 0 ? { images } : {}),
  };
  return [{ gtin, answer }];
}

/** Returns the values that were learned before and that the products no longer have, for example after an undo. */
function noLongerLearned(before: readonly OwnAnswer[], now: readonly OwnAnswer[]): OwnAnswer[] {
  return before.flatMap(({ gtin, answer }) => {
    const learned = now.filter((one) => one.gtin === gtin);
    const gone = Object.entries(answer).filter(([field]) => !learned.some((one) => field in one.answer));
    return gone.length === 0 ? [] : [{ gtin, answer: Object.fromEntries(gone) }];
  });
}

/** Returns a function that replaces accepted AI values by the earlier ones, as found values, which are not learned. */
export async function createAiValueRemover(
  db: Db,
  importId: string,
  rows: readonly EffectiveRow[],
): Promise<(row: EffectiveRow) => EffectiveRow> {
  const edited = rows.filter(({ sources }) => Object.values(sources).includes('edit'));
  if (edited.length === 0) return (row) => row;
  const offsets = edited.map(({ byte_from }) => byte_from);
  const taken = Map.groupBy(await readAcceptedAiValues(db, importId, offsets), ({ byte_from }) => byte_from);
  return (row) => withoutAi(row, taken.get(row.byte_from) ?? []);
}

function withoutAi(row: EffectiveRow, taken: readonly AcceptedAiValue[]): EffectiveRow {
  if (taken.length === 0) return row;
  const [values, sources] = [{ ...row.values }, { ...row.sources }];
  for (const { field, value, before } of taken.toReversed() as (AcceptedAiValue & {
    field: CanonicalField;
  })[]) {
    if (row.sources[field] !== 'edit' || values[field] !== value) continue;
    if (before === null) delete values[field];
    else values[field] = before;
    sources[field] = 'found';
  }
  return { ...row, values, sources };
}
