import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { createMetafieldCalls } from '@draftshelf/publishing/call-store';
import { decideProduct } from '@draftshelf/publishing/decide-product';
import type { ProductFacts } from '@draftshelf/publishing/decision';
import { decideUndo } from '@draftshelf/publishing/undo/decide-undo';
import type { UndoDecision, UndoFacts } from '@draftshelf/publishing/undo/undo-decision';
import type { ShopifyClient } from '@draftshelf/shopify/client';
import { readCollections } from '@draftshelf/shopify/collections';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import type { MetafieldWrites } from '@draftshelf/shopify/product/lists/metafields';
import type { QuantityChange } from '@draftshelf/shopify/product/lists/quantities';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { deleteProduct, readLiveProducts, setProduct, setQuantities } from '@draftshelf/shopify/products';
import { findImageFiles, readUndoProducts } from '@draftshelf/shopify/undo/undo-live';

export const locationId = 'gid://shopify/Location/72000000001';

/** A product as our database knows it. */
export type Known = { id: string; sent: DraftProduct | null; baseline: LiveProduct | null };

/** A write of a push, with what an undo needs. */
export type PushedWrite = Pick<
  UndoFacts,
  'ourId' | 'kind' | 'begunAt' | 'before' | 'after' | 'sentBefore' | 'sentAfter'
> & {
  id: string;
};

/**
 * Pushes a draft with the decision of a push. `known`: with a draft sent, it is our product; without, one of the
 * merchant that is taken over. Undefined: the decision is to send nothing.
 */
export async function push(
  client: ShopifyClient,
  { ourId, draft, known, nowMs }: { ourId: string; draft: DraftProduct; known: Known | null; nowMs: number },
): Promise<PushedWrite | undefined> {
  const collections = await readCollections(client);
  const read = async (id: string) => (await readLiveProducts(client, [id], { locationId })).get(id) ?? null;
  const live = known ? await read(known.id) : undefined;
  const sent = known?.sent ?? null;
  const facts: ProductFacts = {
    ourId,
    built: { ok: true, product: draft },
    listing:
      known && sent
        ? {
            pushed: {
              storeProductId: known.id,
              sent,
              sentHash: payloadHash(sent),
              rebuiltDraft: sent,
              baseline: known.baseline,
              kept: null,
            },
            sending: null,
          }
        : null,
    idInStore: undefined,
    live,
    stamp: live?.updatedAt,
    match:
      known && !sent
        ? {
            storeProductId: known.id,
            kind: 'sku',
            supplier: null,
            choice: 'update',
            state: null,
            isOurs: false,
          }
        : null,
    choices: new Map(),
    sendNonOverlapping: false,
    store: { locationId, collections, canRename: true },
  };
  const decision = decideProduct(facts);
  if (decision.kind !== 'create' && decision.kind !== 'update') return undefined;
  if (decision.kind === 'update' && decision.quantities.length > 0) await stock(client, decision.quantities);
  const before = decision.kind === 'update' ? decision.before : null;
  const isSet = before === null || Object.keys(decision.variables.input).length > 0;
  const { id } = isSet ? await setProduct(client, decision.variables) : before;
  if (decision.kind === 'update') await writeMetafields(client, id, decision.metafields);
  const write = { ourId, kind: decision.kind, begunAt: new Date(nowMs), before, after: await read(id), id };
  return { ...write, sentBefore: sent, sentAfter: decision.draft };
}

async function writeMetafields(client: ShopifyClient, id: string, writes: MetafieldWrites | null) {
  for (const { send } of writes ? createMetafieldCalls({ client }, id, writes) : []) await send({});
}

let keys = 0;

async function stock(client: ShopifyClient, quantities: readonly QuantityChange[]) {
  keys += 1;
  const at = quantities.map((one) => ({ ...one, locationId }));
  return setQuantities(client, { key: `undo-${keys}`, quantities: at });
}

export type UndoOptions = Partial<Pick<UndoFacts, 'choice' | 'whenUnsure' | 'pushedLaterBy'>> & {
  /** Called after each call that writes; it throws where the process is to die. */
  afterWrite?: () => void;
};

/** Undoes a write as a run does, without a database: decides, reads what it lacks, and carries it out. */
export async function undo(
  client: ShopifyClient,
  { id, ...write }: PushedWrite,
  { afterWrite = () => {}, ...options }: UndoOptions = {},
): Promise<UndoDecision> {
  const collections = await readCollections(client);
  const facts: UndoFacts = {
    ...{
      keptAfter: null,
      isAfterLate: false,
      pushedLaterBy: null,
      alsoPushedBy: null,
      whenUnsure: 'keep',
      choice: null,
      chosenAbout: null,
    },
    ...write,
    ...options,
    ...{ live: undefined, filesInStore: undefined, store: { locationId, collections } },
  };
  for (;;) {
    const decision = decideUndo(facts);
    switch (decision.kind) {
      case 'read':
        if (decision.by === 'files') facts.filesInStore = await findImageFiles(client, decision.ids);
        else facts.live = (await readUndoProducts(client, [id], { locationId })).get(id) ?? null;
        continue;
      case 'delete':
        await deleteProduct(client, id);
        afterWrite();
        return decision;
      case 'archive':
        if (decision.variables) await setProduct(client, decision.variables);
        afterWrite();
        return decision;
      case 'restore':
        if (decision.variables) await setProduct(client, decision.variables).then(afterWrite);
        if (decision.quantities.length > 0 && (await stock(client, decision.quantities)) === 'stale') {
          facts.live = undefined;
          continue;
        }
        afterWrite();
        await writeMetafields(client, id, decision.metafields);
        afterWrite();
        return decision;
      default:
        return decision;
    }
  }
}
