import { z } from 'zod';
import { NamedSupplier, SupplierAnswers, SupplierList } from '../imports/list.ts';
import { route } from '../route.ts';
import { count, Timestamp } from '../values.ts';
import { SupplierParams, suppliersMax } from './suppliers.ts';

const ListFile = z.object({ importId: z.uuid(), filename: z.string() });

/** The newest list of a supplier. `importId` is null if the list's import was deleted. */
const LastList = z.object({
  importId: z.uuid().nullable(),
  filename: z.string(),
  beganAt: Timestamp,
  products: count.nullable(),
});

/** Lists the suppliers, the newest lists first. `products`: number of products in the newest list that has products. */
export const summarizeSuppliers = route('summarizeSuppliers', {
  reply: z
    .array(
      NamedSupplier.extend({
        products: count.nullable(),
        last: LastList.nullable(),
        /** The newest list that waits for the operator. `toDecide`: number of the supplier's undecided changes. */
        waiting: ListFile.extend({ toDecide: count }).nullable(),
        /** An import that may be the supplier's list, about which the operator is asked. */
        asked: ListFile.nullable(),
        /** A sentence while the supplier is being deleted or merged into another supplier. Otherwise null. */
        leaving: z.string().nullable(),
      }),
    )
    .max(suppliersMax),
});
export type SupplierSummary = z.infer<typeof summarizeSuppliers.reply>[number];

export const listsShownMax = 10;

/** A property that lists of a supplier share, by which the next list is recognized. */
export const SupplierSign = z.object({
  kind: z.enum(['layout', 'folder', 'filename']),
  value: z.string().max(1_000),
});

/** Returns a supplier with the newest lists, signs and settings. `values`: number of the operator's carried values. */
export const getSupplier = route('getSupplier', {
  params: SupplierParams,
  reply: NamedSupplier.extend({
    products: count.nullable(),
    answers: SupplierAnswers,
    values: count,
    /** The choice for quantities that both the supplier and the store have changed. Null if the operator is asked. */
    stockChoice: z.enum(['use-ours', 'skip']).nullable(),
    /** Currencies whose amounts are sent unconverted, such as 'EUR as USD'. */
    currencies: z.array(z.string()),
    /** Why the supplier cannot be merged or deleted now, as a sentence. Null if nothing prevents it. */
    busy: z.string().nullable(),
    /** The last supplier merged into this one. `twice`: number of keys with different items. `keys`: some of these. */
    merged: z.object({ name: z.string(), twice: count, keys: z.array(z.string()) }).nullable(),
    /** Number of the operator's values, by field. */
    fields: z.array(z.object({ field: z.string(), values: count })),
    lists: z
      .array(
        LastList.extend({
          number: count,
          state: SupplierList.shape.state.unwrap(),
          /** Status of the list's import. Null if the import was deleted. */
          status: z.string().nullable(),
          countedAt: Timestamp.nullable(),
          /** Null if the list was not compared with an earlier one. */
          counts: SupplierList.shape.counts,
        }),
      )
      .max(listsShownMax),
    signs: z.array(
      SupplierSign.extend({
        lists: count,
        lastAt: Timestamp,
        /** Column names of a layout, and a recent file with them. Null for other signs, or if there is no such file. */
        columns: z.array(z.string()).nullable(),
        filename: z.string().nullable(),
      }),
    ),
  }),
});
export type SupplierDetails = z.infer<typeof getSupplier.reply>;

export const valuesPageSize = 50;

/** A value that the operator set for a product or row, and that is carried into the next list. */
export const OperatorValue = z.object({
  /** 'i:' and the id of the supplier's item, or 'p:' and the product's own id. */
  subject: z.string(),
  /** The item's key. Null if the value belongs to a product. */
  key: z.string().nullable(),
  field: z.string(),
  kind: z.enum(['value', 'left out', 'dismissed']),
  value: z.string(),
  /** The supplier's cell when the operator set the value. Null if unknown. */
  theirs: z.string().nullable(),
  title: z.string().nullable(),
  saidAt: Timestamp,
  /** Filename of the list in which the operator set the value. */
  filename: z.string(),
});
export type OperatorValue = z.infer<typeof OperatorValue>;

/** Lists the operator's values after `after`, sorted by subject and field. `search`: part of a value, title or key. */
export const listOwnValues = route('listOwnValues', {
  params: SupplierParams,
  query: z.object({
    after: z.string().max(2_000).optional(),
    search: z.string().max(200).optional(),
    field: z.string().max(200).optional(),
  }),
  reply: z.object({
    values: z.array(OperatorValue).max(valuesPageSize),
    /** The `after` of the next page. Null on the last page. */
    next: z.string().nullable(),
  }),
});

/** Deletes one value, all values of a field, or all values. Lists that were already read keep the values. */
export const forgetOwnValues = route('forgetOwnValues', {
  params: SupplierParams,
  body: z.union([
    z.strictObject({ subject: z.string().max(1_000), field: z.string().max(200) }),
    z.strictObject({ field: z.string().max(200) }),
    z.strictObject({ all: z.literal(true) }),
  ]),
  reply: z.object({ forgotten: count }),
});

/** Deletes a sign of the supplier's lists. The next list with the sign adds it again. */
export const forgetSign = route('forgetSign', {
  params: SupplierParams,
  body: SupplierSign,
  reply: z.object({ success: z.literal(true) }),
});

/** Deletes a supplier's remembered choice about quantities or a currency. The operator is then asked again. */
export const forgetSettled = route('forgetSettled', {
  params: SupplierParams,
  body: z.union([
    z.strictObject({ stockChoice: z.literal(true) }),
    z.strictObject({ currency: z.string().max(100) }),
  ]),
  reply: z.object({ success: z.literal(true) }),
});

/**
 * Begins to merge a supplier into another one, which gets the supplier's lists, products, values and signs. 409 while
 * a list of either supplier is being read, pushed or counted. A merge cannot be undone.
 */
export const mergeSupplier = route('mergeSupplier', {
  params: SupplierParams,
  body: z.strictObject({ into: SupplierParams.shape.id }),
  reply: z.object({ success: z.literal(true) }),
});

/**
 * Begins to delete a supplier with its values and signs. Imports stay and keep the ids of their products. The store
 * does not change. 409 while a list of the supplier is being read, pushed or counted.
 */
export const deleteSupplier = route('deleteSupplier', {
  params: SupplierParams,
  reply: z.object({ success: z.literal(true) }),
});
