import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import type { KeptPart, UndoChoice, UndoCode, WhenUnsure } from '@draftshelf/domain/push/push-undo';
import type { Collection } from '@draftshelf/shopify/collections';
import type { ProductSetVariables } from '@draftshelf/shopify/documents';
import type { Kept } from '@draftshelf/shopify/product/drifted-fields';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import type { Restored } from '@draftshelf/shopify/product/restore-input';
import type { UndoLive } from '@draftshelf/shopify/undo/undo-live';

/** Facts about a product of the push run that is undone. `undefined`: not read yet; `null`: none. */
export type UndoFacts = {
  ourId: string;
  /** The effect of the run's first write; null: unknown, written by an older version. */
  kind: 'create' | 'update' | null;
  /** When the sending of that write began; null: unknown, written by an older version. */
  begunAt: Date | null;
  before: LiveProduct | null;
  /** The product after the last write of the run; null: it was not read back. */
  after: LiveProduct | null;
  /** Whether it was read so long after the write that it may have changes of others. */
  isAfterLate: boolean;
  sentBefore: DraftProduct | null;
  sentAfter: DraftProduct | null;
  /** Fields that the run's last write left as they had been changed; null: none, or not known any more. */
  keptAfter: Kept | null;
  /** File name of an import that pushed the product after this run. */
  pushedLaterBy: string | null;
  /** File name of an import that pushed the product after this run, too, and found it unchanged. */
  alsoPushedBy: string | null;
  live: UndoLive | null | undefined;
  /** The ids of images asked for by a decision that the store still has. */
  filesInStore: { has(id: string): boolean } | undefined;
  store: { locationId: string | null; collections: readonly Collection[] };
  whenUnsure: WhenUnsure;
  choice: UndoChoice | null;
  /** The sentence of the preview that the choice was made about; null: none. */
  chosenAbout: string | null;
};

/** Why a product or a part of it stays, or is archived. `message` is for the operator. */
export type UndoReason = { code: UndoCode; parts: string[]; kept: KeptPart[]; message: string };

/**
 * In this order; each can be repeated. A quantity or metafield that has changed since is left alone, and the product is
 * decided again.
 */
type UndoWrites = Pick<Restored, 'variables' | 'quantities' | 'metafields'>;

/** After a lost response the product is read and decided again, which leads to the remaining steps. */
export type UndoDecision =
  | { kind: 'read'; by: 'live' }
  | { kind: 'read'; by: 'files'; ids: string[] }
  /** The product was deleted in the store: forget the listing. */
  | { kind: 'gone' }
  /** `reason`: why it would be kept, if the operator chose to delete it all the same. */
  | { kind: 'delete'; reason: UndoReason | null }
  /** `variables`: null if it is archived already. `reason`: null if the operator chose it without need. */
  | { kind: 'archive'; variables: ProductSetVariables | null; reason: UndoReason | null }
  /**
   * `reason`: null if everything is restored. `handsBack`: we had taken it over, and it is the merchant's again:
   * forget the listing. `recreatesVariants`: how many get a new id.
   */
  | ({
      kind: 'restore';
      handsBack: boolean;
      recreatesVariants: number;
      reason: UndoReason | null;
    } & UndoWrites)
  /** The run changed nothing of it, or its earlier values are back already. */
  | { kind: 'nothing' }
  | ({ kind: 'keep' } & UndoReason);

export type UndoDecided<Kind extends UndoDecision['kind']> = Extract<UndoDecision, { kind: Kind }>;
