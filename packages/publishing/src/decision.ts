import type { ChoicesOfProduct } from '@draftshelf/core/push/previews/push-choices';
import type { StockChoice } from '@draftshelf/core/suppliers/supplier-pushes';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import type { OutcomeCode } from '@draftshelf/domain/imports/outcome';
import type { DraftProduct, DraftResult } from '@draftshelf/domain/products/draft-product';
import type { ProductKeyKind } from '@draftshelf/domain/products/product-keys';
import type { ChoiceAbout, PushChoice } from '@draftshelf/domain/push/push-choices';
import type { Difference } from '@draftshelf/domain/push/push-plan';
import type { Collection } from '@draftshelf/shopify/collections';
import type { ProductSetVariables } from '@draftshelf/shopify/documents';
import type { Kept } from '@draftshelf/shopify/product/drifted-fields';
import type { MetafieldWrites } from '@draftshelf/shopify/product/lists/metafields';
import type { QuantityChange } from '@draftshelf/shopify/product/lists/quantities';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';

export type Taker = { row: number; storeProductId: string };

/** The reason why the store has not set the metafields or quantities of an arrived write. */
export type Unset = {
  /** One of them has changed since it was read; otherwise the store refuses them. */
  isStale: boolean;
  reason: string;
  times: number;
};

/** A question to the operator about a product in its present state, and the choice made about that state. */
export type Question = {
  about: ChoiceAbout;
  /** The state: a choice about another one is not applied. */
  basis: string;
  choices: readonly PushChoice[];
  choice: PushChoice | null;
  fields?: readonly Difference[];
};

export type Pushed = {
  storeProductId: string;
  sent: DraftProduct;
  /** The hash of the draft as it was sent; the store keeps it. `sent` differs if a part did not arrive. */
  sentHash: string | null;
  /** The draft that this version of the software builds from the same values. */
  rebuiltDraft: DraftProduct;
  /** Our own undo archived it, so the file sets its status again. */
  archivedByUndo?: boolean;
  /** The product as read after our last write; null if it has not been read since. */
  baseline: LiveProduct | null;
  /** The product before our last write, if it has not been read since; none if we created it. */
  before?: LiveProduct | null;
  /** Fields that drift is measured against instead of the baseline's: the last write left them as they were changed. */
  kept: Kept | null;
};

/**
 * A draft whose write has no result: its worker died, or the response was lost. `kind`: 'undo': a stopped undo, not a
 * write of a push; null: an older version began it.
 */
export type Sending = {
  draft: DraftProduct;
  hash: string;
  kind: 'create' | 'update' | 'undo' | null;
  /** The product before the write; null if it was created, or if an older version began it. */
  before: LiveProduct | null;
  /** The draft that this version of the software builds from the same values. */
  rebuiltDraft: DraftProduct;
  /** The store has forgotten its idempotency keys: a repeated call is a new one. */
  areKeysForgotten?: boolean;
  kept: Kept | null;
};

export type Listing = {
  /** Null: no write is known to have arrived. */
  pushed: Pushed | null;
  sending: Sending | null;
};

/** A product of the store with the same key under another id, and the default for such products. */
export type MatchInStore = {
  storeProductId: string;
  kind: ProductKeyKind;
  /** The other supplier that has the product; null: none or unknown. */
  supplier: string | null;
  choice: MatchChoice;
  /** Its state in our copy of the store; null: not copied. */
  state: string | null;
  /** It is our product under another id: an update is no take-over. */
  isOurs: boolean;
};

/** Facts for a decision about a product. `undefined`: not read yet, because reads cost points; `null`: none. */
export type ProductFacts = {
  ourId: string;
  built: DraftResult;
  listing: Listing | null | undefined;
  /** The id of the store's product under our id, if no listing has it. */
  idInStore: string | undefined;
  live: LiveProduct | null | undefined;
  /** Time of the last change of the product in the store. */
  stamp: string | null | undefined;
  /** Why the quantities of the pending write were not set, although its product has arrived; absent: not tried. */
  unset?: Unset | undefined;
  /** Why its single metafields, which come before the quantities, were not set. */
  unsetMetafields?: Unset | undefined;
  match: MatchInStore | null;
  /** Another row of the import that takes the matched product of the store. */
  taker?: Taker | undefined;
  choices: ChoicesOfProduct;
  /** Whether our changes are sent to a product that was changed in other parts in the store. */
  sendNonOverlapping: boolean;
  /** The status is sent although our last write had the same: it has changed in the store since. */
  sendsStatus?: boolean | undefined;
  /** A product that is gone: one part is changed, and nothing is asked about the others. */
  isOfGone?: boolean | undefined;
  stockChoice?: StockChoice | null | undefined;
  store: {
    locationId: string | null;
    collections: readonly Collection[];
    /** Whether a variant with new option values is known to keep its stock. */
    canRename?: boolean | undefined;
  };
};

/** `draft` is recorded as being sent before the write and as sent after it. */
type Write = { variables: ProductSetVariables; draft: DraftProduct; hash: string };

type InStore = { storeProductId: string; handle: string; sent: DraftProduct; sentHash: string };

type Read = { kind: 'read' } & ({ by: 'listing' } | { by: 'id' | 'stamp'; id: string } | { by: 'our-id' });

/** Fields that keep their changes made in the store, in words for the operator. `values`: the new base for drift. */
export type KeptParts = { words: readonly string[]; values: Kept };

/** `read`, `not-arrived` and `record` with `thenDecide` change the facts: carry them out, then decide again. */
export type Decision = Step & { question?: Question };
type Step =
  | Read
  /** `notSent`: parts that cannot be sent, for the operator. */
  | ({ kind: 'create'; notSent: readonly string[] } & Write)
  /**
   * `baseline`: recorded first, if the listing has none. `before`: the product now. `gone`: number of variants that
   * stay without a row. `isPartial`: the draft cannot be rebuilt from its source, which has more.
   */
  | ({
      kind: 'update';
      baseline: LiveProduct | null;
      before: LiveProduct;
      metafields: MetafieldWrites | null;
      quantities: QuantityChange[];
      notSent: readonly string[];
      kept: KeptParts | null;
      gone: number;
      isPartial: boolean;
    } & Write)
  /** The store has exactly this product under our id; the outcome is `unchanged`. */
  | { kind: 'adopt'; message: string | null; listing: InStore & { baseline: LiveProduct | null } }
  /** `message`: changes made in the store. `baseline`: recorded if it is newer than the listing's. */
  | { kind: 'unchanged'; storeProductId: string; message: string | null; baseline: LiveProduct | null }
  /** `sendingHash`: the hash of the draft whose sending ends with this outcome. */
  | {
      kind: 'skip';
      code: OutcomeCode;
      message: string;
      storeProductId: string | null;
      sendingHash: string | null;
    }
  /**
   * `metafields`, `quantities`: set before recording; `listing` is the state after that. `thenDecide`: the current
   * draft has changes that can be sent, so there is no outcome yet. `message`: the unsent parts.
   */
  | {
      kind: 'record';
      outcome: 'created' | 'updated' | 'skipped';
      code: OutcomeCode | null;
      message: string | null;
      metafields: MetafieldWrites | null;
      quantities: QuantityChange[];
      listing: InStore;
      thenDecide: boolean;
    }
  | { kind: 'not-arrived' }
  /** The store is between two states: try again later. */
  | { kind: 'wait'; message: string };

export type Decided<Kind extends Decision['kind']> = Extract<Decision, { kind: Kind }>;
