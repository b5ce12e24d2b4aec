import { z } from 'zod';
import type { DocumentName } from './documents.ts';
import { replyShape } from './product/field.ts';
import { productFieldList, variantFieldList } from './product/fields.ts';

const UserError = z.object({
  code: z.string().nullish(),
  field: z.array(z.string()).nullish(),
  message: z.string(),
});
export type UserError = z.infer<typeof UserError>;

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() });

/** Absent: the store's version has one barcode per variant. */
const Barcodes = z
  .object({ nodes: z.array(z.object({ type: z.string().nullable(), value: z.string() })) })
  .optional();

/** The fields of a product that a read-back requests, as the store sends them. */
export const ProductState = z.object({
  id: z.string(),
  handle: z.string(),
  updatedAt: z.string(),
  ...replyShape(productFieldList),
  tags: z.array(z.string()),
  options: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
  variants: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        ...replyShape(variantFieldList),
        barcodes: Barcodes,
        selectedOptions: z.array(z.object({ name: z.string(), value: z.string() })),
        inventoryItem: z.object({
          id: z.string(),
          ...replyShape(variantFieldList, 'inventoryItem.'),
          inventoryLevel: z
            .object({ isActive: z.boolean(), quantities: z.array(z.object({ quantity: z.number() })) })
            .nullable(),
        }),
      }),
    ),
    pageInfo: PageInfo,
  }),
  media: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        alt: z.string().nullable(),
        status: z.string(),
        mediaErrors: z.array(z.object({ code: z.string(), message: z.string() })),
        preview: z.object({ image: z.object({ url: z.string() }).nullable() }).nullable(),
      }),
    ),
    pageInfo: PageInfo,
  }),
  metafields: z.object({
    nodes: z.array(z.object({ namespace: z.string(), key: z.string(), type: z.string(), value: z.string() })),
    pageInfo: PageInfo,
  }),
  collections: z.object({ nodes: z.array(z.object({ id: z.string() })), pageInfo: PageInfo }),
});
export type ProductState = z.infer<typeof ProductState>;

const CopiedState = z.object({
  id: z.string(),
  title: z.string(),
  vendor: z.string(),
  status: z.string(),
  productType: z.string(),
  handle: z.string(),
  updatedAt: z.string(),
  totalInventory: z.number().nullable(),
  featuredMedia: z
    .object({ preview: z.object({ image: z.object({ url: z.string() }).nullable() }).nullable() })
    .nullable(),
  metafield: z.object({ value: z.string() }).nullable(),
  variants: z.object({
    nodes: z.array(
      z.object({
        sku: z.string().nullable(),
        barcode: z.string().nullable(),
        barcodes: Barcodes,
        price: z.string(),
      }),
    ),
    pageInfo: PageInfo,
  }),
});
export type CopiedState = z.infer<typeof CopiedState>;

export const UndoState = ProductState.extend({
  createdAt: z.string(),
  publishedAt: z.string().nullable(),
  templateSuffix: z.string().nullable(),
  seo: z.object({ title: z.string().nullable(), description: z.string().nullable() }),
  category: z.object({ fullName: z.string() }).nullable(),
});
export type UndoState = z.infer<typeof UndoState>;

const StagedTarget = z.object({
  url: z.string(),
  resourceUrl: z.string(),
  parameters: z.array(z.object({ name: z.string(), value: z.string() })),
});
/** An address for an upload, headers that it needs, and the address that a productSet then names. */
export type StagedTarget = z.infer<typeof StagedTarget>;

/** The reply of each document. The client parses every reply with its schema. */
export const replies = {
  shop: z.object({
    shop: z.object({
      name: z.string(),
      email: z.string(),
      myshopifyDomain: z.string(),
      currencyCode: z.string(),
      primaryDomain: z.object({ host: z.string(), url: z.string() }),
      plan: z.object({ publicDisplayName: z.string() }),
    }),
  }),
  accessScopes: z.object({
    currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
  }),
  locations: z.object({
    locations: z.object({
      nodes: z.array(
        z.object({ id: z.string(), name: z.string(), isActive: z.boolean(), shipsInventory: z.boolean() }),
      ),
    }),
  }),
  collections: z.object({
    collections: z.object({
      nodes: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          sources: z.array(
            z.object({
              __typename: z.string(),
              inclusion: z.object({ conditions: z.array(z.unknown()) }).optional(),
            }),
          ),
        }),
      ),
      pageInfo: PageInfo,
    }),
  }),
  products: z.object({
    products: z.object({
      nodes: z.array(
        z.object({
          id: z.string(),
          legacyResourceId: z.string(),
          title: z.string(),
          vendor: z.string(),
          status: z.string(),
          productType: z.string(),
          handle: z.string(),
          updatedAt: z.string(),
          media: z.object({
            nodes: z.array(
              z.object({
                alt: z.string().nullable(),
                preview: z.object({ image: z.object({ url: z.string() }).nullable() }).nullable(),
              }),
            ),
          }),
          variants: z.object({
            nodes: z.array(z.object({ price: z.string(), inventoryQuantity: z.number().nullable() })),
          }),
        }),
      ),
      pageInfo: PageInfo,
    }),
  }),
  productsCount: z.object({ productsCount: z.object({ count: z.number() }).nullable() }),
  productPage: z.object({ products: z.object({ nodes: z.array(CopiedState), pageInfo: PageInfo }) }),
  productStamps: z.object({
    nodes: z.array(z.object({ id: z.string(), updatedAt: z.string() }).nullable()),
  }),
  copiedNodes: z.object({ nodes: z.array(CopiedState.nullable()) }),
  productNodes: z.object({ nodes: z.array(ProductState.nullable()) }),
  undoNodes: z.object({ nodes: z.array(UndoState.nullable()) }),
  variantPage: z.object({ product: ProductState.pick({ variants: true }).nullable() }),
  imageNodes: z.object({
    nodes: z.array(z.object({ id: z.string(), fileStatus: z.string() }).nullable()),
  }),
  productEvents: z.object({
    product: z
      .object({
        events: z.object({
          nodes: z.array(
            z.object({
              createdAt: z.string(),
              message: z.string(),
              appTitle: z.string().nullable(),
              author: z.string().nullish(),
            }),
          ),
        }),
      })
      .nullable(),
  }),
  productIdsByCustomId: z.record(z.string(), z.object({ id: z.string() }).nullable()),
  productByCustomId: z.object({ productByIdentifier: ProductState.nullable() }),
  productSet: z.object({
    productSet: z.object({
      product: z.object({ id: z.string(), handle: z.string() }).nullable(),
      userErrors: z.array(UserError),
    }),
  }),
  productDelete: z.object({
    productDelete: z.object({ deletedProductId: z.string().nullable(), userErrors: z.array(UserError) }),
  }),
  metafieldsDelete: z.object({ metafieldsDelete: z.object({ userErrors: z.array(UserError) }) }),
  stagedUploadsCreate: z.object({
    stagedUploadsCreate: z.object({
      stagedTargets: z.array(StagedTarget).nullable(),
      userErrors: z.array(UserError),
    }),
  }),
  inventorySetQuantities: z.object({
    inventorySetQuantities: z.object({ userErrors: z.array(UserError) }),
  }),
  metafieldDefinitions: z.object({
    metafieldDefinitions: z.object({
      nodes: z.array(
        z.object({
          id: z.string(),
          namespace: z.string(),
          key: z.string(),
          type: z.object({ name: z.string() }),
        }),
      ),
    }),
  }),
  metafieldDefinitionCreate: z.object({
    metafieldDefinitionCreate: z.object({
      createdDefinition: z.object({ id: z.string() }).nullable(),
      userErrors: z.array(UserError),
    }),
  }),
} satisfies Record<DocumentName, z.ZodType>;

export type DocumentReply<Name extends DocumentName> = z.infer<(typeof replies)[Name]>;
