import { z } from 'zod';
import { List, SupplierAnswers, SupplierName } from '../imports/list.ts';
import { route } from '../route.ts';
import { count, Timestamp } from '../values.ts';
import { SupplierParams, suppliersMax } from './suppliers.ts';

const ListFile = z.object({ importId: z.uuid(), filename: z.string() });

/** The newest list of a supplier; `importId` null: its import was deleted. */
const LastList = z.object({
  importId: z.uuid().nullable(),
  filename: z.string(),
  beganAt: Timestamp,
  products: count.nullable(),
});

/** The suppliers, those with the newest lists first. `products`: of its newest list that has any. */
export const summarizeSuppliers = route('summarizeSuppliers', {
  reply: z
    .array(
      SupplierName.extend({
        products: count.nullable(),
        last: LastList.nullable(),
        /** Its newest list that waits for the operator, and how many changes of the supplier are to decide there. */
        waiting: ListFile.extend({ toDecide: count }).nullable(),
        /** An import that may be its list; the operator is asked. */
        asked: ListFile.nullable(),
        /** A sentence while it is being deleted or merged into another supplier. */
        leaving: z.string().nullable(),
      }),
    )
    .max(suppliersMax),
});
export type SupplierSummary = z.infer<typeof summarizeSuppliers.reply>[number];

/** Lists in a reply, at most. */
export const listsShownMax = 10;

/** A property that lists of a supplier have in common, by which the next one is recognized. */
export const SupplierSign = z.object({
  kind: z.enum(['layout', 'folder', 'filename']),
  value: z.string().max(1_000),
});

/** A supplier: its newest lists, its signs and settings, and the number of the operator's values. */
export const getSupplier = route('getSupplier', {
  params: SupplierParams,
  reply: SupplierName.extend({
    products: count.nullable(),
    answers: SupplierAnswers,
    values: count,
    /** The choice for quantities that both its lists and the store have changed; null: it is asked. */
    stockChoice: z.enum(['use-ours', 'skip']).nullable(),
    /** Currencies that are sent as they are, as 'EUR as USD'. */
    currencies: z.array(z.string()),
    /** Why it can be neither merged nor deleted now, as a sentence; null: it can. */
    busy: z.string().nullable(),
    /** The last supplier merged into it, and keys that both had for different products. `twice`: number of keys. */
    merged: z.object({ name: z.string(), twice: count, keys: z.array(z.string()) }).nullable(),
    /** Fields of which there are values, with their number. */
    fields: z.array(z.object({ field: z.string(), values: count })),
    lists: z
      .array(
        LastList.extend({
          number: count,
          state: List.shape.state.unwrap(),
          /** Of its import; null: it was deleted. */
          status: z.string().nullable(),
          countedAt: Timestamp.nullable(),
          /** Null: it was not compared with an earlier list. */
          counts: List.shape.counts,
        }),
      )
      .max(listsShownMax),
    signs: z.array(
      SupplierSign.extend({
        lists: count,
        lastAt: Timestamp,
        /** Of a layout: names of columns, and a file with it; null if its lists are gone. */
        columns: z.array(z.string()).nullable(),
        filename: z.string().nullable(),
      }),
    ),
  }),
});
export type SupplierDetails = z.infer<typeof getSupplier.reply>;

export const valuesPageSize = 50;

/** A value that the operator has set for a product or row and that is carried into the next list. */
export const OwnValue = z.object({
  /** 'i:' and the id of the supplier's item, or 'p:' and our id of the product. */
  subject: z.string(),
  /** The item's key; null: the value is its product's. */
  key: z.string().nullable(),
  field: z.string(),
  kind: z.enum(['value', 'left out', 'dismissed']),
  value: z.string(),
  /** The supplier's cell when the value was set; null: unknown. */
  theirs: z.string().nullable(),
  title: z.string().nullable(),
  saidAt: Timestamp,
  /** The file of the list in which it was set. */
  filename: z.string(),
});
export type OwnValue = z.infer<typeof OwnValue>;

/** Lists an operator's values after `after`, by subject and field. `search`: part of value, title or key. */
export const listOwnValues = route('listOwnValues', {
  params: SupplierParams,
  query: z.object({
    after: z.string().max(2_000).optional(),
    search: z.string().max(200).optional(),
    field: z.string().max(200).optional(),
  }),
  reply: z.object({
    values: z.array(OwnValue).max(valuesPageSize),
    /** Of the next page; null: there is none. */
    next: z.string().nullable(),
  }),
});

/** Forgets one value, a field's values, or all. Lists that were read already keep them. */
export const forgetOwnValues = route('forgetOwnValues', {
  params: SupplierParams,
  body: z.union([
    z.strictObject({ subject: z.string().max(1_000), field: z.string().max(200) }),
    z.strictObject({ field: z.string().max(200) }),
    z.strictObject({ all: z.literal(true) }),
  ]),
  reply: z.object({ forgotten: count }),
});

/** Forgets a sign of the supplier's lists. The next such list adds it again. */
export const forgetSign = route('forgetSign', {
  params: SupplierParams,
  body: SupplierSign,
  reply: z.object({ success: z.literal(true) }),
});

/** Forgets a supplier's remembered choice about quantities or a currency. It is asked again. */
export const forgetSettled = route('forgetSettled', {
  params: SupplierParams,
  body: z.union([
    z.strictObject({ stockChoice: z.literal(true) }),
    z.strictObject({ currency: z.string().max(100) }),
  ]),
  reply: z.object({ success: z.literal(true) }),
});

/**
 * Begins to merge a supplier into another one, which gets its lists, products, values and signs. 409 while a list of
 * either is read, pushed or counted. It cannot be undone.
 */
export const mergeSupplier = route('mergeSupplier', {
  params: SupplierParams,
  body: z.strictObject({ into: SupplierParams.shape.id }),
  reply: z.object({ success: z.literal(true) }),
});

/**
 * Begins to delete a supplier with its values and signs. Imports stay, with the ids of their products, and nothing
 * changes in the store. 409 while a list of it is read, pushed or counted.
 */
export const deleteSupplier = route('deleteSupplier', {
  params: SupplierParams,
  reply: z.object({ success: z.literal(true) }),
});
