import { canonicalFields } from '@draftshelf/domain/base/canonical-fields';
import { isStorable, notStorable } from '@draftshelf/domain/base/storable-text';
import { guardChangeMax, guardColumnCharsMax, guardCostMax } from '@draftshelf/domain/products/guards';
import {
  type SupplierAnswers as Answers,
  goneActions,
  goneAfterMax,
} from '@draftshelf/domain/suppliers/gone';
import { changedGroups, listChanges } from '@draftshelf/domain/suppliers/list';
import { z } from 'zod';

const count = z.number().int();
const Timestamp = z.iso.datetime();
const fields = z.array(z.enum(canonicalFields));

export const SupplierName = z.object({ id: count, name: z.string() });
export type SupplierName = z.infer<typeof SupplierName>;

/** What the operator has said about a supplier's lists, and about products that it no longer lists. */
export const SupplierAnswers = z.object({
  sendsComplete: z.boolean().nullable(),
  goneAfter: count.min(1).max(goneAfterMax),
  whenGone: z.enum(['nothing', ...goneActions]),
  guardCost: z.number().min(0.01).max(guardCostMax).multipleOf(0.01).nullable(),
  guardColumn: z.string().trim().min(1).max(guardColumnCharsMax).refine(isStorable, notStorable).nullable(),
  guardChange: count.min(1).max(guardChangeMax).nullable(),
}) satisfies z.ZodType<Answers>;

/** An import as a version of its supplier's list. Null counts: it was not compared with an earlier one. */
export const List = z.object({
  /** Null: not known, or nobody's. */
  supplier: SupplierName.nullable(),
  /** Whether screens name the supplier: there are several, or the operator has said who it is. */
  isNamed: z.boolean(),
  /** Whose list it may be, if only the operator can tell: it has `known` of `sampled` products of that supplier. */
  asked: z.object({ supplier: SupplierName, known: count, sampled: count }).nullable(),
  state: z.enum(['open', 'counted', 'not counted']).nullable(),
  /** The list that it was compared with; `importId` null: its import was deleted. */
  since: z
    .object({ importId: z.uuid().nullable(), filename: z.string(), countedAt: Timestamp.nullable() })
    .nullable(),
  /** Rows by change, and items of the earlier list that are missing. */
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
  /** Fields that only it or only the earlier list has, and the groups that were not compared because of them. */
  differences: z
    .object({ added: fields, missing: fields, groups: z.array(z.enum(changedGroups)) })
    .nullable(),
  /** Why it was not compared with an earlier list of its supplier, as a sentence; null: it was, or there is none. */
  notCompared: z.string().nullable(),
  /**
   * A newer list of the supplier: it waits to be pushed, or it has been counted since this one was compared. Taken
   * back: the list that it was compared with does not count any more.
   */
  newer: z
    .object({ importId: z.uuid(), filename: z.string(), state: z.enum(['waits', 'counted', 'taken back']) })
    .nullable(),
  /** It looks older than `filename`: `back` of `of` changed rows go back to what an earlier list said. */
  late: z
    .object({ filename: z.string(), back: count, of: count, isLatest: z.boolean().nullable() })
    .nullable(),
  /** It seems cut off: `missing` of `of` items; the row that ends in the middle. */
  cutOff: z
    .object({ missing: count, of: count, shortRow: count.nullable(), isWhole: z.boolean().nullable() })
    .nullable(),
  /** What its supplier's lists are; null: it was not compared. */
  answers: SupplierAnswers.nullable(),
  /** The operator's answer whether this list names all products; null: none. */
  isWhole: z.boolean().nullable(),
  /** Items that several complete lists have lacked; null: the list is not the last one that counted. */
  gone: count.nullable(),
  /**
   * What the operator did to earlier lists and is in effect in this one, by a command for each reading; `isUndone`:
   * none is. `rows`: those that the filter finds.
   */
  carried: z
    .object({
      commands: z.array(z.uuid()),
      edits: count,
      rows: count,
      isUndone: z.boolean(),
      toDecide: count,
    })
    .nullable(),
  /** What was done to earlier lists and not to this one, and whether a push asks about it. */
  recipes: z.array(z.object({ sentence: z.string(), rows: count })),
  asksRecipes: z.boolean(),
  /** A list of prices and stock: it updates products that are known and creates none. */
  isPartial: z.boolean(),
});
export type List = z.infer<typeof List>;
