import { isStorable, notStorableMessage } from '@draftshelf/domain/base/storable-text';
import { guardChangeMax, guardColumnCharsMax, guardCostMax } from '@draftshelf/domain/products/guards';
import {
  type SupplierAnswers as Answers,
  goneActions,
  goneAfterMax,
} from '@draftshelf/domain/suppliers/gone';
import { changeGroups, listChanges } from '@draftshelf/domain/suppliers/list';
import { z } from 'zod';
import { count, FieldName, Timestamp } from '../values.ts';

const fields = z.array(FieldName);

export const NamedSupplier = z.object({ id: count, name: z.string() });
export type NamedSupplier = z.infer<typeof NamedSupplier>;

export const SupplierAnswers = z.object({
  sendsComplete: z.boolean().nullable(),
  goneAfter: count.min(1).max(goneAfterMax),
  whenGone: z.enum(['nothing', ...goneActions]),
  guardCost: z.number().min(0.01).max(guardCostMax).multipleOf(0.01).nullable(),
  guardColumn: z
    .string()
    .trim()
    .min(1)
    .max(guardColumnCharsMax)
    .refine(isStorable, notStorableMessage)
    .nullable(),
  guardChange: count.min(1).max(guardChangeMax).nullable(),
}) satisfies z.ZodType<Answers>;

/** An import as a version of its supplier's list. Counts are null if the import was compared with no earlier list. */
export const SupplierList = z.object({
  /** Null if the import has no supplier, or an unknown one. */
  supplier: NamedSupplier.nullable(),
  /** Whether screens show supplier names. True if there are several suppliers, or if the operator named one. */
  isNamed: z.boolean(),
  /** A likely supplier, which the operator has to confirm: `known` of `sampled` products are the supplier's. */
  asked: z.object({ supplier: NamedSupplier, known: count, sampled: count }).nullable(),
  state: z.enum(['open', 'counted', 'not counted']).nullable(),
  /** The earlier list with which the import was compared. `importId` is null if that list's import was deleted. */
  since: z
    .object({ importId: z.uuid().nullable(), filename: z.string(), countedAt: Timestamp.nullable() })
    .nullable(),
  counts: z
    .object({
      ...(Object.fromEntries(listChanges.map((change) => [change, count])) as Record<
        (typeof listChanges)[number],
        typeof count
      >),
      missing: count,
      accents: count,
      items: count,
      /** Average price increase of the dearer items, and average decrease of the cheaper items, in percent. */
      dearerBy: z.number().nullish(),
      cheaperBy: z.number().nullish(),
    })
    .nullable(),
  /** Fields that only this or only the earlier list has, and the groups of fields that were therefore not compared. */
  differences: z.object({ added: fields, missing: fields, groups: z.array(z.enum(changeGroups)) }).nullable(),
  notCompared: z.string().nullable(),
  /** A later list that waits or already counts; else the list of `since` if that list no longer counts; else null. */
  newer: z
    .object({ importId: z.uuid(), filename: z.string(), state: z.enum(['waits', 'counted', 'taken back']) })
    .nullable(),
  /** A sign that the list is old. `of`: changed rows. `back`: those that have a value of an earlier list again. */
  late: z
    .object({ filename: z.string(), back: count, of: count, isLatest: z.boolean().nullable() })
    .nullable(),
  /** A sign that the file was cut off. `missing`: absent items. `of`: all items. `shortRow`: the cut-off row. */
  cutOff: z
    .object({ missing: count, of: count, shortRow: count.nullable(), isWhole: z.boolean().nullable() })
    .nullable(),
  answers: SupplierAnswers.nullable(),
  isWhole: z.boolean().nullable(),
  /** Number of items that several lists in a row lack. Null if this is not the last list that counted. */
  gone: count.nullable(),
  /** Edits carried into this list, as one command per read of the file. `isUndone`: whether all of these are undone. */
  carried: z
    .object({
      commands: z.array(z.uuid()),
      edits: count,
      rows: count,
      isUndone: z.boolean(),
      toDecide: count,
    })
    .nullable(),
  /** Commands of earlier lists that were not repeated on this one. */
  recipes: z.array(z.object({ sentence: z.string(), rows: count })),
  asksRecipes: z.boolean(),
  /** Whether the list only has prices and stock. Such a list updates known products and creates none. */
  isPartial: z.boolean(),
});
export type SupplierList = z.infer<typeof SupplierList>;
