import { matchChoices } from '@draftshelf/domain/access/preferences';
import { isStorable, notStorable } from '@draftshelf/domain/base/storable-text';
import { measureMax, weightUnits } from '@draftshelf/domain/base/weight';
import {
  descriptionCharsMax,
  dimensionsDefault,
  lengthUnits,
  measureOf,
  nameCharsMax,
  photosMax,
  priceText,
  requiredSentence,
  weightDefault,
} from '@draftshelf/domain/scanner/scanned-product';
import { z } from 'zod';
import { Job, listCursor } from '../imports/imports.ts';
import { route } from '../route.ts';
import { Done, Timestamp } from '../values.ts';
import { noBatch } from '../wire.ts';

/** A text. `otherwise` stands for an absent or empty one. */
const textOr = <T extends string | null>(charsMax: number, otherwise: T) =>
  z
    .string()
    .trim()
    .max(charsMax)
    .nullish()
    .transform((text) => text || otherwise);

/** A text that has to be entered. One sentence names the three fields, as on the screen. */
const Required = textOr(nameCharsMax, '').refine((text) => text !== '', requiredSentence);

const NumberOrText = z.union([z.string().trim().max(40), z.number()]).nullish();

const Price = NumberOrText.transform((price, context) => {
  const isEmpty = price === null || price === undefined || price === '';
  const text = isEmpty ? null : priceText(price);
  if (text !== null) return text;
  const message = isEmpty ? requiredSentence : 'The price must be an amount like 24.99.';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** A side or weight as a number or text. An empty one is 0. */
const Measure = NumberOrText.transform((value, context) => {
  const number = measureOf(value);
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
 * The stored fields of a scanned product. `photos`: addresses, or replies of `POST /api/objects/upload`; data URLs are
 * stored, and have become addresses, before this is checked. `selectedBatch`: the import that the product is added to,
 * once.
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
  /** Addresses that an image element of a signed-in page can load. */
  photos: z.array(z.string()),
  /** A string: a newer server may have others. */
  status: z.string(),
  version: z.number().int(),
  createdAt: Timestamp,
  changedAt: Timestamp,
  syncedAt: Timestamp.nullable(),
  storeUrl: z.string().nullable(),
  batches: z.array(z.object({ id: z.uuid(), filename: z.string(), row: z.number().int().nullable() })),
});
export type ScannedProduct = z.infer<typeof ScannedProduct>;

/** The most products in one reply of the list. */
export const scannedListMax = 500;

/**
 * The library, newest first, at most 500 products. `before` pages through the others; its value is the `X-Next-Before`
 * of the previous reply. `q`: only products whose name, SKU or UPC contains the text. `X-Total-Count`: their number.
 */
export const listScanned = route('listScanned', {
  query: z.object({
    before: z.string().regex(listCursor).optional(),
    q: z.string().trim().max(200).optional(),
  }),
  reply: z.array(ScannedProduct),
});

/**
 * Creates a product: 201. A client makes the id, so that it can repeat the call: a known id replies 200 with the stored
 * product; other content changes it if nothing else has changed it since, else the reply is 409 with the product as
 * `current`. 410: the product of that id was deleted. 400 names the `field`. 404 and 409 with the field
 * `selectedBatch`: the batch is unknown or takes no product now, and nothing is saved.
 */
export const createScanned = route('createScanned', {
  body: ScannedFieldsBody.extend({ id: z.uuid().toLowerCase().optional() }),
  reply: ScannedProduct,
});

export const getScanned = route('getScanned', {
  reply: ScannedProduct,
});

/**
 * Changes a product, which then is active again. `version`: what the client has read; if the stored one differs, the
 * reply is 409 with the stored product as `current`, and nothing is saved; 200 if the content is the same, because the
 * client repeats a call whose answer was lost.
 */
export const updateScanned = route('updateScanned', {
  body: ScannedFieldsBody.extend({ version: z.number().int().optional() }),
  reply: ScannedProduct,
});

/** Deletes a product from the library. It stays in the store and in imports. */
export const deleteScanned = route('deleteScanned', {
  reply: Done,
});

/**
 * Adds the product to an import as a row behind the last row of its file. A second time changes nothing. 404: unknown
 * product or import; 409: the import is being pushed or has ended.
 */
export const addToBatch = route('addToBatch', {
  body: z.object({ batchId: z.string().trim().max(64) }),
  reply: Done.extend({ product: ScannedProduct, job: Job }),
});

/**
 * Sentences for the operator before a product is added to an import. `refusal`: why the import takes no product now;
 * `sameSku`: a row of it already has the SKU, other than the row of the product. Null: there is nothing to say.
 */
export const checkBatch = route('checkBatch', {
  query: z.object({ sku: z.string().trim().max(nameCharsMax).optional(), product: z.uuid().optional() }),
  reply: z.object({ refusal: z.string().nullable(), sameSku: z.string().nullable() }),
});

/** A product of the store. */
export const InStore = z.object({ title: z.string(), storeUrl: z.string() });
export type InStore = z.infer<typeof InStore>;

/**
 * Brings the product into the connected store, or its changes. `whenInStore`: what is done if the store has it under
 * another id; by default the preference. 409: no store, another call or push is sending it, the store has it under
 * another id (`inStoreCode`), or it was changed in the store. 422 if the store refuses it, 502 if the store does not
 * answer, 503 if the photos cannot be read.
 */
export const syncScanned = route('syncScanned', {
  body: z.object({ whenInStore: z.enum(matchChoices).optional() }).nullish(),
  reply: Done.extend({
    outcome: z.enum(['created', 'updated', 'unchanged']),
    storeUrl: z.string().nullable(),
    product: ScannedProduct,
  }),
});

/** An address to PUT one photo to, for 15 minutes. It becomes a product's photo when it is saved with the product. */
export const createUpload = route('createUpload', {
  reply: z.object({ uploadURL: z.string() }),
});

/** Makes an upload a photo of an import, kept until the import is deleted. `name`: its file name. */
export const addPhoto = route('addPhoto', {
  body: z.object({
    upload: z.string().max(2_000),
    name: z.string().trim().min(1).max(255).refine(isStorable, notStorable),
  }),
  reply: z.object({ address: z.string() }),
});

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
