import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import {
  type KeptPart,
  listUndoChoices,
  type UndoCode,
  undoSentence,
} from '@draftshelf/domain/push/push-undo';
import { isExactlyAsWritten } from '@draftshelf/shopify/product/as-sent';
import type { LiveProduct } from '@draftshelf/shopify/product/live-product';
import { planRestore } from '@draftshelf/shopify/product/restore-input';
import { findTouchedParts } from '@draftshelf/shopify/product/touched-parts';
import type { UndoLive } from '@draftshelf/shopify/undo/undo-live';
import type { UndoDecision, UndoFacts, UndoReason } from './undo-decision.ts';

/** Tolerance if our clock is ahead of the store's. */
const clockToleranceMs = 10_000;

/**
 * Decides about the undo of one product. Pure. A created product is deleted only if two independent records prove that
 * we created it, ours and the store's creation time, and if it is unchanged. Of an updated product, values are
 * restored where the store still has ours.
 */
export function decideUndo(facts: UndoFacts): UndoDecision {
  const { live, kind, before, sentAfter, pushedLaterBy } = facts;
  if (kind === null || sentAfter === null || (kind === 'create') !== (before === null)) {
    return kept(reasonOf('not-recorded'));
  }
  if (pushedLaterBy !== null) return kept(reasonOf('pushed-later', [], pushedLaterBy));
  if (live === undefined) return { kind: 'read', by: 'live' };
  if (live === null) return { kind: 'gone' };
  const after = afterWrite(facts, sentAfter, live);
  return before === null
    ? decideCreated({ ...facts, after }, live)
    : decideUpdated({ ...facts, after, before, sentAfter }, live);
}

/** Returns the product after the write. Null if it was read late or only now, unless it is exactly as written. */
function afterWrite(
  { after, isAfterLate, before, sentBefore, keptAfter, store: { collections } }: UndoFacts,
  sent: DraftProduct,
  live: UndoLive,
): LiveProduct | null {
  if (after && !isAfterLate) return after;
  const kept = before && keptAfter;
  const write = { sent, sentBefore, before, kept, collections };
  const isWritten = (product: LiveProduct) => isExactlyAsWritten(product, write);
  return [after, live].find((product) => product && isWritten(product)) ?? null;
}

function decideCreated(facts: UndoFacts, live: UndoLive): UndoDecision {
  const reason = reasonAgainstDeletion(facts, live);
  const code = reason?.code ?? null;
  const allowed = listUndoChoices(true, code);
  // `whenUnsure` applies only to products that no other sender has pushed.
  const unsure =
    facts.alsoPushedBy === null && allowed.includes(facts.whenUnsure) ? facts.whenUnsure : 'keep';
  // A chosen deletion is valid only for the reason that the operator saw: the product may have been published since.
  const isAbout = facts.choice !== 'delete' || reason === null || reason.message === facts.chosenAbout;
  const chosen = facts.choice !== null && isAbout && allowed.includes(facts.choice) ? facts.choice : null;
  const action = chosen ?? (reason ? unsure : 'delete');
  if (action === 'delete') return { kind: 'delete', reason };
  if (action === 'keep') return kept(reason ?? reasonOf('chosen'));
  const isArchived = live.status === 'ARCHIVED';
  const variables = isArchived
    ? null
    : { identifier: { id: live.id }, input: { status: 'ARCHIVED' as const } };
  return { kind: 'archive', variables, reason };
}

function reasonAgainstDeletion(
  { ourId, begunAt, after, alsoPushedBy, store }: UndoFacts,
  live: UndoLive,
): UndoReason | null {
  if (begunAt === null || isOlder(live.createdAt, begunAt)) return reasonOf('older-than-push');
  if (live.externalId !== ourId) return reasonOf('not-ours');
  const { collections } = store;
  const file = alsoPushedBy ?? undefined;
  const cut = Object.entries(live.complete).flatMap(([list, isComplete]) => (isComplete ? [] : [list]));
  if (cut.length > 0) {
    const message = undoSentence('too-many-items', { parts: cut, file });
    return { code: 'too-many-items', parts: cut, kept: [], message };
  }
  if (after === null) return reasonOf('unverified', [], file);
  const touched = findTouchedParts(live, after, collections);
  if (touched.length > 0) return reasonOf(codeOf(touched), touched, file);
  return alsoPushedBy === null ? null : reasonOf('also-pushed', [], alsoPushedBy);
}

/** Compares whole seconds, because the store's times have no fractions. */
const isOlder = (createdAt: string, begunAt: Date): boolean =>
  Date.parse(createdAt) < Math.floor(begunAt.getTime() / 1000) * 1000 - clockToleranceMs;

function codeOf(touched: readonly KeptPart[]): UndoCode {
  const is = (part: KeptPart['part']) => touched.some((one) => one.part === part);
  const only = (part: KeptPart['part'], isIt: (one: KeptPart) => boolean = () => true) =>
    touched.every((one) => one.part === part && isIt(one));
  if (is('published')) return 'published';
  if (only('quantities')) return 'stock-moved';
  if (only('collections', ({ now }) => now !== null)) return 'in-collections';
  if (only('metafields', ({ ours }) => ours === null)) return 'other-metafields';
  return 'changed';
}

type UpdatedFacts = UndoFacts & { before: LiveProduct; sentAfter: NonNullable<UndoFacts['sentAfter']> };

function decideUpdated(facts: UpdatedFacts, live: UndoLive): UndoDecision {
  const { ourId, before, after, sentBefore, sentAfter, filesInStore, store } = facts;
  const { collections, locationId } = store;
  if (after === null) return kept(reasonOf('unverified'));
  const restored = planRestore(
    { before, after, live, sentBefore, sentAfter, collections, filesInStore },
    locationId,
  );
  if (restored.filesToFind.length > 0) return { kind: 'read', by: 'files', ids: restored.filesToFind };
  const { kept: staying, variables, quantities, metafields, recreatesVariants } = restored;
  const handsBack = before.externalId !== ourId;
  const isLost = staying.every(({ reason }) => reason === 'cannot-restore');
  const reason = staying.length > 0 ? reasonOf(isLost ? 'cannot-restore' : 'changed', staying) : null;
  const writes = { variables, quantities, metafields };
  const single = metafields.set.length + metafields.remove.length;
  const hasWrites = variables !== null || quantities.length + single > 0;
  if (hasWrites || handsBack) return { kind: 'restore', handsBack, recreatesVariants, reason, ...writes };
  return reason ? kept(reason) : { kind: 'nothing' };
}

const kept = (reason: UndoReason): UndoDecision => ({ kind: 'keep', ...reason });

function reasonOf(code: UndoCode, kept: KeptPart[] = [], file?: string): UndoReason {
  const parts = [...new Set(kept.map(partName))];
  return { code, parts, kept, message: undoSentence(code, { parts, file }) };
}

/** Returns the name of a collection or metafield, because the part alone does not show which one it is. */
function partName({ part, name, ours, now, before }: KeptPart): string {
  if (part === 'collections') return now ?? ours ?? before ?? part;
  return part === 'metafields' ? name : part;
}
