import { createHash } from 'node:crypto';
import { readPreferences } from '@draftshelf/database/access/preferences';
import type { Db } from '@draftshelf/database/connection/database';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { countTornRows, readPriceChanges, readSinceReadMs } from '@draftshelf/database/push/auto-push';
import { findPushedLayout, rememberPushedLayout } from '@draftshelf/database/push/pushed-layouts';
import { readShopAt } from '@draftshelf/database/push/store/shops';
import { readOtherCurrencies, readPriceQuestions } from '@draftshelf/database/review/price-question';
import { currentRows, readParseRun } from '@draftshelf/database/work/runs';
import { hasAnyOpenTask, hasOpenTask, hasTaskFailed } from '@draftshelf/database/work/tasks';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { type AutoPushFacts, columnCertainty, isPriceJump } from '@draftshelf/domain/push/auto-push';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { lookupTasks, type TaskKind } from '@draftshelf/domain/work/task-catalog';
import { layoutOf } from '../reading/recall-mapping.ts';

/** The store that pushes go to, by its address; null: none is connected. */
export type StoreNow = { url: string } | null;

/** Tasks that may still change products, or find pictures that cannot be sent. */
const lookUps: TaskKind[] = [
  'look-up-products',
  'look-up-again',
  'check-images',
  ...Object.values(lookupTasks),
];

/** Reads the facts that decide whether full-auto pushes an import. */
export async function readAutoPushFacts(
  db: Db,
  record: ImportRecord,
  store: StoreNow,
): Promise<AutoPushFacts> {
  const rows = currentRows(record);
  const { headers, mapping, currency } = await readParseRun(db, rows);
  const fingerprint = pushedLayoutOf(headers, mapping);
  const layout = fingerprint === null ? undefined : await findPushedLayout(db, fingerprint);
  const { autoPushMax } = await readPreferences(db);
  const isSmall = record.total_products <= autoPushMax;
  // An import that is too large anyway is not read.
  const torn = isSmall ? await countTornRows(db, rows) : { joined: 0, shifted: 0 };
  const shop = store && (await readShopAt(db, store.url));
  const changes = isSmall && shop ? await readPriceChanges(db, rows, shop.shop) : [];
  return {
    isStoreConnected: store !== null,
    title: columnCertainty(mapping, 'title', layout !== undefined),
    price: columnCertainty(mapping, 'price', layout !== undefined),
    storeCurrency: currency,
    currencyNow: shop?.currency ?? null,
    otherCurrencies: await openCurrencies(db, record, { mapping, agreed: layout?.currencies ?? [] }),
    products: record.total_products,
    validProducts: record.valid_products,
    rows: record.total_rows,
    shiftedRows: torn.shifted,
    joinedRows: torn.joined,
    productsMax: autoPushMax,
    pushedBefore: layout?.products_max ?? null,
    matched: changes.length,
    priceJumps: changes.filter(({ before, after }) => isPriceJump(Number(before), Number(after))).length,
    isApplyingRules: await hasOpenTask(db, record.id, 'apply-rules'),
    haveRulesFailed: await hasTaskFailed(db, rows, 'apply-rules'),
    isLookingUp: await hasAnyOpenTask(db, record.id, lookUps),
    sinceReadMs: await readSinceReadMs(db, record.id),
  };
}

const sentAs = (named: string, store: string) => `${named} as ${store}`;

/** Currencies of the import that the operator has not agreed to send as they are, for it or for its layout. */
async function openCurrencies(
  db: Db,
  record: ImportRecord,
  { mapping, agreed }: { mapping: HeaderMapping; agreed: readonly string[] },
): Promise<string[]> {
  const question = (await readPriceQuestions(db, [record])).get(record.id);
  if (!question || question.answer === 'send') return [];
  const { named, store, answer } = question;
  if (answer === 'hold' || agreed.length === 0) return named;
  // The question names currencies of the first rows only.
  const all = await readOtherCurrencies(db, currentRows(record), { mapping, store });
  return all === null ? named : all.filter((one) => !agreed.includes(sentAs(one, store)));
}

/** Identifies files with these headers whose title and price come from the same columns; null: they have no names. */
function pushedLayoutOf(headers: readonly string[], mapping: HeaderMapping): string | null {
  const layout = layoutOf(headers);
  if (layout === null) return null;
  const columnOf = (field: CanonicalField) =>
    mapping.columns[mapping.sources[field]?.[0] ?? -1]?.header ?? '';
  const layoutAndColumns = JSON.stringify([layout, columnOf('title'), columnOf('price')]);
  return createHash('sha256').update(layoutAndColumns).digest('hex');
}

/** Remembers the layout of an import that an operator has pushed, and the currencies that were sent as they are. */
export async function rememberLayout(db: Db, record: ImportRecord): Promise<void> {
  const { headers, mapping } = await readParseRun(db, currentRows(record));
  const fingerprint = pushedLayoutOf(headers, mapping);
  if (fingerprint === null || record.test_mode) return;
  const question = (await readPriceQuestions(db, [record])).get(record.id);
  const currencies =
    question?.answer === 'send' ? question.named.map((named) => sentAs(named, question.store)) : [];
  await rememberPushedLayout(db, { fingerprint, products: record.total_products, currencies });
}
