import { z } from 'zod';
import { route } from '../route.ts';
import { InStore, ScannedProduct } from './scanner.ts';

/**
 * Our knowledge of a code that was scanned or typed: in the library, else in our copy of the store, in imports that
 * wait to be pushed, and by sources. `format`: the kind of code, if the reader tells it. `ask`: whether sources are
 * asked if nothing else knows the product; that takes up to 8 s. 400: the code has no characters that can be saved.
 */
export const lookUpCode = route('lookUpCode', {
  body: z.object({
    code: z.string().min(1).max(4_096),
    format: z.string().max(40).optional(),
    ask: z.boolean().default(true),
  }),
  reply: z.object({
    code: z.object({
      /** A product number for the UPC field, or a text for the SKU field. */
      kind: z.enum(['gtin', 'text']),
      text: z.string(),
      gtin: z.string().nullable(),
      /** Sentence about a code that needs attention. */
      problem: z.string().nullable(),
    }),
    /** If there is one, nothing else is looked up. */
    product: ScannedProduct.nullable(),
    inStore: InStore.nullable(),
    inImports: z
      .array(
        z.object({
          id: z.uuid(),
          filename: z.string(),
          row: z.number().int(),
          title: z.string().nullable(),
          description: z.string().nullable(),
          price: z.string().nullable(),
          images: z.array(z.string()),
        }),
      )
      .max(5),
    found: z
      .object({
        source: z.string(),
        title: z.string().nullable(),
        brand: z.string().nullable(),
        description: z.string().nullable(),
        category: z.string().nullable(),
        images: z.array(z.string()),
        attribution: z.string().nullable(),
      })
      .nullable(),
    /** The result of asking the sources. 'later': they have not been asked yet. 'asking': an import is asking one. */
    asked: z.enum(['answered', 'missing', 'quota', 'off', 'failed', 'later', 'asking']),
    /** A source that can be asked again later. */
    waiting: z.object({ source: z.string(), until: z.iso.datetime() }).nullable(),
  }),
});
