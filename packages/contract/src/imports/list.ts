import { isStorable, notStorable } from '@draftshelf/domain/base/storable-text';
import { guardChangeMax, guardColumnCharsMax, guardCostMax } from '@draftshelf/domain/products/guards';
import {
  type SupplierAnswers as Answers,
  goneActions,
  goneAfterMax,
} from '@draftshelf/domain/suppliers/gone';
import { changedGroups, listChanges } from '@draftshelf/domain/suppliers/list';
import { z } from 'zod';
import { count, FieldName, Timestamp } from '../values.ts';

const fields = z.array(FieldName);

export const SupplierName = z.object({ id: count, name: z.string() });
export type SupplierName = z.infer<typeof SupplierName>;

export const SupplierAnswers = z.object({
  sendsComplete: z.boolean().nullable(),
  goneAfter: count.min(1).max(goneAfterMax),
  whenGone: z.enum(['nothing', ...goneActions]),
  guardCost: z.number().min(0.01).max(guardCostMax).multipleOf(0.01).nullable(),
  guardColumn: z.string().trim().min(1).max(guardColumnCharsMax).refine(isStorable, notStorable).nullable(),
  guardChange: count.min(1).max(guardChangeMax).nullable(),
}) satisfies z.ZodType<Answers>;

/** Null counts: it was not compared with an earlier list. */
export const List = z.object({
  /** Null: unknown or none. */
  supplier: SupplierName.nullable(),
  /** Screens name suppliers once there are several, or the operator has named one. */
  isNamed: z.boolean(),
  /** A likely supplier, of which `known` of `sampled` products are known; only the operator can tell. */
  asked: z.object({ supplier: SupplierName, known: count, sampled: count }).nullable(),
  state: z.enum(['open', 'counted', 'not counted']).nullable(),
  /** `importId` null: that import was deleted. */
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
      /** By how many percent dearer and cheaper prices differ, on average. */
      dearerBy: z.number().nullish(),
      cheaperBy: z.number().nullish(),
    })
    .nullable(),
  /** Fields that only one of both lists has, and the groups that were not compared because of them. */
  differences: z
    .object({ added: fields, missing: fields, groups: z.array(z.enum(changedGroups)) })
    .nullable(),
  notCompared: z.string().nullable(),
  /** A later list that waits or has counted since, or the comparison's list if it was taken back. */
  newer: z
    .object({ importId: z.uuid(), filename: z.string(), state: z.enum(['waits', 'counted', 'taken back']) })
    .nullable(),
  /** `back` of `of` changed rows return to values of an earlier list. */
  late: z
    .object({ filename: z.string(), back: count, of: count, isLatest: z.boolean().nullable() })
    .nullable(),
  /** `missing` of `of` items, and the row at which the file was cut off. */
  cutOff: z
    .object({ missing: count, of: count, shortRow: count.nullable(), isWhole: z.boolean().nullable() })
    .nullable(),
  answers: SupplierAnswers.nullable(),
  isWhole: z.boolean().nullable(),
  /** Null: the list is not the last one that counted. */
  gone: count.nullable(),
  /** The operator's changes of earlier lists in this one, a command for each reading. `isUndone`: none is in effect. */
  carried: z
    .object({
      commands: z.array(z.uuid()),
      edits: count,
      rows: count,
      isUndone: z.boolean(),
      toDecide: count,
    })
    .nullable(),
  /** Changes of earlier lists that were not repeated here. */
  recipes: z.array(z.object({ sentence: z.string(), rows: count })),
  asksRecipes: z.boolean(),
  /** A list of prices and stock: it updates products that are known and creates none. */
  isPartial: z.boolean(),
});
export type List = z.infer<typeof List>;
