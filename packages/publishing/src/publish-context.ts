import type { Db } from '@draftshelf/core/connection/database';
import type { VersionedListing } from '@draftshelf/core/push/listings';
import type { Sender } from '@draftshelf/core/push/sending';
import type { DraftResult } from '@draftshelf/domain/products/draft-product';
import type { Turn } from '@draftshelf/shopify/call-gate';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { readLiveProducts, readStamps } from '@draftshelf/shopify/products';
import type { ProductFacts, Question, Unset } from './decision.ts';
import type { DraftSource } from './draft-source.ts';
import type { PublishRecord } from './publish-record.ts';
import type { OpenPhoto } from './stage-photos.ts';
import type { StoreSession } from './store-session.ts';

export type BuiltDraft = {
  built: DraftResult;
  /** Null if the draft was not built from rows. */
  source: DraftSource | null;
};

export type ProductToDecide = BuiltDraft &
  Pick<
    ProductFacts,
    | 'ourId'
    | 'idInStore'
    | 'match'
    | 'taker'
    | 'choices'
    | 'sendNonOverlapping'
    | 'sendsStatus'
    | 'stockChoice'
    | 'isOfGone'
  > & {
    /** The choice about the match under whose id it is published. */
    matchQuestion?: Question;
    /** Its listing, if it has been read; null: there was none. */
    found: VersionedListing | null | undefined;
  };

export type PublishContext = {
  /** Statements run outside of any transaction. */
  db: Db;
  session: StoreSession;
  sender: Sender;
  /** The earliest time of looking for its match, by the clock of Postgres; null: none was looked for. */
  matchedAt: Date | null;
  enter(): Promise<Turn>;
  read(id: string): Promise<LiveProduct | null>;
  readStamp(id: string): Promise<string | null>;
  openPhoto: OpenPhoto;
  /** Aborts before the sending of further products. */
  signal?: AbortSignal;
  /** Stores a record, with `storeRecords`; resolves when it is committed. */
  record(record: PublishRecord): Promise<void>;
};

export type ProductToPublish = ProductToDecide & {
  /** Called after each read of the listing, so that no write has older values. Absent if values do not change. */
  rebuild?: (() => Promise<BuiltDraft>) | undefined;
  /** Once its own write is known not to have arrived, it is matched again: it belongs to another id. */
  resolvesOwnWrite?: boolean;
};

/** `found`: its listing; `staged`: addresses of its own photos in the store, by id. */
export type Work = Pick<ProductToPublish, 'ourId' | 'resolvesOwnWrite' | 'source'> & {
  found: VersionedListing | null;
  /** The listing with a write that has not arrived and is repeated. */
  repeated: VersionedListing | null;
  /** The listing still has that write: a late call of a frozen sender may bring it. The next write replaces it. */
  keepsRepeated: boolean;
  turn: Turn | undefined;
  staged: Map<string, string>;
  unset: Unset | undefined;
  unsetMetafields: Unset | undefined;
  /** The store has answered our write. */
  written: boolean;
  /** The store has refused our write because the product is deleted, so the product was read again. */
  wasDeleted: boolean;
};

/** Returns the calls of a caller that publishes single products: they wait for points only, and are not collected. */
export function directStore(session: StoreSession): Pick<PublishContext, 'enter' | 'read' | 'readStamp'> {
  const { client } = session;
  return {
    enter: async () => ({
      reserve: async () => undefined,
      unused: async () => {},
      answered: () => {},
      end: () => {},
    }),
    read: async (id) => (await readLiveProducts(client, [id], session)).get(id) ?? null,
    readStamp: async (id) => (await readStamps(client, [id])).get(id) ?? null,
  };
}
