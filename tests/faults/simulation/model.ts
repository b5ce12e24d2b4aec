import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { findImport } from '@draftshelf/core/imports/imports';
import { setMatchChoice } from '@draftshelf/core/push/push-run';
import { storeListAnswers } from '@draftshelf/core/suppliers/count-list';
import { readSupplierAnswers, setSupplierAnswers } from '@draftshelf/core/suppliers/suppliers';
import { pushImport } from '@draftshelf/core/work/import-actions';
import { fieldOfMetafield } from '@draftshelf/domain/base/metafields';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { type ListedValues, materialDefinition } from './stored-values.ts';

/**
 * `earlier` is a version of `list` with fewer products, other titles and prices; `other` has the same SKUs. `shorter`
 * and `shortest` lack the products that are gone since.
 */
export type Imports = Record<'earlier' | 'list' | 'other' | 'shorter' | 'shortest', string>;

/**
 * `read`: the imports are ready to be pushed; `pushed`: `earlier` was pushed; `updated`: then `list`, too; `unread`:
 * that push wrote its products, and did not read them back; `gone`: after `updated`, two complete lists lack products;
 * `emptied`: the quantities of these were set to 0.
 */
export type BaseName = 'read' | 'pushed' | 'updated' | 'unread' | 'gone' | 'emptied';

/** A product as the store is to have it, by its SKU. */
export type ModelProduct = { sku: string } & ListedValues;

/** `material` is as long in all versions of the list, so that products keep their places; null: blank. */
const product = (n: number, title: string, price: string, material: string | null, code: number) => ({
  ...{ sku: `V-${n}`, title: `${title} ${n}`, price, material, seoTitle: `${title} no ${n}` },
  // Of products with even numbers, each version says another quantity.
  quantity: n % 2 === 0 ? code : 50 + n,
  status: 'DRAFT' as const,
  // One has a second variant.
  large: n === 3 ? { sku: `V-${n}-L`, price: `5${price.slice(1)}`, quantity: code + 10 } : null,
  category: `gid://shopify/TaxonomyCategory/hg-3-${code}`,
});

const bowls = [1, 2, 3, 4, 5, 6].map((n) => product(n, 'Bowl', `${n}.50`, n === 2 ? null : `Wood ${n}`, 65));

/** Products that the last two lists lack. */
export const gone: ReadonlySet<string> = new Set(['V-5', 'V-6']);

const left = bowls.filter(({ sku }) => !gone.has(sku));

/** The products of the imports. The list takes the material of the second one back. */
export const listed: Record<keyof Imports, readonly ModelProduct[]> = {
  earlier: [1, 2, 3].map((n) => product(n, 'Vase', `9.${n}0`, `Clay ${n}`, 66)),
  list: bowls,
  other: [1, 2, 3, 4, 5, 6].map((n) => product(n, 'Lamp', `3${n}.00`, `Iron ${n}`, 66)),
  shorter: left,
  shortest: left.toReversed(),
};

/** Products that get a metafield of another app after the first push: their lists cannot be replaced since then. */
export const rated: ReadonlySet<string> = new Set(['V-1', 'V-2']);

/** The lines of a file with products. */
export const linesOf = (products: readonly ModelProduct[]): string[][] => [
  ['Title', 'Price', 'SKU', 'Material', 'SEO title', 'Shopify category', 'Quantity', 'Handle', 'Size'],
  ...products.flatMap((one) => {
    const { title, material, seoTitle, category, large } = one;
    return (large ? [one, large] : [one]).map(({ sku, price, quantity }) => [
      ...[title, price, sku, material ?? ' '.repeat(6), seoTitle],
      ...[category.slice(category.lastIndexOf('/') + 1), `${quantity}`, `of-${one.sku}`],
      large === null ? '' : sku === large.sku ? 'L' : 'S',
    ]);
  }),
];

/** The mapping of such a file, with its material for a metafield of the store. */
export const withMaterial = (mapping: HeaderMapping): HeaderMapping => ({
  ...mapping,
  columns: mapping.columns.map((one, at) => (at === 3 ? { ...one, field: materialField } : one)),
  sources: { ...mapping.sources, [materialField]: [3] },
});

const materialField = fieldOfMetafield(materialDefinition);

/** Products of a chunk, so that several chunks of a small push run at once. */
const batchSize = 3;

/** Begins a push of an import, which skips what the store has under another id. */
export async function beginPush({ db }: OpenDatabase, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const pushed = await pushImport(trx, id, batchSize, { supplier: null });
    if (!pushed.ok) throw new Error(pushed.reason);
    await setMatchChoice(trx, { import_id: id, run: pushed.import.push_run }, 'skip');
  });
}

/** Lets a list count as a complete one. */
export async function countComplete({ db }: OpenDatabase, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { supplier } = (await findImport(trx, id)) ?? {};
    const answers = supplier ? await readSupplierAnswers(trx, supplier) : undefined;
    if (!supplier || !answers) throw new Error('The list has no supplier');
    await setSupplierAnswers(trx, supplier, { ...answers, sendsComplete: true });
    const answered = await storeListAnswers(trx, id, { counts: true, isWhole: true });
    if (!answered.ok) throw new Error(answered.reason);
  });
}
