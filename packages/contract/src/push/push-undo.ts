import { KeptPart } from '@draftshelf/domain/push/line-facts-schema';
import { undoChoices, whenUnsureChoices } from '@draftshelf/domain/push/push-undo';
import { undoActions } from '@draftshelf/domain/push/undo-actions';
import { goneActions } from '@draftshelf/domain/suppliers/gone';
import { z } from 'zod';
import { Moved } from '../imports/imports.ts';
import { route } from '../route.ts';
import { count, Done } from '../values.ts';

const LineNumber = z.coerce.number().int().min(1).max(2_147_483_647);
const PushRun = z.number().int().min(1).max(2_147_483_647);

const WhenUnsure = z.enum(whenUnsureChoices);

/**
 * Begins to preview the undo of a push: 202, or 409 with what must end first. Replaces the earlier preview with its
 * choices. `run`: by default the last push run that has something to undo.
 */
export const previewPushUndo = route('previewPushUndo', {
  body: z.object({ run: PushRun.optional(), whenUnsure: WhenUnsure }),
  reply: Moved,
});

/**
 * stopped: the preview or the undo was ended before it was complete; what is undone stays undone. failed: the store is
 * not connected any more, or refuses; preview again. undone: it went through all products.
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

/** Sums grow while the preview is made; `results` while it is carried out. */
export const PushUndo = z.object({
  state: z.enum(undoStates),
  /** The push run that it undoes, or would; null: nothing to undo. */
  run: count.nullable(),
  /** The action of that run for products no longer listed; null: it pushed rows. */
  gone: z.enum(goneActions).nullable(),
  whenUnsure: WhenUnsure,
  message: z.string().nullable(),
  done: count,
  total: count,
  /** Planned actions with the choices made so far. `code`: why a product is kept. */
  sums,
  /** Actions that were carried out: the store may have changed since the preview. */
  results: sums,
  recreatedVariants: count,
  choosableProducts: count,
  chosenProducts: count,
  deletedAnyway: count,
  /** Whether `deletions` has to be sent with the undo. */
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

const UndoneProduct = z.object({
  product: count,
  number: count.nullable(),
  title: z.string().nullable(),
  action: z.enum(undoActions),
  code: z.string().nullable(),
  message: z.string().nullable(),
  /** Values that stay: before the push, as the push set them, and now. */
  parts: z.array(KeptPart),
  storeUrl: z.string().nullable(),
  choice: z.enum(undoChoices).nullable(),
  /** Applies without a choice about this product. */
  choiceForAll: z.enum(undoChoices).nullable(),
  choices: z.array(z.enum(undoChoices)),
  result: z
    .object({ action: z.enum(undoActions), code: z.string().nullable(), message: z.string().nullable() })
    .nullable(),
});
export type UndoneProduct = z.infer<typeof UndoneProduct>;

/** Products of a preview behind the line `after`, 50 at a time. `next`: the line behind which there are more. */
export const listUndoneProducts = route('listUndoneProducts', {
  query: z.object({
    action: z.enum(undoActions).optional(),
    code: z.string().max(40).optional(),
    results: z.literal('true').optional(),
    after: LineNumber.optional(),
  }),
  reply: z.object({ products: z.array(UndoneProduct), next: count.nullable() }),
});

/** The changes of a product in the store, newest first. 404 without such a line, 502 if the store does not answer. */
export const listStoreChanges = route('listStoreChanges', {
  params: z.object({ product: LineNumber }),
  reply: z.object({
    changes: z.array(
      z.object({
        at: z.iso.datetime(),
        /** A person or an app; null: the store does not tell. */
        author: z.string().nullable(),
        app: z.string().nullable(),
        message: z.string(),
      }),
    ),
  }),
});

/** Chooses for one product, or for all that are kept for the same reason. null: takes the choice back. */
export const chooseUndo = route('chooseUndo', {
  body: z.union([
    z.strictObject({ product: z.number().int().min(1), choice: z.enum(undoChoices).nullable() }),
    z.strictObject({ code: z.string().max(40), choice: z.enum(undoChoices).nullable() }),
  ]),
  reply: Done.extend({ products: count }),
});

/**
 * Carries the preview out: 202, or 409 if it is not ready, if something else runs, or if `deletions` is needed and is
 * not the number of products that will be deleted. It is paused, resumed and cancelled like a push.
 */
export const undoPush = route('undoPush', {
  body: z.object({ run: PushRun, deletions: z.number().int().min(0).optional() }),
  reply: Moved,
});
