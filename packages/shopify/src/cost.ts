import {
  collectionsReadMax,
  copiedVariantsMax,
  type DocumentName,
  type DocumentVariables,
  idsPerLookupMax,
  type ProductSetInput,
  type ReadSizes,
  variantsPerPage,
} from './documents.ts';
import { productFieldList, variantFieldList } from './product/fields.ts';

/**
 * Returns the points of a productSet with our minimal selection: 10, plus 0.2 per variant, 0.6 per variant file (we
 * send none), 0.4 per metafield and 1.9 per product file, rounded (Shopify's changelog of October 2025).
 */
export function productSetCost({ variants = [], metafields = [], files = [] }: ProductSetInput): number {
  const tenths = 100 + 2 * variants.length + 4 * metafields.length + 19 * files.length;
  return Math.round(tenths / 10);
}

/** Returns the points of a list of up to N nodes: 2 + floor(2·ln(N+1)) times the points of one node (Admin API). */
function listCost(count: number, nodePoints: number): number {
  return 2 + Math.floor(2 * Math.log(count + 1)) * nodePoints;
}

/** Returns the points that the store charges for a request. A test compares them with the simulator's rules. */
export function requestCost<Name extends DocumentName>(
  name: Name,
  variables: DocumentVariables[Name],
): number {
  const points: { [N in DocumentName]: (variables: DocumentVariables[N]) => number } = {
    shop: () => 3,
    accessScopes: () => 2,
    locations: () => listCost(50, 1),
    collections: ({ first }) => listCost(first, 4),
    products: ({ first }) => listCost(first, 1 + listCost(5, 3) + listCost(10, 1)),
    productsCount: () => 10,
    productPage: ({ first }) => listCost(first, copiedPoints(copiedVariantsMax)),
    productStamps: () => 1,
    copiedNodes: () => copiedPoints(variantsPerPage),
    productNodes: productStatePoints,
    variantPage: ({ first }) => 1 + listCost(first, variantPoints),
    imageNodes: () => 1,
    productEvents: ({ first }) => 1 + listCost(first, 1),
    productByCustomId: productStatePoints,
    productIdsByCustomId: () => idsPerLookupMax,
    productSet: ({ input }) => productSetCost(input),
    productDelete: () => 10,
    metafieldsDelete: () => 10,
    metafieldsSet: () => 10,
    // 10 points for the mutation and 1 point for the list of parameters.
    stagedUploadsCreate: () => 11,
    inventorySetQuantities: () => 10,
    categories: ({ first }) => 1 + listCost(first, 1),
    productDefinitions: ({ first }) => listCost(first, 3),
    metafieldDefinitions: () => listCost(1, 2),
    metafieldDefinitionCreate: () => 10,
  };
  return points[name](variables);
}

/** A variant has at most 20 barcodes. */
const barcodesPoints = listCost(20, 1);

/** Returns the points of those fields that select an object: one point each. */
const objectsOf = (fields: readonly { select?: string }[]): number =>
  fields.filter(({ select }) => select !== undefined).length;

const variantPoints = 6 + objectsOf(variantFieldList) + barcodesPoints;

/** Points of a copied product: the product itself, its featured image, our id and its variants. */
const copiedPoints = (variants: number): number => 1 + 3 + 1 + listCost(variants, 1 + barcodesPoints);

/** Returns the points of a product's state. A `nodes(ids)` query costs only the points of its costliest product. */
function productStatePoints({ variants, media, metafields }: ReadSizes): number {
  const lists = listCost(variants, variantPoints) + listCost(media, 4) + listCost(metafields, 1);
  return 3 + objectsOf(productFieldList) + lists + listCost(collectionsReadMax, 1);
}
