import type { Db } from '@draftshelf/core/connection/database';
import type { NewUndoLine } from '@draftshelf/core/push/previews/change-lines';
import { type ChoiceIfUnsure, listUndoChoices } from '@draftshelf/domain/push/push-undo';
import { toUndoSumKey, type UndoSums } from '@draftshelf/domain/push/undo-actions';
import { batchReads } from '@draftshelf/shopify/collect-reads';
import { requestCost } from '@draftshelf/shopify/cost';
import { idsPerReadMax } from '@draftshelf/shopify/products';
import { findImageFiles, readUndoProducts } from '@draftshelf/shopify/undo/undo-live';
import type { StoreSession } from '../store-session.ts';
import type { UndoDecision } from './undo-decision.ts';
import { type ProductToUndo, type PushToUndo, readKnownProducts, titleOf, wasCreated } from './undo-facts.ts';
import { decideUndoWithFiles, type FinalUndoDecision } from './undo-product.ts';

type Previewing = {
  db: Db;
  session: StoreSession;
  push: PushToUndo;
  whenUnsure: ChoiceIfUnsure;
  signal: AbortSignal;
};

export type UndoPreview = {
  lines: NewUndoLine[];
  sums: UndoSums;
  points: number;
  recreatedVariants: number;
};

/** Time that a read of files waits for other products' files, so that they share a request. */
const collectMs = 20;

/** Returns the undo's preview lines. Reads 100 products per request and writes nothing. Throws the client's errors. */
export async function previewUndoProducts(
  { db, session, push, whenUnsure, signal }: Previewing,
  ourIds: readonly string[],
  firstLine: number,
): Promise<UndoPreview> {
  const known = await readKnownProducts(db, push, ourIds);
  const ids = ourIds.flatMap((ourId) => known.get(ourId)?.storeProductId ?? []);
  const live = await readUndoProducts(session.client, [...new Set(ids)], session, { signal });
  const limits = { idsMax: idsPerReadMax, waitMs: collectMs };
  const files = batchReads((wanted) => findImageFiles(session.client, wanted, { signal }), limits);
  const preview: UndoPreview = { lines: [], sums: {}, points: 0, recreatedVariants: 0 };
  const decided = await Promise.all(
    ourIds.map(async (ourId) => {
      const product = known.get(ourId);
      if (!product) return { ourId, product, decision: { kind: 'nothing' } as const };
      const facts = {
        ...product.stored,
        live: live.get(product.storeProductId ?? '') ?? null,
        ...{ whenUnsure, choice: null, chosenAbout: null, filesInStore: undefined, store: session },
      };
      const decision = await decideUndoWithFiles(facts, files);
      return { ourId, product, decision };
    }),
  );
  for (const [at, { ourId, product, decision }] of decided.entries()) {
    const line = lineOf({ ourId, product }, decision, firstLine + at);
    preview.lines.push(line);
    const key = toUndoSumKey({ ...line, choosable: line.choices.length > 0 });
    preview.sums[key] = (preview.sums[key] ?? 0) + 1;
    preview.points += pointsOf(decision);
    if (decision.kind === 'restore') preview.recreatedVariants += decision.recreatesVariants;
  }
  return preview;
}

function lineOf(
  { ourId, product }: { ourId: string; product: ProductToUndo | undefined },
  decision: FinalUndoDecision,
  line: number,
): NewUndoLine {
  const reason = decision.kind === 'keep' ? decision : 'reason' in decision ? decision.reason : null;
  const code = reason?.code ?? null;
  const canChoose = decision.kind === 'delete' || decision.kind === 'archive' || decision.kind === 'keep';
  return {
    ...{ line, ourId, action: decision.kind, code, message: reason?.message ?? null },
    kept: reason?.kept ?? [],
    storeProductId: product?.storeProductId ?? null,
    title: product ? titleOf(product) : null,
    choices: canChoose && product ? listUndoChoices(wasCreated(product), code) : [],
  };
}

/** Returns the points of a decision's writes. Its reads are shared by 100 products and not counted. */
function pointsOf(decision: UndoDecision): number {
  if (decision.kind === 'delete') return requestCost('productDelete', { id: '' });
  if (decision.kind !== 'archive' && decision.kind !== 'restore') return 0;
  const set = decision.variables ? requestCost('productSet', decision.variables) : 0;
  if (decision.kind === 'archive') return set;
  const { quantities, metafields } = decision;
  const calls = [quantities, metafields.remove, metafields.set].filter(({ length }) => length > 0).length;
  return set + calls * requestCost('productDelete', { id: '' });
}
