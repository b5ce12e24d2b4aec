import { withoutHidden } from '@draftshelf/domain/base/file-name';
import { isStorable, notStorable } from '@draftshelf/domain/base/storable-text';
import { supplierNameCharsMax } from '@draftshelf/domain/suppliers/list';
import { z } from 'zod';
import { SupplierAnswers, SupplierName } from '../imports/list.ts';
import { route } from '../route.ts';
import { count } from '../values.ts';
import { sampledItemsMax } from '../wire.ts';

const supplierIdMax = 2_147_483_647;

/** Suppliers in a reply, at most; those whose lists are the newest. */
export const suppliersMax = 200;

/** The name of a supplier, without characters that cannot be seen. */
export const NameOfSupplier = z
  .string()
  .overwrite(withoutHidden)
  .trim()
  .min(1)
  .max(supplierNameCharsMax)
  .refine(isStorable, notStorable);

/**
 * The suppliers, by name, for the menu that changes the supplier of an import. `isNamed`: it has a second list, or the
 * operator has said who it is. Once two are, screens name suppliers.
 */
export const listSuppliers = route('listSuppliers', {
  reply: z.array(SupplierName.extend({ isNamed: z.boolean() })).max(suppliersMax),
});

export const SupplierParams = z.object({ id: z.coerce.number().int().min(1).max(supplierIdMax) });

/** Renames a supplier. 409 if its name is not `from`, or another supplier has the new one. */
export const renameSupplier = route('renameSupplier', {
  params: SupplierParams,
  body: z.strictObject({ name: NameOfSupplier, from: z.string().max(1_000) }),
  reply: SupplierName,
});

/** Changes answers. `from`: those that the screen showed; 409 if one of them is another now. */
export const answerSupplier = route('answerSupplier', {
  params: SupplierParams,
  body: z.strictObject({ set: SupplierAnswers.partial(), from: SupplierAnswers.partial() }),
  reply: SupplierAnswers,
});

/**
 * Finds the supplier of a file by its headers, name and first rows. `is`: certain; unsure: the operator is asked; new
 * or none: nothing is shown. `supplier`: null too while screens name no supplier. `last`: its newest list.
 */
export const findSupplier = route('findSupplier', {
  body: z.object({
    filename: z.string().max(1_000),
    headers: z.array(z.string().max(10_000)).max(2_000),
    items: z
      .array(
        z.object({
          key: z.string().max(1_000),
          gtin: z.number().int().nullable(),
          /** The hash of the title's letters, as a hexadecimal number. */
          letters: z.string().max(8),
        }),
      )
      .max(sampledItemsMax),
  }),
  reply: z.object({
    is: z.enum(['certain', 'unsure', 'new', 'none']),
    supplier: SupplierName.nullable(),
    known: count,
    sampled: count,
    last: z.object({ filename: z.string(), items: count }).nullable(),
  }),
});

/**
 * Sets the supplier of an import: one by id, a new one by name, or none. Begins a re-read, unless nothing was compared
 * with another supplier's list. `again`: only compares it with the list that is the latest now, by a re-read.
 */
export const setSupplier = route('setSupplier', {
  body: z.union([
    z.object({ supplier: count.min(1).max(supplierIdMax).nullable() }),
    z.object({ name: NameOfSupplier }),
    z.object({ again: z.literal(true) }),
  ]),
  reply: z.object({ success: z.literal(true) }),
});

/** Answers about a list. `counts`: it is the latest list, or not. `isLatest`, `isWhole`: answers to findings. */
export const answerList = route('answerList', {
  body: z.object({
    counts: z.boolean().optional(),
    isLatest: z.boolean().optional(),
    isWhole: z.boolean().optional(),
  }),
  reply: z.object({ success: z.literal(true) }),
});

export const missingPageSize = 50;

/** Items of the earlier list missing here, by key after `after`. `gone`: those that several lists have lacked. */
export const listMissing = route('listMissing', {
  query: z.object({ after: z.string().max(1_000).optional(), gone: z.literal('true').optional() }),
  reply: z.object({
    items: z
      .array(
        z.object({
          key: z.string(),
          title: z.string().nullable(),
          /** Decimal text. */
          price: z.string().nullable(),
          quantity: count.nullable(),
          storeUrl: z.string().nullable(),
          /** Of gone items: the file of the last list with it, and its status in the store. */
          lastIn: z.string().nullable(),
          status: z.string().nullable(),
        }),
      )
      .max(missingPageSize),
    /** Of the next page; null: there is none. */
    next: z.string().nullable(),
  }),
});

/** The differences from the earlier list, as CSV: key, title, kind of difference, the price before and after. */
export const getListChanges = route('getListChanges', { reply: z.string() });
