import type { ProductInStore } from '@draftshelf/contract/scanner/scanner';
import { inStoreCode } from '@draftshelf/contract/wire';
import { readSettings } from '@draftshelf/core/access/settings';
import type { Db } from '@draftshelf/core/connection/database';
import type { ScannedRecord } from '@draftshelf/core/connection/schema';
import { readBadImages } from '@draftshelf/core/enrich/images';
import { findListings } from '@draftshelf/core/push/listings';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { readStoreTitle } from '@draftshelf/core/push/store/store-products';
import { readPictureFacts } from '@draftshelf/core/review/picture-facts';
import { findScannedProduct, recordScannedSync } from '@draftshelf/core/scanner/scanned-products';
import { readSyncValues, type SyncValues } from '@draftshelf/core/scanner/store-values';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import type { DraftOptions } from '@draftshelf/domain/products/draft-product';
import { listWebPictures } from '@draftshelf/domain/products/images';
import { toProductFacts } from '@draftshelf/domain/products/silent-fields';
import {
  buildDraft,
  importSource,
  omittedImagesSentence,
  type PictureFacts,
} from '@draftshelf/publishing/build-draft';
import type { DraftSource } from '@draftshelf/publishing/draft-source';
import type { PublishedResult } from '@draftshelf/publishing/publish-product';
import { toScannedSync } from '@draftshelf/publishing/publish-record';
import type { OpenPhoto } from '@draftshelf/publishing/stage-photos';
import type { StoreSession } from '@draftshelf/publishing/store-session';
import { productAdminUrl } from '@draftshelf/shopify/client';
import { invalid, Refusal } from '../http/refusal.ts';
import {
  type CallProduct,
  publishForCall,
  requirePublished,
  skippedSentence,
} from '../push/publish-for-call.ts';
import { scannedNotFound } from './scanned-library.ts';

type SyncOptions = {
  /** The choice if the product is in the store under another id. Undefined: the saved preference applies. */
  whenInStore: MatchChoice | undefined;
  /** The hosts that pictures may be on. An empty list allows any host. */
  imageHosts: readonly string[];
  openPhoto: OpenPhoto;
};

type SyncOutcome = 'created' | 'updated' | 'unchanged';
/** The result of a sync. `note`: a sentence about parts that were not sent or that were changed, or null if none. */
type Synced = { outcome: SyncOutcome; note: string | null };

/** Creates or updates a scanned product in the store. Throws a Refusal with the reason if that fails. */
export async function syncScanned(
  db: Db,
  session: StoreSession,
  id: string,
  { whenInStore, imageHosts, openPhoto }: SyncOptions,
): Promise<Synced> {
  const product = await findScannedProduct(db, id);
  if (!product) throw scannedNotFound();
  const { shop, currency, client } = session;
  await upsertShop(db, { shop, url: client.store.url, currency });
  const { draftMode } = await readSettings(db);
  const options = { draftMode, importSource, currency };
  const listing = (await findListings(db, shop, [product.own_id])).get(product.own_id);
  const last = (listing?.source as DraftSource | null | undefined)?.rows[0];
  const build = (of: ScannedRecord) => buildScanned(db, of, { options, imageHosts, last });
  let now = await build(product);
  const toPublish: CallProduct = {
    identity: { ourId: product.own_id, importId: null, product: null, isNew: false },
    origin: 'scanner',
    built: now.built,
    source: now.source,
    rebuild: async () => {
      now = await build((await findScannedProduct(db, id)) ?? now.product);
      return { built: now.built, source: now.source };
    },
    choiceFor: (found) => (isSyncedTo(product, shop, found) ? 'update' : (whenInStore ?? null)),
    onRecord: async (trx, record) => {
      const sync = toScannedSync(shop, record, now.product.version);
      if (sync) await recordScannedSync(trx, id, sync);
    },
  };
  const published = await publishForCall(db, session, toPublish, openPhoto);
  const outcome = await outcomeOf(db, session, published);
  const notes = [published.message, now.note].filter((one) => one !== null);
  return { outcome, note: notes.join(' ') || null };
}

/** `last`: the values that were written to the store last. Undefined if none were. */
type BuildOptions = Pick<SyncOptions, 'imageHosts'> & { options: DraftOptions; last: RowValues | undefined };

/** Builds the draft of a product from the current values. Throws a Refusal if a required value is missing. */
async function buildScanned(db: Db, product: ScannedRecord, { options, imageHosts, last }: BuildOptions) {
  const { values, sources, place } = await readSyncValues(db, product);
  const pictures = { ...(await picturesOf(db, values, place)), hosts: imageHosts };
  // A value that was sent before and is now missing was removed by a person.
  const removed = (Object.keys(last ?? {}) as (keyof RowValues)[]).filter((field) => !values[field]);
  const edited = Object.fromEntries(removed.map((field) => [field, 'edit' as const]));
  const said = toProductFacts([], [{ values, sources: { ...sources, ...edited } }]);
  const built = buildDraft([values], options, pictures, [], said);
  if (!built.ok) throw invalid(`${built.reason}: ${built.missing.join(', ')}.`);
  const source = { rows: [values], options, pictures, said };
  return { product, built, source, note: omittedImagesSentence(built.omitted, pictures) };
}

/** Returns whether an earlier sync took over this store product, whose id differs from ours. */
const isSyncedTo = ({ synced_shop, store_product_id }: ScannedRecord, shop: string, found: string) =>
  synced_shop === shop && store_product_id === found;

async function picturesOf(
  db: Db,
  values: RowValues,
  place: SyncValues['place'],
): Promise<Omit<PictureFacts, 'hosts'>> {
  if (place) {
    const { bad, credits } = await readPictureFacts(db, place.of, [{ row: place.row, values }]);
    return { bad: Object.fromEntries(bad), credits: Object.fromEntries(credits) };
  }
  return { bad: Object.fromEntries(await readBadImages(db, listWebPictures(values))), credits: {} };
}

async function outcomeOf(db: Db, session: StoreSession, published: PublishedResult): Promise<SyncOutcome> {
  const { outcome, code, message, storeProductId } = published;
  if (outcome !== 'skipped' || code !== 'in-store' || storeProductId === null)
    return requirePublished(published);
  const current: ProductInStore = {
    title: (await readStoreTitle(db, session.shop, storeProductId)) ?? '',
    storeUrl: productAdminUrl(session.client.store.url, storeProductId),
  };
  throw new Refusal(409, { code: inStoreCode, message: message ?? skippedSentence, current });
}
