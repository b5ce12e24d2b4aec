/** All documents that we send. A test checks each with schemas 2026-07 and 2026-10, and rejects deprecated fields. */
import { toSelection } from './product/field.ts';
import {
  type ProductInputFields,
  productFieldList,
  type VariantInputFields,
  variantFieldList,
} from './product/fields.ts';

/** The namespace of our metafields. Shopify requires at least three characters. */
export const ourNamespace = 'scd';
/** The metafield with our id. Its definition must have type `id`, otherwise Shopify refuses customId look-ups. */
export const externalIdKey = 'external_id';
/** The metafield with the hash of the draft written last. The hash shows whether our write has arrived. */
export const payloadKey = 'payload';

/** Items read per list of a product. Further variants are read in pages; other lists are cut (`complete: false`). */
export type ReadSizes = { variants: number; media: number; metafields: number };

/** Enough for most products. Points are reserved for this many items but charged only for those the product has. */
export const maxReadSizes: ReadSizes = { variants: 100, media: 50, metafields: 50 };
export const collectionsReadMax = 50;

const stateVariables = '$variants: Int!, $media: Int!, $metafields: Int!, $locationId: ID!';

/** All barcodes of a variant. API versions before 2026-10 have only `barcode`, which is the first barcode. */
export const barcodesSelection = 'barcodes(first: 20) { nodes { type value } }';

const variantState = toSelection(variantFieldList, [
  'id',
  barcodesSelection,
  'selectedOptions { name value }',
  'inventoryItem.id',
  'inventoryItem.inventoryLevel(locationId: $locationId, includeInactive: true) { isActive quantities(names: ["available"]) { quantity } }',
]);

const productState = `fragment ProductState on Product {
  id
  handle
  createdAt
  updatedAt
  publishedAt
  templateSuffix
  ${toSelection(productFieldList, ['tags'])}
  options { name values }
  variants(first: $variants) {
    nodes { ${variantState} }
    pageInfo { hasNextPage endCursor }
  }
  media(first: $media) {
    nodes {
      id
      alt
      status
      mediaErrors { code message }
      preview { image { url } }
    }
    pageInfo { hasNextPage }
  }
  metafields(first: $metafields) {
    nodes { namespace key type value compareDigest }
    pageInfo { hasNextPage }
  }
  collections(first: ${collectionsReadMax}) {
    nodes { id }
    pageInfo { hasNextPage }
  }
}`;

const copiedFields = (variants: number) => `
      id
      title
      vendor
      status
      productType
      handle
      updatedAt
      totalInventory
      featuredMedia { preview { image { url } } }
      metafield(namespace: "${ourNamespace}", key: "${externalIdKey}") { value }
      variants(first: ${variants}) { nodes { sku barcode ${barcodesSelection} price } pageInfo { hasNextPage } }`;

/** Variants per product in a page of products, which must cost under 1,000 points. Larger products are read again. */
export const copiedVariantsMax = 10;

/** Maximum number of items in a list of the Admin API per request. */
export const variantsPerPage = 250;

export const idsPerLookupMax = 25;

const lookups = Array.from({ length: idsPerLookupMax }, (_, i) => i);

export const documents = {
  shop: `query shop {
  shop { name email myshopifyDomain currencyCode primaryDomain { host url } plan { publicDisplayName } }
}`,
  accessScopes: `query accessScopes {
  currentAppInstallation { accessScopes { handle } }
}`,
  locations: `query locations {
  locations(first: 50) { nodes { id name isActive shipsInventory } }
}`,
  collections: `query collections($first: Int!, $after: String) {
  collections(first: $first, after: $after, sortKey: TITLE) {
    nodes {
      id
      title
      sources {
        __typename
        ... on CollectionConditionsSource { inclusion { conditions { __typename } } }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
  products: `query products($first: Int!, $after: String) {
  products(first: $first, after: $after, sortKey: UPDATED_AT, reverse: true) {
    nodes {
      id
      legacyResourceId
      title
      vendor
      status
      productType
      handle
      updatedAt
      media(first: 5) { nodes { alt preview { image { url } } } }
      variants(first: 10) { nodes { price inventoryQuantity } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
  productsCount: `query productsCount {
  productsCount(limit: null) { count }
}`,
  productPage: `query productPage($first: Int!, $after: String) {
  products(first: $first, after: $after, sortKey: ID) {
    nodes {${copiedFields(copiedVariantsMax)}
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
  productStamps: `query productStamps($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Product { id updatedAt } }
}`,
  copiedNodes: `query copiedNodes($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Product {${copiedFields(variantsPerPage)}
  } }
}`,
  productNodes: `query productNodes($ids: [ID!]!, ${stateVariables}) {
  nodes(ids: $ids) { ...ProductState }
}
${productState}`,
  variantPage: `query variantPage($id: ID!, $first: Int!, $after: String, $locationId: ID!) {
  product(id: $id) {
    variants(first: $first, after: $after) {
      nodes { ${variantState} }
      pageInfo { hasNextPage endCursor }
    }
  }
}`,
  imageNodes: `query imageNodes($ids: [ID!]!) {
  nodes(ids: $ids) { ... on MediaImage { id fileStatus } }
}`,
  productEvents: `query productEvents($id: ID!, $first: Int!) {
  product(id: $id) {
    events(first: $first, sortKey: CREATED_AT, reverse: true) {
      nodes { createdAt message appTitle ... on BasicEvent { author } }
    }
  }
}`,
  productByCustomId: `query productByCustomId($externalId: String!, ${stateVariables}) {
  productByIdentifier(
    identifier: { customId: { namespace: "${ourNamespace}", key: "${externalIdKey}", value: $externalId } }
  ) { ...ProductState }
}
${productState}`,
  productIdsByCustomId: `query productIdsByCustomId(${lookups.map((i) => `$id${i}: String!`).join(', ')}) {
${lookups
  .map(
    (i) =>
      `  p${i}: productByIdentifier(
    identifier: { customId: { namespace: "${ourNamespace}", key: "${externalIdKey}", value: $id${i} } }
  ) { id }`,
  )
  .join('\n')}
}`,
  productSet: `mutation productSet($identifier: ProductSetIdentifiers!, $input: ProductSetInput!) {
  productSet(identifier: $identifier, input: $input, synchronous: true) {
    product { id handle }
    userErrors { code field message }
  }
}`,
  productDelete: `mutation productDelete($id: ID!) {
  productDelete(input: { id: $id }, synchronous: true) {
    deletedProductId
    userErrors { field message }
  }
}`,
  metafieldsDelete: `mutation metafieldsDelete($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) {
    userErrors { field message }
  }
}`,
  metafieldsSet: `mutation metafieldsSet($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) {
    userErrors { code field message }
  }
}`,
  stagedUploadsCreate: `mutation stagedUploadsCreate($input: [StagedUploadInput!]!) {
  stagedUploadsCreate(input: $input) {
    stagedTargets { url resourceUrl parameters { name value } }
    userErrors { field message }
  }
}`,
  inventorySetQuantities: `mutation inventorySetQuantities($input: InventorySetQuantitiesInput!, $key: String!) {
  inventorySetQuantities(input: $input) @idempotent(key: $key) {
    userErrors { code field message }
  }
}`,
  categories: `query categories($search: String!, $first: Int!) {
  taxonomy { categories(search: $search, first: $first) { nodes { id fullName isArchived } } }
}`,
  productDefinitions: `query productDefinitions($first: Int!, $after: String) {
  metafieldDefinitions(first: $first, after: $after, ownerType: PRODUCT) {
    nodes { namespace key name description type { name } validations { name value } }
    pageInfo { hasNextPage endCursor }
  }
}`,
  metafieldDefinitions: `query metafieldDefinitions($namespace: String!, $key: String!) {
  metafieldDefinitions(first: 1, ownerType: PRODUCT, namespace: $namespace, key: $key) {
    nodes { id namespace key type { name } }
  }
}`,
  metafieldDefinitionCreate: `mutation metafieldDefinitionCreate($definition: MetafieldDefinitionInput!) {
  metafieldDefinitionCreate(definition: $definition) {
    createdDefinition { id }
    userErrors { code field message }
  }
}`,
} as const;

export type DocumentName = keyof typeof documents;

export type DocumentVariables = {
  shop: Record<string, never>;
  accessScopes: Record<string, never>;
  locations: Record<string, never>;
  collections: { first: number; after: string | null };
  products: { first: number; after: string | null };
  productsCount: Record<string, never>;
  productPage: { first: number; after: string | null };
  productStamps: { ids: readonly string[] };
  copiedNodes: { ids: readonly string[] };
  productNodes: { ids: readonly string[] } & StateVariables;
  variantPage: { id: string; first: number; after: string | null; locationId: string };
  imageNodes: { ids: readonly string[] };
  productEvents: { id: string; first: number };
  productByCustomId: { externalId: string } & StateVariables;
  productIdsByCustomId: Record<string, string>;
  productSet: ProductSetVariables;
  productDelete: { id: string };
  metafieldsDelete: { metafields: { ownerId: string; namespace: string; key: string }[] };
  metafieldsSet: { metafields: (MetafieldToSet & { ownerId: string })[] };
  stagedUploadsCreate: { input: StagedUploadInput[] };
  inventorySetQuantities: SetQuantitiesVariables;
  categories: { search: string; first: number };
  productDefinitions: { first: number; after: string | null };
  metafieldDefinitions: { namespace: string; key: string };
  metafieldDefinitionCreate: {
    definition: { name: string; namespace: string; key: string; ownerType: 'PRODUCT'; type: string };
  };
};

/** `locationId`: the location of the quantities to read. */
export type StateVariables = ReadSizes & { locationId: string };

type StagedUploadInput = { filename: string; mimeType: string; resource: 'IMAGE'; httpMethod: 'PUT' };

/** Sets each quantity only if the store still has `changeFromQuantity`. A call that repeats a `key` sets nothing. */
export type SetQuantitiesVariables = {
  key: string;
  input: {
    name: 'available';
    reason: 'correction';
    quantities: {
      inventoryItemId: string;
      locationId: string;
      quantity: number;
      changeFromQuantity: number;
    }[];
  };
};

/** An upsert: the product's id and the fields to set. The store keeps the values of absent fields. */
export type ProductSetVariables = { identifier: ProductSetIdentifier; input: ProductSetInput };
/** Identifies the product by our id, so that the store creates a missing product, or by the store's id. */
export type ProductSetIdentifier =
  | { customId: { namespace: string; key: string; value: string } }
  | { id: string };

/** The part of Shopify's ProductSetInput that we use. */
export type ProductSetInput = ProductInputFields & {
  tags?: string[];
  collections?: string[];
  productOptions?: { name: string; values: { name: string }[] }[];
  variants?: VariantSetInput[];
  files?: FileSetInput[];
  metafields?: MetafieldInput[];
};
export type VariantSetInput = VariantInputFields & {
  id?: string;
  optionValues: { optionName: string; name: string }[];
  /** Replaces all barcodes. Never sent together with `barcode`. */
  barcodes?: Barcode[];
  inventoryQuantities?: { locationId: string; name: 'available'; quantity: number }[];
};
/** The store checks the barcode if it has a type. */
export type Barcode = { type: string | null; value: string };
export type FileSetInput =
  | { id: string; alt?: string }
  | { originalSource: string; contentType: 'IMAGE'; alt?: string };
export type MetafieldInput = { namespace: string; key: string; value: string; type?: string };
/** `compareDigest`: digest of the value to replace. Null if there must be no value, absent if any value is replaced. */
export type MetafieldToSet = MetafieldInput & { compareDigest?: string | null };
