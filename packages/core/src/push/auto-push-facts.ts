import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { type AutoPushFacts, columnCertainty, isPriceJump } from '@draftshelf/domain/push/auto-push';
import { askedColumns } from '@draftshelf/domain/reading/column-questions';
import { lookupTasks, type TaskKind } from '@draftshelf/domain/work/task-catalog';
import { readPreferences } from '../access/preferences.ts';
import type { Db } from '../connection/database.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { readPicturesNotice } from '../reading/file-tables.ts';
import { currentRows, readParseRun } from '../work/runs.ts';
import { hasAnyOpenTask, hasOpenTask, hasTaskFailed } from '../work/tasks.ts';
import { countTornRows, readPriceChanges, readSinceReadMs } from './auto-push.ts';
import { readGuardFindings } from './guard-findings.ts';
import { readListFacts, readOwnList } from './list-facts.ts';
import { findPushedBefore, openCurrencies } from './pushed-before.ts';
import { readShopAt } from './store/shops.ts';

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
  const { headers, mapping, currency, isPartial } = await readParseRun(db, rows);
  const before = await findPushedBefore(db, record, { headers, mapping });
  const certaintyOf = (field: CanonicalField) => {
    const certainty = columnCertainty(mapping, field, before.isKnown);
    // A list of prices and stock need not have them.
    return certainty === 'none' && isPartial ? 'certain' : certainty;
  };
  const { autoPushMax } = await readPreferences(db);
  const isSmall = record.total_products <= autoPushMax;
  // An import that is too large anyway is not read.
  const torn = isSmall ? await countTornRows(db, rows) : { joined: 0, shifted: 0 };
  const shop = store && (await readShopAt(db, store.url));
  const changes = isSmall && shop ? await readPriceChanges(db, rows, shop.shop) : [];
  return {
    isStoreConnected: store !== null,
    title: certaintyOf('title'),
    price: certaintyOf('price'),
    questions: askedColumns(mapping).map(({ sentence }) => sentence),
    storeCurrency: currency,
    currencyNow: shop?.currency ?? null,
    otherCurrencies: await openCurrencies(db, record, before.currencies),
    products: record.total_products,
    validProducts: record.valid_products,
    rows: record.total_rows,
    shiftedRows: torn.shifted,
    joinedRows: torn.joined,
    productsMax: autoPushMax,
    pushedBefore: before.products,
    list: await readListFacts(db, record, await readOwnList(db, record)),
    matched: changes.length,
    priceJumps: changes.filter(({ before, after }) => isPriceJump(Number(before), Number(after))).length,
    guards: await readGuardFindings(db, rows),
    isCheckingGuards: await hasOpenTask(db, record.id, 'check-guards'),
    haveGuardsFailed: await hasTaskFailed(db, rows, 'check-guards'),
    isApplyingRules: await hasOpenTask(db, record.id, 'apply-rules'),
    haveRulesFailed: await hasTaskFailed(db, rows, 'apply-rules'),
    isRepeating: await hasOpenTask(db, record.id, 'apply-recipes'),
    isTakingPictures: await hasAnyOpenTask(db, record.id, ['take-pictures', 'match-pictures']),
    havePicturesFailed:
      (await hasTaskFailed(db, { import_id: record.id, run: 1 }, 'take-pictures')) ||
      (await hasTaskFailed(db, rows, 'match-pictures')) ||
      (await readPicturesNotice(db, record.id)) !== null,
    isLookingUp: await hasAnyOpenTask(db, record.id, lookUps),
    sinceReadMs: await readSinceReadMs(db, record.id),
  };
}
