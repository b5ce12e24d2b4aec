import { z } from 'zod';
import type { DocumentName } from './documents.ts';
import { toReplyShape } from './product/field.ts';
import { productFieldList, variantFieldList } from './product/fields.ts';

const UserError = z.object({
  code: z.string().nullish(),
  field: z.array(z.string()).nullish(),
  message: z.string(),
});
export type UserError = z.infer<typeof UserError>;

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });

const listOf = <Node extends z.ZodType>(node: Node) => z.object({ nodes: z.array(node) });
const pageOf = <Node extends z.ZodType>(node: Node) => z.object({ nodes: z.array(node), pageInfo: PageInfo });

const texts = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, z.string()])) as Record<Name, z.ZodString>;

const Named = z.object(texts('name', 'value'));
const Preview = z.object({ image: z.object({ url: z.string() }).nullable() }).nullable();
const userErrors = z.array(UserError);

/** Absent if the store's API version has only one barcode per variant. */
const Barcodes = listOf(z.object({ type: z.string().nullable(), value: z.string() })).optional();

/** The fields of a product that a read-back requests, as the store sends them. */
export const ProductState = z.object({
  ...texts('id', 'handle', 'createdAt', 'updatedAt'),
  publishedAt: z.string().nullable(),
  templateSuffix: z.string().nullable(),
  ...toReplyShape(productFieldList),
  tags: z.array(z.string()),
  options: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
  variants: pageOf(
    z.object({
      id: z.string(),
      ...toReplyShape(variantFieldList),
      barcodes: Barcodes,
      selectedOptions: z.array(Named),
      inventoryItem: z.object({
        id: z.string(),
        ...toReplyShape(variantFieldList, 'inventoryItem.'),
        inventoryLevel: z
          .object({ isActive: z.boolean(), quantities: z.array(z.object({ quantity: z.number() })) })
          .nullable(),
      }),
    }),
  ),
  media: pageOf(
    z.object({
      ...texts('id', 'status'),
      alt: z.string().nullable(),
      mediaErrors: z.array(z.object(texts('code', 'message'))),
      preview: Preview,
    }),
  ),
  metafields: pageOf(z.object(texts('namespace', 'key', 'type', 'value', 'compareDigest'))),
  collections: pageOf(z.object({ id: z.string() })),
});
export type ProductState = z.infer<typeof ProductState>;

const CopiedState = z.object({
  ...texts('id', 'title', 'vendor', 'status', 'productType', 'handle', 'updatedAt'),
  totalInventory: z.number().nullable(),
  featuredMedia: z.object({ preview: Preview }).nullable(),
  metafield: z.object({ value: z.string() }).nullable(),
  variants: pageOf(
    z.object({
      sku: z.string().nullable(),
      barcode: z.string().nullable(),
      barcodes: Barcodes,
      price: z.string(),
    }),
  ),
});
export type CopiedState = z.infer<typeof CopiedState>;

const StagedTarget = z.object({ ...texts('url', 'resourceUrl'), parameters: z.array(Named) });
/** An address to upload to, headers for the upload, and an address for a productSet. */
export type StagedTarget = z.infer<typeof StagedTarget>;

/** The schema of each document's reply. The client parses every reply with it. */
export const replySchemas = {
  shop: z.object({
    shop: z.object({
      ...texts('name', 'email', 'myshopifyDomain', 'currencyCode'),
      primaryDomain: z.object(texts('host', 'url')),
      plan: z.object(texts('publicDisplayName')),
    }),
  }),
  accessScopes: z.object({
    currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
  }),
  locations: z.object({
    locations: listOf(
      z.object({ ...texts('id', 'name'), isActive: z.boolean(), shipsInventory: z.boolean() }),
    ),
  }),
  collections: z.object({
    collections: pageOf(
      z.object({
        ...texts('id', 'title'),
        sources: z.array(
          z.object({
            __typename: z.string(),
            inclusion: z.object({ conditions: z.array(z.unknown()) }).optional(),
          }),
        ),
      }),
    ),
  }),
  products: z.object({
    products: pageOf(
      z.object({
        ...texts('id', 'legacyResourceId', 'title', 'vendor', 'status', 'productType', 'handle', 'updatedAt'),
        media: listOf(z.object({ alt: z.string().nullable(), preview: Preview })),
        variants: listOf(z.object({ price: z.string(), inventoryQuantity: z.number().nullable() })),
      }),
    ),
  }),
  productsCount: z.object({ productsCount: z.object({ count: z.number() }).nullable() }),
  productPage: z.object({ products: pageOf(CopiedState) }),
  productStamps: listOf(z.object(texts('id', 'updatedAt')).nullable()),
  copiedNodes: listOf(CopiedState.nullable()),
  productNodes: listOf(ProductState.nullable()),
  variantPage: z.object({ product: ProductState.pick({ variants: true }).nullable() }),
  imageNodes: listOf(z.object(texts('id', 'fileStatus')).nullable()),
  productEvents: z.object({
    product: z
      .object({
        events: listOf(
          z.object({
            ...texts('createdAt', 'message'),
            appTitle: z.string().nullable(),
            author: z.string().nullish(),
          }),
        ),
      })
      .nullable(),
  }),
  productIdsByCustomId: z.record(z.string(), z.object({ id: z.string() }).nullable()),
  productByCustomId: z.object({ productByIdentifier: ProductState.nullable() }),
  productSet: z.object({
    productSet: z.object({ product: z.object(texts('id', 'handle')).nullable(), userErrors }),
  }),
  productDelete: z.object({
    productDelete: z.object({ deletedProductId: z.string().nullable(), userErrors }),
  }),
  metafieldsDelete: z.object({ metafieldsDelete: z.object({ userErrors }) }),
  metafieldsSet: z.object({ metafieldsSet: z.object({ userErrors }) }),
  stagedUploadsCreate: z.object({
    stagedUploadsCreate: z.object({ stagedTargets: z.array(StagedTarget).nullable(), userErrors }),
  }),
  inventorySetQuantities: z.object({ inventorySetQuantities: z.object({ userErrors }) }),
  categories: z.object({
    taxonomy: z
      .object({ categories: listOf(z.object({ ...texts('id', 'fullName'), isArchived: z.boolean() })) })
      .nullable(),
  }),
  productDefinitions: z.object({
    metafieldDefinitions: pageOf(
      z.object({
        ...texts('namespace', 'key', 'name'),
        description: z.string().nullable(),
        type: z.object({ name: z.string() }),
        validations: z.array(z.object({ name: z.string(), value: z.string().nullable() })),
      }),
    ),
  }),
  metafieldDefinitions: z.object({
    metafieldDefinitions: listOf(
      z.object({ ...texts('id', 'namespace', 'key'), type: z.object({ name: z.string() }) }),
    ),
  }),
  metafieldDefinitionCreate: z.object({
    metafieldDefinitionCreate: z.object({
      createdDefinition: z.object({ id: z.string() }).nullable(),
      userErrors,
    }),
  }),
} satisfies Record<DocumentName, z.ZodType>;

export type DocumentReply<Name extends DocumentName> = z.infer<(typeof replySchemas)[Name]>;
