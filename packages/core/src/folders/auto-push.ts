import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import {
  type AutoPushFacts,
  decideAutoPush,
  heldSentences,
  isPriceJump,
  rateColumn,
} from '@draftshelf/domain/push/auto-push';
import { describeQuestions } from '@draftshelf/domain/reading/column-questions';
import { lookupTasks, type TaskKind } from '@draftshelf/domain/work/task-catalog';
import type { Kysely } from 'kysely';
import { readPreferences } from '../access/preferences.ts';
import { timeFromNow } from '../connection/clock.ts';
import { type Db, isBusyError, isDatabaseUnavailable } from '../connection/database.ts';
import type { ImportRecord, Schema } from '../connection/schema.ts';
import { type ActionRefusal, type ActionResult, wrongStatusRefusal } from '../imports/action-result.ts';
import { changeImport, findImport, lockImport } from '../imports/imports.ts';
import { recordEvent } from '../imports/record-event.ts';
import {
  countDamagedRows,
  holdAutoPush,
  listImportsToPush,
  lockImportToPush,
  readMsSinceParse,
  readPriceChanges,
} from '../push/auto-push.ts';
import { readGuardFindings, readListFacts, readListOfImport } from '../push/list-facts.ts';
import { findEarlierPushFacts, findUnagreedCurrencies } from '../push/pushed-before.ts';
import { findShopByUrl } from '../push/store/shops.ts';
import { readPicturesNotice } from '../reading/file-tables.ts';
import { carryNewerValues } from '../suppliers/carry-newer.ts';
import { pushImport } from '../work/import-actions.ts';
import { currentRows, readParseRun } from '../work/runs.ts';
import { hasOpenTask, hasTaskFailed } from '../work/tasks.ts';

/** Decides on full-auto imports and pushes due ones, each in its own transaction. At the end throws the last error. */
export async function pushDueImports(db: Kysely<Schema>, readStore: () => Promise<StoreNow>): Promise<void> {
  const ids = await listImportsToPush(db);
  if (ids.length === 0) return;
  const store = await readStore();
  let failure: unknown;
  for (const id of ids) {
    try {
      await carryNewerValues(db, id);
      await db.transaction().execute((trx) => decideOne(trx, id, store));
    } catch (error) {
      failure = error;
      if (isBusyError(error) || isDatabaseUnavailable(error)) continue;
      // After any other error, the import is held for a person, because it would otherwise be tried for ever.
      await db.transaction().execute((trx) => hold(trx, id, heldSentences.unreadable));
    }
  }
  if (failure !== undefined) throw failure;
}

/** Decides on an import. Checks all facts again before a push, because store, prices and layout may have changed. */
async function decideOne(db: Db, id: string, store: StoreNow): Promise<void> {
  const record = await lockImportToPush(db, id);
  if (!record) return;
  const decision = decideAutoPush(await readAutoPushFacts(db, record, store));
  if (decision.is === 'held') return hold(db, id, decision.sentence);
  if (decision.is === 'wait') return;
  if (record.auto_push_at !== null) {
    await pushImport(db, id, undefined, { automatic: true });
  } else {
    const { autoPushDelayMinutes } = await readPreferences(db);
    await changeImport(db, id, { auto_push_at: timeFromNow(autoPushDelayMinutes * 60_000) });
  }
}

async function hold(db: Db, id: string, sentence: string): Promise<void> {
  await holdAutoPush(db, id, sentence);
  const record = await findImport(db, id);
  if (record) await recordEvent(db, 'held', record);
}

/** Begins the planned push of an import at once. Products are still created as drafts. */
export async function beginPlannedPush(db: Db, id: string): Promise<ActionResult> {
  const refused = await lockPlanned(db, id);
  return refused ?? pushImport(db, id, undefined, { automatic: true });
}

export async function stopAutoPush(db: Db, id: string): Promise<ActionResult> {
  const refused = await lockPlanned(db, id);
  if (refused) return refused;
  await holdAutoPush(db, id, heldSentences.stopped);
  const record = await findImport(db, id);
  return record ? { ok: true, import: record } : wrongStatusRefusal;
}

async function lockPlanned(db: Db, id: string): Promise<ActionRefusal | undefined> {
  const record = await lockImport(db, id);
  if (record && record.auto_push_at !== null) return undefined;
  const hasBegun = record?.status === 'uploading' || record?.paused_from === 'uploading';
  return {
    ok: false,
    reason: hasBegun
      ? 'The push has already begun. Pause it instead.'
      : 'No push is planned for this import.',
  };
}

type StoreNow = { url: string } | null;

/** Tasks that may still change products, or may find pictures that cannot be sent. */
const lookUps: TaskKind[] = [
  'look-up-products',
  'look-up-again',
  'check-images',
  ...Object.values(lookupTasks),
];

/** Reads the facts by which `decideAutoPush` decides on an import. */
export async function readAutoPushFacts(
  db: Db,
  record: ImportRecord,
  store: StoreNow,
): Promise<AutoPushFacts> {
  const rows = currentRows(record);
  const { headers, mapping, currency, isPartial } = await readParseRun(db, rows);
  const before = await findEarlierPushFacts(db, record, { headers, mapping });
  const certaintyOf = (field: CanonicalField) => {
    const certainty = rateColumn(mapping, field, before.isKnown);
    // A list of prices and stock may lack a column for the title or the price.
    return certainty === 'none' && isPartial ? 'certain' : certainty;
  };
  const { autoPushMax } = await readPreferences(db);
  const isSmall = record.total_products <= autoPushMax;
  // An import with more than `autoPushMax` products is held anyway, so its damaged rows are not counted.
  const torn = isSmall ? await countDamagedRows(db, rows) : { joined: 0, shifted: 0 };
  const shop = store && (await findShopByUrl(db, store.url));
  const changes = isSmall && shop ? await readPriceChanges(db, rows, shop.shop) : [];
  return {
    isStoreConnected: store !== null,
    title: certaintyOf('title'),
    price: certaintyOf('price'),
    questions: describeQuestions(mapping).map(({ sentence }) => sentence),
    storeCurrency: currency,
    currencyNow: shop?.currency ?? null,
    otherCurrencies: await findUnagreedCurrencies(db, record, before.currencies),
    products: record.total_products,
    validProducts: record.valid_products,
    rows: record.total_rows,
    shiftedRows: torn.shifted,
    joinedRows: torn.joined,
    productsMax: autoPushMax,
    pushedBefore: before.products,
    list: await readListFacts(db, record, await readListOfImport(db, record)),
    matched: changes.length,
    priceJumps: changes.filter(({ before, after }) => isPriceJump(Number(before), Number(after))).length,
    guards: await readGuardFindings(db, rows),
    isCheckingGuards: await hasOpenTask(db, record.id, 'check-guards'),
    haveGuardsFailed: await hasTaskFailed(db, rows, 'check-guards'),
    isApplyingRules: await hasOpenTask(db, record.id, 'apply-rules'),
    haveRulesFailed: await hasTaskFailed(db, rows, 'apply-rules'),
    isRepeating: await hasOpenTask(db, record.id, 'apply-recipes'),
    isTakingPictures: await hasOpenTask(db, record.id, ['take-pictures', 'match-pictures']),
    havePicturesFailed:
      (await hasTaskFailed(db, { import_id: record.id, run: 1 }, 'take-pictures')) ||
      (await hasTaskFailed(db, rows, 'match-pictures')) ||
      (await readPicturesNotice(db, record.id)) !== null,
    isLookingUp: await hasOpenTask(db, record.id, lookUps),
    sinceReadMs: await readMsSinceParse(db, record.id),
  };
}
