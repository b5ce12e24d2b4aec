import { matchChoices } from '@draftshelf/domain/access/preferences';
import { isStorable, notStorableMessage } from '@draftshelf/domain/base/storable-text';
import { measureMax, weightUnits } from '@draftshelf/domain/base/weight';
import {
  descriptionCharsMax,
  dimensionsDefault,
  lengthUnits,
  nameCharsMax,
  normalizePrice,
  parseMeasure,
  photosMax,
  requiredFieldsSentence,
  weightDefault,
} from '@draftshelf/domain/scanner/scanned-product';
import { z } from 'zod';
import { cursorPattern, Job } from '../imports/imports.ts';
import { route } from '../route.ts';
import { SuccessReply, Timestamp } from '../values.ts';
import { noBatch } from '../wire.ts';

/** Returns a schema for a text. An absent or empty text becomes `otherwise`. */
const textOr = <T extends string | null>(charsMax: number, otherwise: T) =>
  z
    .string()
    .trim()
    .max(charsMax)
    .nullish()
    .transform((text) => text || otherwise);

/** A required text. The error names all three required fields in one sentence, as the screen does. */
const Required = textOr(nameCharsMax, '').refine((text) => text !== '', requiredFieldsSentence);

const NumberOrText = z.union([z.string().trim().max(40), z.number()]).nullish();

const Price = NumberOrText.transform((price, context) => {
  const isEmpty = price === null || price === undefined || price === '';
  const text = isEmpty ? null : normalizePrice(price);
  if (text !== null) return text;
  const message = isEmpty ? requiredFieldsSentence : 'The price must be an amount like 24.99.';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** A length or weight as a number or text. An empty text becomes 0. */
const Measure = NumberOrText.transform((value, context) => {
  const number = parseMeasure(value);
  if (number !== null) return number;
  context.addIssue({ code: 'custom', message: `Enter a number from 0 to ${measureMax}.` });
  return z.NEVER;
});

const DimensionsBody = z.object({
  length: Measure,
  width: Measure,
  height: Measure,
  unit: z.enum(lengthUnits).default(dimensionsDefault.unit),
});
const WeightBody = z.object({ value: Measure, unit: z.enum(weightUnits).default(weightDefault.unit) });

/**
 * The editable fields of a scanned product. `photos`: addresses, or replies of `POST /api/objects/upload`. Photos sent
 * as data URLs are stored and replaced by their addresses before this schema is applied. `selectedBatch`: the import
 * to which the product is added, once.
 */
const ScannedFieldsBody = z.object({
  name: Required,
  description: z
    .string()
    .max(descriptionCharsMax)
    .nullish()
    .transform((text) => text ?? ''),
  price: Price,
  sku: Required,
  upc: textOr(64, null),
  dimensions: DimensionsBody.nullish().transform((dimensions) => dimensions ?? dimensionsDefault),
  weight: WeightBody.nullish().transform((weight) => weight ?? weightDefault),
  photos: z.array(z.string().min(1).max(2_048)).max(photosMax).default([]),
  selectedBatch: textOr(64, noBatch),
});
export type ScannedInput = z.input<typeof ScannedFieldsBody>;

export const ScannedProduct = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  /** Decimal text with at least two decimals. */
  price: z.string(),
  sku: z.string(),
  upc: z.string().nullable(),
  dimensions: z.object({
    length: z.number(),
    width: z.number(),
    height: z.number(),
    unit: z.enum(lengthUnits),
  }),
  weight: z.object({ value: z.number(), unit: z.enum(weightUnits) }),
  /** Addresses that an <img> on a signed-in page can load. */
  photos: z.array(z.string()),
  /** A string, because a newer server may have other statuses. */
  status: z.string(),
  version: z.number().int(),
  createdAt: Timestamp,
  changedAt: Timestamp,
  syncedAt: Timestamp.nullable(),
  storeUrl: z.string().nullable(),
  batches: z.array(z.object({ id: z.uuid(), filename: z.string(), row: z.number().int().nullable() })),
});
export type ScannedProduct = z.infer<typeof ScannedProduct>;

/** The most products in a reply to `listScanned`. */
export const scannedListMax = 500;

/**
 * Lists the library, newest first, at most 500 products. `before`: the `X-Next-Before` header of the previous page.
 * `q`: a text that the name, SKU or UPC contains. The `X-Total-Count` header has the number of matching products.
 */
export const listScanned = route('listScanned', {
  query: z.object({
    before: z.string().regex(cursorPattern).optional(),
    q: z.string().trim().max(200).optional(),
  }),
  reply: z.array(ScannedProduct),
});

/**
 * Creates a product: 201. The client makes the id, so that it can repeat the call. For a known id the reply is 200
 * with the stored product. Other content for a known id is saved if nothing else has changed the product since, else
 * the reply is 409 with the product as `current`. 410 if the product was deleted. 400 names the invalid `field`. 404
 * or 409 with the field `selectedBatch` if the batch is unknown or takes no product now; nothing is saved.
 */
export const createScanned = route('createScanned', {
  body: ScannedFieldsBody.extend({ id: z.uuid().toLowerCase().optional() }),
  reply: ScannedProduct,
});

export const getScanned = route('getScanned', {
  reply: ScannedProduct,
});

/**
 * Changes a product and sets its status to active. `version`: the version that the client has read. If the stored
 * version differs, nothing is saved. The reply is then 200 if the content is equal, because the client repeats a call
 * whose reply was lost, else 409 with the stored product as `current`.
 */
export const updateScanned = route('updateScanned', {
  body: ScannedFieldsBody.extend({ version: z.number().int().optional() }),
  reply: ScannedProduct,
});

/** Deletes a product from the library. The product stays in the store and in imports. */
export const deleteScanned = route('deleteScanned', {
  reply: SuccessReply,
});

/**
 * Adds the product to an import, as a row after the last row of the file. Repeating the call changes nothing. 404 if
 * the product or import is unknown, 409 if the import is being pushed or has ended.
 */
export const addToBatch = route('addToBatch', {
  body: z.object({ batchId: z.string().trim().max(64) }),
  reply: SuccessReply.extend({ product: ScannedProduct, job: Job }),
});

/**
 * Returns sentences to show before a product is added to an import. `refusal`: why the import takes no product now.
 * `sameSku`: another row of the import has the SKU. Each is null if it does not apply.
 */
export const checkBatch = route('checkBatch', {
  query: z.object({ sku: z.string().trim().max(nameCharsMax).optional(), product: z.uuid().optional() }),
  reply: z.object({ refusal: z.string().nullable(), sameSku: z.string().nullable() }),
});

/** A product in the store. */
export const ProductInStore = z.object({ title: z.string(), storeUrl: z.string() });
export type ProductInStore = z.infer<typeof ProductInStore>;

/**
 * Creates or updates the product in the connected store. `whenInStore`: what to do if the store has the product under
 * another id; if absent, the saved preference applies. 409 without a store, if another call or push is sending the
 * product, if the store has it under another id (`inStoreCode`), or if it was changed in the store. 422 if the store
 * refuses it, 502 if the store does not answer, 503 if the photos cannot be read.
 */
export const syncScanned = route('syncScanned', {
  body: z.object({ whenInStore: z.enum(matchChoices).optional() }).nullish(),
  reply: SuccessReply.extend({
    outcome: z.enum(['created', 'updated', 'unchanged']),
    storeUrl: z.string().nullable(),
    product: ScannedProduct,
  }),
});

/** Returns a URL that accepts one photo by PUT for 15 minutes. Saving a product with this upload keeps the photo. */
export const createUpload = route('createUpload', {
  reply: z.object({ uploadURL: z.string() }),
});

/** Turns an upload into a photo of an import, kept until the import is deleted. `name`: the photo's filename. */
export const addPhoto = route('addPhoto', {
  body: z.object({
    upload: z.string().max(2_000),
    name: z.string().trim().min(1).max(255).refine(isStorable, notStorableMessage),
  }),
  reply: z.object({ address: z.string() }),
});

/**
 * Looks up a scanned or typed code: in the library, then in our copy of the store and in imports that wait for a push,
 * then in stored answers. `format`: the kind of code, if the reader reports it. `ask`: whether to ask the sources if
 * nothing was found, which takes up to 8 s. 400 if the code has no characters that can be saved.
 */
export const lookUpCode = route('lookUpCode', {
  body: z.object({
    code: z.string().min(1).max(4_096),
    format: z.string().max(40).optional(),
    ask: z.boolean().default(true),
  }),
  reply: z.object({
    code: z.object({
      /** `gtin`: a product number for the UPC field. `text`: a text for the SKU field. */
      kind: z.enum(['gtin', 'text']),
      text: z.string(),
      gtin: z.string().nullable(),
      /** A sentence about a problem with the code. Null if there is none. */
      problem: z.string().nullable(),
    }),
    /** The product in the library. If it is set, nothing else was looked up. */
    product: ScannedProduct.nullable(),
    inStore: ProductInStore.nullable(),
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
    /** The result of asking the sources. 'later': no source was asked yet. 'asking': an import is asking a source. */
    asked: z.enum(['answered', 'missing', 'quota', 'off', 'failed', 'later', 'asking']),
    /** A source that can be asked again at `until`. Null if there is none. */
    waiting: z.object({ source: z.string(), until: z.iso.datetime() }).nullable(),
  }),
});
