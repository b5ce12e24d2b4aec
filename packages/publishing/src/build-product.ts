import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { deriveOurId } from '@draftshelf/core/imports/our-id';
import { readCategoryChoices } from '@draftshelf/core/push/category-choices';
import { listDefinitions } from '@draftshelf/core/push/store/metafield-definitions';
import {
  type EffectiveRow,
  findLeftOutIndexes,
  isFileRow,
  readRowsOfProductNumbers,
} from '@draftshelf/core/review/effective-rows';
import { readPictureFacts } from '@draftshelf/core/review/picture-facts';
import { applyCurrentProducts } from '@draftshelf/core/scanner/store-values';
import { currentRows, type RunOfRows, readParseRun } from '@draftshelf/core/work/runs';
import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import {
  fieldOfMetafield,
  isSameDefinition,
  type MappedMetafield,
  metafieldName,
} from '@draftshelf/domain/base/metafields';
import { type Category, categoryOfId, categoryPathOf } from '@draftshelf/domain/products/categories';
import type { DraftOptions, DraftResult } from '@draftshelf/domain/products/draft-product';
import { listWebPictures } from '@draftshelf/domain/products/images';
import { keysOf, type ProductKey } from '@draftshelf/domain/products/product-keys';
import { toProductFacts } from '@draftshelf/domain/products/silent-fields';
import { moveParentFirst } from '@draftshelf/domain/products/variant-rows';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { issuesIn } from '@draftshelf/domain/review/issue-set';
import {
  buildDraft,
  currencySentence,
  importSource,
  leftOutRowsSentence,
  omittedImagesSentence,
  type PictureFacts,
} from './build-draft.ts';
import type { DraftSource } from './draft-source.ts';
import { joinSentences } from './questions.ts';

export type BuiltProduct = {
  number: number;
  firstRow: number;
  ourId: string;
  built: DraftResult;
  source: DraftSource;
  /** Note for the outcome, for example about rows, images or metafields that were left out. Null if there is none. */
  note: string | null;
  keys: ProductKey[];
};

export type BuildOptions = {
  draftMode: boolean;
  currency: string;
  /** Allowed hosts of pictures. Empty if all hosts are allowed. */
  imageHosts: readonly string[];
};

/** Builds the drafts of an import's products as a push sends them. `grouped`: product numbers with their rows. */
export async function buildProducts(
  db: Db,
  record: ImportRecord,
  grouped: readonly (readonly [number, readonly EffectiveRow[]])[],
  { draftMode, currency, imageHosts }: BuildOptions,
): Promise<BuiltProduct[]> {
  const ofAll = grouped.flatMap(([, rows]) => rows);
  const known = { ...(await readPictureFacts(db, currentRows(record), ofAll)), hosts: imageHosts };
  const options = { draftMode, importSource, currency };
  const { mapping, isPartial } = await readParseRun(db, currentRows(record));
  const { metafields, changed } = await sendableMetafields(db, mapping);
  const left = new Set<string>(changed.map(fieldOfMetafield));
  const mapped = Object.keys(mapping.sources).filter((field) => !left.has(field));
  const ofProducts = metafields.length > 0 ? { ...options, metafields } : options;
  const paths = grouped.flatMap(([, rows]) => pathOfRows(rows) ?? []);
  const categories = await readCategoryChoices(db, record, paths);
  const building = { options: ofProducts, known, mapped, changed, categories };
  return grouped.map(([number, rows]) =>
    isPartial && rows.every(isFileRow)
      ? buildPartial(record, number, rows, building)
      : buildProduct(record, number, rows, building),
  );
}

/** Splits the mapped metafields. Those in `changed` are not sent, because the store has changed their definition. */
async function sendableMetafields(
  db: Db,
  { metafields = [] }: Pick<HeaderMapping, 'metafields'>,
): Promise<{ metafields: MappedMetafield[]; changed: MappedMetafield[] }> {
  if (metafields.length === 0) return { metafields: [], changed: [] };
  const now = new Map((await listDefinitions(db)).map((one) => [metafieldName(one), one]));
  const isAsRead = (one: MappedMetafield) => {
    const current = now.get(metafieldName(one));
    return current !== undefined && isSameDefinition(current, one);
  };
  return { metafields: metafields.filter(isAsRead), changed: metafields.filter((one) => !isAsRead(one)) };
}

const changedSentence = (changed: readonly MappedMetafield[]): string | null =>
  changed.length === 0
    ? null
    : `Not sent, because the store has changed or removed the definition: ${changed.map(({ name }) => name).join(', ')}. Re-read the file to send it.`;

export type BuildProducts = (grouped: readonly [number, EffectiveRow[]][]) => Promise<BuiltProduct[]>;

/** Returns a function that reads the rows of products by number and builds the products. */
export const createBuildByNumber =
  (db: Db, of: RunOfRows, build: BuildProducts) =>
  async (numbers: readonly number[]): Promise<BuiltProduct[]> => {
    const { rows } = await applyCurrentProducts(db, of, await readRowsOfProductNumbers(db, of, numbers));
    return build([...Map.groupBy(rows, (row) => row.product)]);
  };

/** Builds a product from a list of prices and stock, without found values: the store's own values stay. */
function buildPartial(
  record: ImportRecord,
  number: number,
  rows: readonly EffectiveRow[],
  building: Building,
): BuiltProduct {
  const known = rows
    .filter(({ issues }) => !issuesIn(issues).includes('unknown-product'))
    .map((row) => ({ ...row, values: withoutFound(row) }));
  const options = { ...building.options, isPartial: true };
  const product = buildProduct(record, number, known.length > 0 ? known : rows, { ...building, options });
  const [first] = rows;
  const ourId = first ? deriveOurId(record, first) : product.ourId;
  // Without keys, the product is identified only by its listing, and no product of the store is matched with it.
  return { ...product, ourId, keys: [], ...(known.length > 0 ? {} : { built: unknownProduct }) };
}

const withoutFound = ({ values, sources }: EffectiveRow): RowValues =>
  Object.fromEntries(
    Object.entries(values).filter(([field]) => (sources as Record<string, string>)[field] !== 'found'),
  );

const unknownProduct = { ok: false, reason: 'Unknown product', missing: [] } satisfies DraftResult;

type Building = {
  options: DraftOptions;
  known: KnownPictures;
  mapped: readonly string[];
  changed: readonly MappedMetafield[];
  categories: ReadonlyMap<string, Category>;
};

const pathOfRows = (rows: readonly EffectiveRow[]): string | null => {
  const [first = {}] = moveParentFirst(rows.map(({ values }) => values));
  return categoryPathOf(first);
};

function buildProduct(
  record: ImportRecord,
  number: number,
  rows: readonly EffectiveRow[],
  { options, known, mapped, changed, categories }: Building,
): BuiltProduct {
  const [first] = rows;
  if (!first) throw new Error(`Product ${number} has no rows`);
  const values = rows.map((row) => row.values);
  const pictures = factsOf(values.flatMap(listWebPictures), known);
  const leftOut = findLeftOutIndexes(rows);
  const isDamaged = rows.some((row) => row.isDamaged) && leftOut.length < rows.length;
  const path = pathOfRows(rows);
  const category = categoryOfId(path) ?? categories.get(path ?? '');
  const said = { ...toProductFacts(mapped, rows), ...(category && { category }) };
  const built = isDamaged ? damagedProduct : buildDraft(values, options, pictures, leftOut, said);
  const source = { rows: values, options, pictures, ...(leftOut.length > 0 ? { leftOut } : {}), said };
  const note = joinSentences(
    leftOutRowsSentence(leftOut.length),
    omittedImagesSentence(built.omitted, pictures),
    currencySentence(values, options.currency, leftOut),
    changedSentence(changed.filter((one) => values.some((row) => row[fieldOfMetafield(one)]))),
  );
  const keys = built.ok ? keysOf(built.product, source.rows) : [];
  return { number, firstRow: first.row, ourId: deriveOurId(record, first), built, source, note, keys };
}

/** Refusal of a product with a damaged row. Without that row, the push would remove the row's variant in the store. */
const damagedProduct = {
  ok: false,
  reason: 'Missing required fields',
  missing: ['a row whose stored data is damaged'],
  omitted: [],
} as const satisfies DraftResult & { omitted: readonly string[] };

type KnownPictures = Awaited<ReturnType<typeof readPictureFacts>> & { hosts: readonly string[] };

function factsOf(urls: readonly string[], { bad, credits, hosts }: KnownPictures): PictureFacts {
  return {
    bad: Object.fromEntries(urls.flatMap((url) => (bad.has(url) ? [[url, bad.get(url) ?? null]] : []))),
    credits: Object.fromEntries(
      urls.flatMap((url) => (credits.has(url) ? [[url, credits.get(url) ?? '']] : [])),
    ),
    hosts,
  };
}
