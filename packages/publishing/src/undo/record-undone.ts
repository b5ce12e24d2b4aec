import type { Db } from '@draftshelf/core/connection/database';
import type { UndoLineRecord } from '@draftshelf/core/connection/schema';
import { addDashboardCounts } from '@draftshelf/core/imports/record-event';
import { reopenAfterLateUndo } from '@draftshelf/core/push/changes/carry-out';
import { endKeyClaims } from '@draftshelf/core/push/key-claims';
import { findLedgerProductNumber, insertLedgerEntries } from '@draftshelf/core/push/ledger';
import { lockListing, removeListing, restoreListing } from '@draftshelf/core/push/listings';
import { removeOutcome } from '@draftshelf/core/push/outcomes';
import { setChangeResult, type UndoLineResult } from '@draftshelf/core/push/previews/change-lines';
import { addPreviewCounts } from '@draftshelf/core/push/previews/previews';
import { markStatesUndone } from '@draftshelf/core/push/pushed-states';
import { type ChunkClaim, endSendingOfProducts, lockClaims } from '@draftshelf/core/push/sending';
import { replaceProductKeys } from '@draftshelf/core/push/store/product-keys';
import { copyProducts, removeCopies } from '@draftshelf/core/push/store/store-products';
import { forgetScannedSync } from '@draftshelf/core/scanner/scanned-products';
import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { keysOf } from '@draftshelf/domain/products/product-keys';
import { toUndoSumKey, type UndoAction } from '@draftshelf/domain/push/undo-actions';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import {
  findDriftedFields,
  type KeptValues,
  mergeKeptValues,
  pickKeptValues,
} from '@draftshelf/shopify/product/drifted-fields';
import { isComparedPart, type LiveProduct, pickPartValues } from '@draftshelf/shopify/product/live-product';
import { toProductCopy } from '@draftshelf/shopify/store-pages';
import type { DraftSource } from '../draft-source.ts';
import { PublishStopped } from '../publish-errors.ts';
import { type ProductToUndo, type PushToUndo, wasCreated } from './undo-facts.ts';

export type UndoRun = { db: Db; push: PushToUndo; chunk: ChunkClaim & { run: number } };

/** `now`: the product in the store. Null if it is gone, undefined if it was not read. */
export type UndoneProduct = UndoLineResult & {
  /** Whether we had taken the product over and have now given it back to the merchant. */
  handsBack: boolean;
  now: LiveProduct | null | undefined;
};

const effects = {
  delete: 'deleted',
  gone: 'deleted',
  archive: 'archived',
  restore: 'restored',
  nothing: 'restored',
  keep: 'kept',
} as const satisfies Record<UndoAction, string>;

/** Rolls back a record whose decision was based on an older listing. */
class Outdated extends Error {}

/**
 * Records the result of a product in one transaction. Returns false, and records nothing, if another sender has
 * changed the listing. Throws PublishStopped if the claim is lost.
 */
export async function recordUndone(
  { db, ...run }: UndoRun,
  line: UndoLineRecord,
  known: ProductToUndo | undefined,
  done: UndoneProduct,
): Promise<boolean> {
  try {
    await db.transaction().execute((trx) => recordIn(trx, run, line, known, done));
    return true;
  } catch (error) {
    if (error instanceof Outdated) return false;
    throw error;
  }
}

async function recordIn(
  trx: Db,
  { push, chunk }: Omit<UndoRun, 'db'>,
  { preview: undo, line, our_id: ourId }: UndoLineRecord,
  known: ProductToUndo | undefined,
  done: UndoneProduct,
): Promise<void> {
  const { shop, importId } = push;
  const { action, code, message, now } = done;
  const isUndone = action !== 'keep';
  const isGone = action === 'delete' || action === 'gone';
  if (isForgotten(known, done)) await forgetScannedSync(trx, { shop, ourId });
  if ((await lockClaims(trx, [chunk])).size === 0) throw new PublishStopped();
  if (
    known &&
    !(await lockListing(trx, { shop, ourId }, { version: known.listing?.version, chunk: chunk.id }))
  )
    throw new Outdated();
  if (!(await setChangeResult(trx, { preview: undo, line }, done))) return;
  if (isUndone) await markStatesUndone(trx, { shop, ourId }, push);
  if (known) await setListing(trx, push, known, done);
  if (isGone && known?.storeProductId) await removeCopies(trx, shop, [known.storeProductId]);
  if (now) await copyProducts(trx, shop, [toProductCopy(now)]);
  const product = await findLedgerProductNumber(trx, { shop, ourId, importId, run: push.pushRun });
  await insertLedgerEntries(trx, [
    {
      ...{ origin: 'undo', shop, our_id: ourId, import_id: importId, product, run: chunk.run },
      ...{ effect: effects[action], store_product_id: known?.storeProductId ?? null, cause: message },
    },
  ]);
  const hasLost = await removeOutcome(trx, importId, {
    ...{ ourId, run: chunk.run, undoesRun: push.pushRun, isUndone },
  });
  if (isUndone && known && wasCreated(known)) await addDashboardCounts(trx, importId, { undone: 1 });
  // The preview is locked after the import, as in the transactions that begin and end an undo.
  await addPreviewCounts(trx, undo, {
    counts: { results: { [toUndoSumKey({ action, code, choosable: false })]: 1 } },
  });
  if (hasLost) await reopenAfterLateUndo(trx, importId);
}

/**
 * Returns whether the listing is removed. A listing that did not exist before the push is removed, so that the next
 * push asks about the product. If the merchant deleted the product, its listing stays: no file creates it again.
 */
function isForgotten(known: ProductToUndo | undefined, { action, handsBack }: UndoneProduct): boolean {
  if (action === 'gone') return false;
  if (action === 'delete' || handsBack) return true;
  return (action === 'restore' || action === 'nothing') && known?.stored.sentBefore === null;
}

async function setListing(
  trx: Db,
  push: PushToUndo,
  known: ProductToUndo,
  done: UndoneProduct,
): Promise<void> {
  const { shop } = push;
  const { ourId } = known.stored;
  if (done.action === 'keep' || done.action === 'gone') return endSendingOfProducts(trx, shop, [ourId]);
  await endKeyClaims(trx, shop, [ourId]);
  if (isForgotten(known, done)) return removeListing(trx, { shop, ourId });
  return restore(trx, push, known, done);
}

/** Restores the listing as it was before the push. An archived product's listing has the status `archived`. */
async function restore(
  trx: Db,
  { shop, importId }: PushToUndo,
  known: ProductToUndo,
  done: UndoneProduct,
): Promise<void> {
  const { ourId, sentBefore, sentHashBefore, sourceBefore, sentAfter } = known.stored;
  const kept = keptFields(known, done);
  const to = { baseline: isUnknown(known.stored.expectedBefore) ? null : (done.now ?? null), kept };
  if (done.action === 'archive') {
    // The hash and the source differ from the push's, so that the same file sets the status again.
    const draft = { ...sentAfter, status: 'archived' };
    const sent = { draft, hash: payloadHash(draft), source: null };
    return restoreListing(trx, { shop, ourId }, { ...to, sent });
  }
  if (sentBefore === null) return;
  const sent = { draft: sentBefore, hash: sentHashBefore, source: sourceBefore };
  await restoreListing(trx, { shop, ourId }, { ...to, sent });
  const keys = keysOf(sent.draft as DraftProduct, (sent.source as DraftSource | null)?.rows);
  await replaceProductKeys(trx, shop, [{ ourId, importId, keys }]);
}

/** Returns earlier values of fields that others have changed. A push that would overwrite such fields asks first. */
function keptFields(
  { listing, stored }: ProductToUndo,
  { action, kept }: Pick<UndoneProduct, 'action' | 'kept'>,
): KeptValues | null {
  const parts = kept.flatMap(({ part, reason }) =>
    reason === 'changed' && isComparedPart(part) ? [part] : [],
  );
  const earlier = action === 'archive' ? stored.after : stored.before;
  // Answers end with the push that is undone: the operator is asked about the kept fields again.
  const { answers: _, ...last } = (listing?.kept ?? {}) as KeptValues;
  const fields = mergeKeptValues(last, earlier && pickPartValues(earlier, parts), overwritten(stored));
  return Object.keys(fields).length > 0 ? fields : null;
}

function overwritten({ before, expectedBefore }: ProductToUndo['stored']): KeptValues {
  if (before === null || expectedBefore === null || isUnknown(expectedBefore)) return {};
  const expected = expectedBefore as LiveProduct;
  return pickKeptValues(expected, findDriftedFields(before, expected), before);
}

const isUnknown = (expected: object | null) => expected !== null && Object.keys(expected).length === 0;
