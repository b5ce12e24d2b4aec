import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { findImport } from '@draftshelf/core/imports/imports';
import { auditImport } from '@draftshelf/core/operate/audit/audit-import';
import { differenceSentence } from '@draftshelf/domain/operate/audit';
import type { TestStore } from '../../store/start-store.ts';
import type { Merchant } from './merchant.ts';
import { type Prepared, productsOf } from './prepared.ts';

type InStore = Awaited<ReturnType<TestStore['products']>>[number];

const hasSku = (sku: string) => (product: InStore) => product.variants.some((one) => one.sku === sku);

/** Products that the store has more than once. Asked after each call, because a later one may hide it. */
export function doubles(inStore: readonly InStore[]): string[] {
  const skus = inStore.flatMap(({ variants }) => variants.map(({ sku }) => sku));
  return [...new Set(skus.filter((sku, at) => skus.indexOf(sku) !== at))].map(
    (sku) => `${sku} was made twice`,
  );
}

/** What differs from the model when all has come to rest: store, outcomes, ledger, and what is left over. */
export async function judge(
  { db }: OpenDatabase,
  store: TestStore,
  { importId, products }: Prepared,
  merchant: Merchant,
): Promise<string[]> {
  const wrong: string[] = [];
  const record = await findImport(db, importId);
  if (record?.status !== 'completed') {
    wrong.push(`the import is ${record?.status}: ${record?.error_message} ${record?.waiting_for}`);
  }
  const outcomes = await db.selectFrom('outcomes').selectAll().where('import_id', '=', importId).execute();
  const named = new Set(outcomes.map((one) => Number(one.store_product_id?.split('/').at(-1))));
  const inStore = await store.products();
  wrong.push(...doubles(inStore));
  for (const { title, price, sku } of productsOf(products)) {
    const [found] = inStore.filter(hasSku(sku));
    const deleted = merchant.deleted.get(sku);
    if (deleted?.known && found) wrong.push(`${sku} was deleted by the merchant and is there again`);
    if (!found && !deleted) wrong.push(`${sku} is missing`);
    if (!found) continue;
    const should = `${merchant.titles.get(sku) ?? title} ${price} DRAFT`;
    const is = `${found.title} ${found.variants[0]?.price} ${found.status}`;
    if (is !== should) wrong.push(`${sku} is ${is}, should be ${should}`);
    if (!named.has(Number(found.id))) wrong.push(`no outcome names ${sku}`);
  }
  if (outcomes.length !== products) wrong.push(`${outcomes.length} outcomes for ${products} products`);
  const unexpected = outcomes.filter(({ outcome }) => outcome === 'failed');
  for (const one of unexpected) wrong.push(`product ${one.product} has failed: ${one.message}`);
  const sending = await db.selectFrom('listings').select('our_id').where('sending', 'is not', null).execute();
  if (sending.length > 0) wrong.push(`${sending.length} products are still being sent`);
  wrong.push(...(await auditImport(db, importId)).map(differenceSentence));
  return wrong;
}
