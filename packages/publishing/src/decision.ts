import type { ProductChoices } from '@draftshelf/core/push/previews/push-choices';
import type { StockChoice } from '@draftshelf/core/suppliers/supplier-pushes';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import type { OutcomeCode } from '@draftshelf/domain/imports/outcome';
import type { DraftProduct, DraftResult } from '@draftshelf/domain/products/draft-product';
import type { ProductKeyKind } from '@draftshelf/domain/products/product-keys';
import type { ChoiceSubject, PushChoice } from '@draftshelf/domain/push/push-choices';
import type { Difference } from '@draftshelf/domain/push/push-plan';
import type { Collection } from '@draftshelf/shopify/collections';
import type { ProductSetVariables } from '@draftshelf/shopify/documents';
import type { KeptValues } from '@draftshelf/shopify/product/drifted-fields';
import type { MetafieldWrites } from '@draftshelf/shopify/product/lists/metafields';
import type { QuantityChange } from '@draftshelf/shopify/product/lists/quantities';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';

export type CompetingRow = { row: number; storeProductId: string };

/** The reason why the store has not set metafields or quantities of a write whose product has arrived. */
export type UnsetReason = {
  /** True if a value has changed in the store since it was read. False if the store refuses the values. */
  isStale: boolean;
  reason: string;
  times: number;
};

/** A question to the operator about a product in its present state, and the choice made about that state. */
export type Question = {
  about: ChoiceSubject;
  /** The state that the question is about. A choice with another basis is not applied. */
  basis: string;
  choices: readonly PushChoice[];
  choice: PushChoice | null;
  fields?: readonly Difference[];
};

export type Pushed = {
  storeProductId: string;
  sent: DraftProduct;
  /** Hash of the draft as sent; the store keeps this hash. `sent` lacks the parts that did not arrive. */
  sentHash: string | null;
  /** The draft that this version of the software builds from the values behind `sent`. */
  rebuiltDraft: DraftProduct;
  /** True if our undo archived the product. The file then sets the status again. */
  archivedByUndo?: boolean;
  /** The product as read after our last write. Null if it has not been read since. */
  baseline: LiveProduct | null;
  /** The product before our last write, if the product has not been read since. Null if we created it. */
  before?: LiveProduct | null;
  /** Values of fields that our last write left alone. They replace baseline values when changes are detected. */
  kept: KeptValues | null;
};

/**
 * A draft whose write has no result, because its worker died or the response was lost. `kind` is 'undo' if a stopped
 * undo, instead of a push, made the write. `kind` is null if an older version of the software began the write.
 */
export type PendingWrite = {
  draft: DraftProduct;
  hash: string;
  kind: 'create' | 'update' | 'undo' | null;
  /** The product before the write. Null if the write creates it, or if an older version began the write. */
  before: LiveProduct | null;
  /** The draft that this version of the software builds from the values behind `draft`. */
  rebuiltDraft: DraftProduct;
  /** The store has forgotten the write's idempotency keys, so a repeated call would take effect a second time. */
  areKeysForgotten?: boolean;
  kept: KeptValues | null;
};

export type Listing = {
  /** Null if no write is known to have arrived. */
  pushed: Pushed | null;
  sending: PendingWrite | null;
};

/** A store product that has one of the product's keys under another id. `choice`: the default for such products. */
export type MatchInStore = {
  storeProductId: string;
  kind: ProductKeyKind;
  /** The other supplier that has the product. Null if there is none or it is unknown. */
  supplier: string | null;
  choice: MatchChoice;
  /** Hash of the product in our copy of the store. Null if the copy lacks the product. */
  state: string | null;
  /** True if the product is ours under another id. An update is then no take-over. */
  isOurs: boolean;
};

/** Facts for a decision about a product. Undefined until read, because reads cost points. Null if absent. */
export type ProductFacts = {
  ourId: string;
  built: DraftResult;
  listing: Listing | null | undefined;
  /** The id of the store product that has our id. Read only if no listing has the product. */
  idInStore: string | undefined;
  live: LiveProduct | null | undefined;
  /** Time of the product's last change in the store. */
  stamp: string | null | undefined;
  /** Why the pending write's quantities were not set although its product has arrived. Absent if not tried. */
  unset?: UnsetReason | undefined;
  /** Why the pending write's separate metafields, which precede the quantities, were not set. Absent if not tried. */
  unsetMetafields?: UnsetReason | undefined;
  match: MatchInStore | null;
  /** Another row of the import, which is sent to the matched store product instead of this product. */
  taker?: CompetingRow | undefined;
  choices: ProductChoices;
  /** Whether our changes are sent although other parts of the product have changed in the store. */
  sendNonOverlapping: boolean;
  /** Whether to send the status even if our last write had the same, because it may have changed in the store since. */
  sendsStatus?: boolean | undefined;
  /** True if the product is gone from its supplier's lists. Only one part is then changed and can raise a question. */
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

/** Changes in the store that a write keeps. `words`: names for the operator. `values`: used to detect later changes. */
export type KeptParts = { words: readonly string[]; values: KeptValues };

/** After `read`, `not-arrived`, or `record` with `thenDecide`, the facts have changed: decide again with new facts. */
export type Decision = Step & { question?: Question };
type Step =
  | Read
  /** `notSent`: parts that cannot be sent, for the operator. */
  | ({ kind: 'create'; notSent: readonly string[] } & Write)
  /**
   * `baseline` is recorded first if the listing has none. `before`: the product before this write. `gone`: number of
   * variants that the file lacks and the product keeps. `isPartial`: the draft lacks some values of its source.
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
  /** `sendingHash`: hash of the draft whose sending ends with this outcome. Null if none was being sent. */
  | {
      kind: 'skip';
      code: OutcomeCode;
      message: string;
      storeProductId: string | null;
      sendingHash: string | null;
    }
  /**
   * `metafields` and `quantities` are set before recording; `listing` is the state after that. `thenDecide`: the
   * current draft has further changes to send, so this step has no outcome. `message` names the unsent parts.
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
  /** The store is still changing the product, so the decision is made again later. */
  | { kind: 'wait'; message: string };

export type DecisionOf<Kind extends Decision['kind']> = Extract<Decision, { kind: Kind }>;
