import type { Db } from '@draftshelf/core/connection/database';
import type { VersionedListing } from '@draftshelf/core/push/listings';
import type { Sender } from '@draftshelf/core/push/sending';
import type { DraftResult } from '@draftshelf/domain/products/draft-product';
import type { CallPermit } from '@draftshelf/shopify/call-gate';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { readLiveProducts, readStamps } from '@draftshelf/shopify/products';
import type { ProductFacts, Question, UnsetReason } from './decision.ts';
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
    /** The answered question about the match, if the product is published under the match's id. */
    matchQuestion?: Question;
    /** The product's listing. Null if there is none, undefined if it has not been read. */
    found: VersionedListing | null | undefined;
  };

export type PublishContext = {
  /** Statements run outside of any transaction. */
  db: Db;
  session: StoreSession;
  sender: Sender;
  /** Time at which the search for a match began, by the clock of Postgres. Null if there was no search. */
  matchedAt: Date | null;
  enter(): Promise<CallPermit>;
  read(id: string): Promise<LiveProduct | null>;
  readStamp(id: string): Promise<string | null>;
  openPhoto: OpenPhoto;
  /** When it aborts, no further product is sent. */
  signal?: AbortSignal;
  /** Stores a record with `storeRecords`. Resolves once the record is committed. */
  record(record: PublishRecord): Promise<void>;
};

export type ProductToPublish = ProductToDecide & {
  /** Called after each read of the listing, so that no write has older values. Absent if values cannot change. */
  rebuild?: (() => Promise<BuiltDraft>) | undefined;
  /** Whether a write under `ourId` is pending although the match has another id. If it was lost, match again. */
  resolvesOwnWrite?: boolean;
};

/** `found`: the product's listing. `staged`: addresses of the product's own photos in the store, by photo id. */
export type Work = Pick<ProductToPublish, 'ourId' | 'resolvesOwnWrite' | 'source'> & {
  found: VersionedListing | null;
  /** The listing whose write has not arrived and is repeated. Null if no write is repeated. */
  repeated: VersionedListing | null;
  /** Whether the listing keeps the repeated write until the next write: its frozen sender may still send it. */
  keepsRepeated: boolean;
  turn: CallPermit | undefined;
  staged: Map<string, string>;
  unset: UnsetReason | undefined;
  unsetMetafields: UnsetReason | undefined;
  /** Whether the store has answered our write. */
  written: boolean;
  /** Whether the store refused our write because the product is deleted. The product was then read again. */
  wasDeleted: boolean;
};

/** Returns functions for publishing single products. They wait only for points and do not batch their reads. */
export function createDirectStore(
  session: StoreSession,
): Pick<PublishContext, 'enter' | 'read' | 'readStamp'> {
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
