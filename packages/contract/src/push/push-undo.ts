import { KeptPart } from '@draftshelf/domain/push/line-facts-schema';
import { choicesIfUnsure, undoChoices } from '@draftshelf/domain/push/push-undo';
import { undoActions } from '@draftshelf/domain/push/undo-actions';
import { goneActions } from '@draftshelf/domain/suppliers/gone';
import { z } from 'zod';
import { ChangedJobReply } from '../imports/imports.ts';
import { route } from '../route.ts';
import { count, SuccessReply } from '../values.ts';

const LineNumber = z.coerce.number().int().min(1).max(2_147_483_647);
const PushRun = z.number().int().min(1).max(2_147_483_647);

const WhenUnsure = z.enum(choicesIfUnsure);

/**
 * Begins to preview the undo of a push: 202, or 409 if something else must end first. Replaces the earlier preview and
 * its choices. `run`: if absent, the last push run that can be undone.
 */
export const previewPushUndo = route('previewPushUndo', {
  body: z.object({ run: PushRun.optional(), whenUnsure: WhenUnsure }),
  reply: ChangedJobReply,
});

/**
 * `stopped`: the preview or undo was ended early; products that were undone stay undone. `failed`: the store is not
 * connected any more or refuses requests, so a new preview is needed. `undone`: all products were processed.
 */
export const undoStates = [
  'none',
  'previewing',
  'ready',
  'undoing',
  'paused',
  'undone',
  'stopped',
  'failed',
] as const;

const sums = z.array(z.object({ action: z.enum(undoActions), code: z.string().nullable(), products: count }));

/** The undo of a push. `sums` grow during the preview, `results` during the undo. */
export const PushUndo = z.object({
  state: z.enum(undoStates),
  /** The push run that is undone or can be undone. Null if there is none. */
  run: count.nullable(),
  /** The run's action on products that are no longer listed. Null if the run pushed rows. */
  gone: z.enum(goneActions).nullable(),
  whenUnsure: WhenUnsure,
  message: z.string().nullable(),
  done: count,
  total: count,
  /** Planned actions, with the choices made so far. `code`: why a product is kept. */
  sums,
  /** Actions that were carried out, which may differ from `sums`, because the store can change after the preview. */
  results: sums,
  recreatedVariants: count,
  choosableProducts: count,
  chosenProducts: count,
  deletedAnyway: count,
  /** Whether `undoPush` requires `deletions`. */
  asksForDeletions: z.boolean(),
  estimate: z.object({ points: count, seconds: count }).nullable(),
  pushedAt: z.iso.datetime().nullable(),
  undoableUntil: z.iso.datetime().nullable(),
  previewedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
});
export type PushUndo = z.infer<typeof PushUndo>;

export const getPushUndo = route('getPushUndo', {
  reply: PushUndo,
});

export const undoPageSize = 50;

const UndoProduct = z.object({
  product: count,
  number: count.nullable(),
  title: z.string().nullable(),
  action: z.enum(undoActions),
  code: z.string().nullable(),
  message: z.string().nullable(),
  /** Values that are kept, each as it was before the push, as the push set it, and as it is now. */
  parts: z.array(KeptPart),
  storeUrl: z.string().nullable(),
  choice: z.enum(undoChoices).nullable(),
  /** The choice for all products kept for the same reason. Applies if this product has no choice of its own. */
  choiceForAll: z.enum(undoChoices).nullable(),
  choices: z.array(z.enum(undoChoices)),
  result: z
    .object({ action: z.enum(undoActions), code: z.string().nullable(), message: z.string().nullable() })
    .nullable(),
});
export type UndoProduct = z.infer<typeof UndoProduct>;

/** Lists up to 50 products of a preview, after the line `after`. `next`: the `after` of the next page, or null. */
export const listUndoneProducts = route('listUndoneProducts', {
  query: z.object({
    action: z.enum(undoActions).optional(),
    code: z.string().max(40).optional(),
    results: z.literal('true').optional(),
    after: LineNumber.optional(),
  }),
  reply: z.object({ products: z.array(UndoProduct), next: count.nullable() }),
});

/** Lists a product's changes in the store, newest first. 404 for an unknown product, 502 if the store fails. */
export const listStoreChanges = route('listStoreChanges', {
  params: z.object({ product: LineNumber }),
  reply: z.object({
    changes: z.array(
      z.object({
        at: z.iso.datetime(),
        /** The author as the store names them. Null if the store names no author. */
        author: z.string().nullable(),
        /** Title of the app that made the change. Null if no app did. */
        app: z.string().nullable(),
        message: z.string(),
      }),
    ),
  }),
});

/** Saves the choice for one product, or for all products kept for the same reason. Null removes the choice. */
export const chooseUndo = route('chooseUndo', {
  body: z.union([
    z.strictObject({ product: z.number().int().min(1), choice: z.enum(undoChoices).nullable() }),
    z.strictObject({ code: z.string().max(40), choice: z.enum(undoChoices).nullable() }),
  ]),
  reply: SuccessReply.extend({ products: count }),
});

/**
 * Carries out the preview: 202, or 409 if the preview is not ready, if something else runs, or if `deletions` is
 * required and is not the number of products to delete. An undo can be paused, resumed and cancelled like a push.
 */
export const undoPush = route('undoPush', {
  body: z.object({ run: PushRun, deletions: z.number().int().min(0).optional() }),
  reply: ChangedJobReply,
});
