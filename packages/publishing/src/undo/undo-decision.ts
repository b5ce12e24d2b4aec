import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { ChoiceIfUnsure, KeptPart, UndoChoice, UndoCode } from '@draftshelf/domain/push/push-undo';
import type { Collection } from '@draftshelf/shopify/collections';
import type { ProductSetVariables } from '@draftshelf/shopify/documents';
import type { KeptValues } from '@draftshelf/shopify/product/drifted-fields';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import type { RestoreWrites } from '@draftshelf/shopify/product/restore-input';
import type { UndoLive } from '@draftshelf/shopify/undo/undo-live';

/** Facts about a product of the push run to undo. Undefined if not read yet, null if there is none. */
export type UndoFacts = {
  ourId: string;
  /** The effect of the run's first write. Null if unknown, because an older version wrote it. */
  kind: 'create' | 'update' | null;
  /** When the sending of the run's first write began. Null if unknown, because an older version wrote it. */
  begunAt: Date | null;
  before: LiveProduct | null;
  /** The product after the last write of the run. Null if it was not read back. */
  after: LiveProduct | null;
  /** Whether `after` was read so long after the write that it may have changes by others. */
  isAfterLate: boolean;
  sentBefore: DraftProduct | null;
  sentAfter: DraftProduct | null;
  /** Fields that the run's last write left as others had changed them. Null if none or no longer known. */
  keptAfter: KeptValues | null;
  /** File name of an import that pushed the product after this run. */
  pushedLaterBy: string | null;
  /** File name of an import that also pushed the product after this run, and found it unchanged. */
  alsoPushedBy: string | null;
  live: UndoLive | null | undefined;
  /** Ids of images that a decision asked for and that the store still has. */
  filesInStore: { has(id: string): boolean } | undefined;
  store: { locationId: string | null; collections: readonly Collection[] };
  whenUnsure: ChoiceIfUnsure;
  choice: UndoChoice | null;
  /** The preview's sentence that the operator's choice was about. Null if there was none. */
  chosenAbout: string | null;
};

/** The reason why a product or part is kept or archived. `message` is for the operator. */
export type UndoReason = { code: UndoCode; parts: string[]; kept: KeptPart[]; message: string };

/**
 * The writes are made in this order, and each can be repeated. A quantity or metafield that has changed since it was
 * read is left alone, and the product is decided again.
 */
type UndoWrites = Pick<RestoreWrites, 'variables' | 'quantities' | 'metafields'>;

/** After a lost response, the product is read and decided again, which leads to the remaining steps. */
export type UndoDecision =
  | { kind: 'read'; by: 'live' }
  | { kind: 'read'; by: 'files'; ids: string[] }
  /** The product was deleted in the store. Its listing stays, so that no file creates it again. */
  | { kind: 'gone' }
  /** `reason`: why the product would be kept. Null unless the operator chose to delete it nevertheless. */
  | { kind: 'delete'; reason: UndoReason | null }
  /** `variables`: null if already archived. `reason`: null if the operator chose this where a deletion was possible. */
  | { kind: 'archive'; variables: ProductSetVariables | null; reason: UndoReason | null }
  /**
   * `reason`: null if everything is restored. `handsBack`: a product that we had taken over is the merchant's again,
   * so its listing is removed. `recreatesVariants`: number of variants that get a new id.
   */
  | ({
      kind: 'restore';
      handsBack: boolean;
      recreatesVariants: number;
      reason: UndoReason | null;
    } & UndoWrites)
  /** The run changed nothing in the product, or the earlier values are already back. */
  | { kind: 'nothing' }
  | ({ kind: 'keep' } & UndoReason);

export type UndoDecisionOf<Kind extends UndoDecision['kind']> = Extract<UndoDecision, { kind: Kind }>;
