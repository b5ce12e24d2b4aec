import { z } from 'zod';
import { storeTextCharsMax } from '../review/store-limits.ts';

const variantsMax = 250;
const listMax = 250;
const textCharsMax = 100_000;
const namesMax = 3;

/** Also accepts null and numbers, because clients send cells as they are. */
const text = z
  .union([z.string().max(textCharsMax), z.number().transform(String), z.null().transform(() => '')])
  .optional();

const PostedVariant = z.object({
  title: text,
  price: text,
  compare_at_price: text,
  cost: text,
  sku: text,
  barcode: text,
  inventory_quantity: z.union([z.number(), z.string().max(40), z.null()]).optional(),
  /** Null if the quantity is not tracked. */
  inventory_management: z.enum(['shopify', 'none', '']).nullish(),
  inventory_policy: z.enum(['deny', 'continue']).nullish(),
  option1: text,
  option2: text,
  option3: text,
  weight: text,
  weight_unit: text,
});

/** A product for the store, as clients send it. Unknown fields are ignored. */
export const PostedProduct = z.object({
  title: text,
  body_html: text,
  vendor: text,
  product_type: text,
  status: z.enum(['draft', 'active', 'archived']).nullish(),
  /** Both fields are accepted and ignored, because products are not published to sales channels. */
  published: z.unknown().optional(),
  published_scope: z.unknown().optional(),
  variants: z.array(PostedVariant).max(variantsMax).nullish(),
  options: z
    .array(z.object({ name: z.string().max(storeTextCharsMax) }))
    .max(namesMax)
    .nullish(),
  /** Tags separated by commas, or a list. */
  tags: z.union([z.string().max(textCharsMax), z.array(z.string()).max(listMax), z.null()]).optional(),
  images: z
    .array(z.object({ src: z.string().max(2_000_000), alt: z.string().nullish() }))
    .max(listMax)
    .nullish(),
  metafields: z
    .array(
      z.object({
        namespace: z.string(),
        key: z.string(),
        value: z.coerce.string(),
        type: z.string().optional(),
      }),
    )
    .max(listMax)
    .nullish(),
  collections: z.array(z.string()).max(listMax).nullish(),
});
export type PostedProduct = z.output<typeof PostedProduct>;
