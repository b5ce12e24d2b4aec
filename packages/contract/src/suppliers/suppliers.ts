import { removeInvisible } from '@draftshelf/domain/base/file-name';
import { isStorable, notStorableMessage } from '@draftshelf/domain/base/storable-text';
import { supplierNameCharsMax } from '@draftshelf/domain/suppliers/list';
import { z } from 'zod';
import { NamedSupplier, SupplierAnswers } from '../imports/list.ts';
import { route } from '../route.ts';
import { count } from '../values.ts';
import { sampledItemsMax } from '../wire.ts';

const supplierIdMax = 2_147_483_647;

/** The most suppliers in a reply: those with the newest lists. */
export const suppliersMax = 200;

/** The name of a supplier. Invisible characters are removed. */
export const EnteredSupplierName = z
  .string()
  .overwrite(removeInvisible)
  .trim()
  .min(1)
  .max(supplierNameCharsMax)
  .refine(isStorable, notStorableMessage);

/**
 * Lists the suppliers by name, for the menu that changes an import's supplier. `isNamed`: the supplier has a second
 * list, or the operator named the supplier. Once `isNamed` is true for two suppliers, screens show suppliers' names.
 */
export const listSuppliers = route('listSuppliers', {
  reply: z.array(NamedSupplier.extend({ isNamed: z.boolean() })).max(suppliersMax),
});

export const SupplierParams = z.object({ id: z.coerce.number().int().min(1).max(supplierIdMax) });

/** Renames a supplier. 409 if the current name is not `from`, or if another supplier has the new name. */
export const renameSupplier = route('renameSupplier', {
  params: SupplierParams,
  body: z.strictObject({ name: EnteredSupplierName, from: z.string().max(1_000) }),
  reply: NamedSupplier,
});

/** Changes answers about a supplier. `from`: the answers that the screen showed; 409 if one of them has changed. */
export const answerSupplier = route('answerSupplier', {
  params: SupplierParams,
  body: z.strictObject({ set: SupplierAnswers.partial(), from: SupplierAnswers.partial() }),
  reply: SupplierAnswers,
});

/**
 * Finds the supplier of a file by its headers, filename and first rows. If `is` is `unsure`, the operator is asked; if
 * `new` or `none`, nothing is shown. `supplier` is also null while screens show no suppliers. `last`: the supplier's
 * newest list.
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
          /** A hash of the letters in the title, as a hexadecimal number. */
          letters: z.string().max(8),
        }),
      )
      .max(sampledItemsMax),
  }),
  reply: z.object({
    is: z.enum(['certain', 'unsure', 'new', 'none']),
    supplier: NamedSupplier.nullable(),
    known: count,
    sampled: count,
    last: z.object({ filename: z.string(), items: count }).nullable(),
  }),
});

/**
 * Sets the supplier of an import: an existing one by id, a new one by name, or none. Begins a re-read if the import
 * was compared with another supplier's list. `again`: re-reads the file to compare it with the current latest list.
 */
export const setSupplier = route('setSupplier', {
  body: z.union([
    z.object({ supplier: count.min(1).max(supplierIdMax).nullable() }),
    z.object({ name: EnteredSupplierName }),
    z.object({ again: z.literal(true) }),
  ]),
  reply: z.object({ success: z.literal(true) }),
});

/** Saves answers about a list. `counts`: whether it is the latest list. `isLatest`, `isWhole`: answers to findings. */
export const answerList = route('answerList', {
  body: z.object({
    counts: z.boolean().optional(),
    isLatest: z.boolean().optional(),
    isWhole: z.boolean().optional(),
  }),
  reply: z.object({ success: z.literal(true) }),
});

export const missingPageSize = 50;

/** Lists items of the earlier list that this list lacks, by key. `gone`: items that several lists in a row lack. */
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
          /** For gone items: filename of the last list that had the item, and the item's status in the store. */
          lastIn: z.string().nullable(),
          status: z.string().nullable(),
        }),
      )
      .max(missingPageSize),
    /** The `after` of the next page. Null on the last page. */
    next: z.string().nullable(),
  }),
});

/** Streams the differences from the earlier list as CSV: key, title, kind of difference, old and new price. */
export const getListChanges = route('getListChanges', { reply: z.string() });
