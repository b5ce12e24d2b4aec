import type { StoredMedia, StoredMetafield, StoredProduct, StoredVariant } from './catalogue.ts';
import { categoryView } from './categories.ts';
import { type Clock, storeTime } from './clock.ts';
import type { Shop, StoredCollection } from './demo-shop.ts';
import { gid } from './gid.ts';
import { connection, type PageArguments } from './graphql-connection.ts';
import { levelsView } from './inventory.ts';
import { mediaFailure, mediaState } from './media-state.ts';
import { digestOf } from './metafield-rules.ts';
import { collectionView } from './shop-view.ts';
import { filePath } from './staged-uploads.ts';

/** Parts of the store for views of a product. */
export type ViewDeps = {
  clock: Clock;
  shop: Shop;
  /** The address of the store's pages and files. */
  publicUrl: () => string;
  catalogue: { collections: ReadonlyMap<string, StoredCollection> };
};

/** A product as the Admin schema's Product; fields that are missing here are not simulated. */
export function productView(product: StoredProduct, deps: ViewDeps): object {
  const { shop } = deps;
  const prices = product.variants.map((variant) => Number(variant.price));
  return {
    __typename: 'Product',
    id: gid('Product', product.id),
    legacyResourceId: String(product.id),
    handle: product.handle,
    title: product.title,
    descriptionHtml: product.descriptionHtml,
    description: () => product.descriptionHtml.replaceAll(/<[^>]*>/g, ''),
    vendor: product.vendor,
    productType: product.productType,
    tags: product.tags,
    status: product.status,
    createdAt: storeTime(product.createdAtMs),
    updatedAt: storeTime(product.updatedAtMs),
    publishedAt: product.publishedAtMs === undefined ? null : storeTime(product.publishedAtMs),
    templateSuffix: product.templateSuffix ?? null,
    seo: { title: product.seo?.title ?? null, description: product.seo?.description ?? null },
    category: product.category === undefined ? null : categoryView(product.category),
    events: (args: PageArguments) =>
      connection(
        eventsOf(product),
        (one) => String(one.atMs),
        (one) => eventView(one),
        args,
      ),
    totalInventory: product.variants.reduce(
      (sum, variant) => sum + (variant.tracked ? variant.quantity : 0),
      0,
    ),
    tracksInventory: product.variants.some((variant) => variant.tracked),
    hasOnlyDefaultVariant: product.options[0]?.name === 'Title' && product.variants.length === 1,
    variantsCount: { count: product.variants.length, precision: 'EXACT' },
    mediaCount: { count: product.media.length, precision: 'EXACT' },
    priceRangeV2: () => ({
      minVariantPrice: money(Math.min(...prices).toFixed(2), shop),
      maxVariantPrice: money(Math.max(...prices).toFixed(2), shop),
    }),
    options: () => product.options.map((option, index) => optionView(option, index)),
    variants: (args: PageArguments) =>
      connection(
        product.variants,
        (one) => String(one.id),
        (one) => variantView(one, product, deps),
        args,
      ),
    media: (args: PageArguments) =>
      connection(
        product.media,
        (one) => String(one.id),
        (one) => mediaView(one, deps),
        args,
      ),
    featuredMedia: () => (product.media[0] ? mediaView(product.media[0], deps) : null),
    metafield: (args: { namespace?: string; key: string }) =>
      product.metafields
        .filter((one) => one.namespace === args.namespace && one.key === args.key)
        .map(metafieldView)[0] ?? null,
    metafields: (args: PageArguments & { namespace?: string }) =>
      connection(
        product.metafields.filter((one) => !args.namespace || one.namespace === args.namespace),
        (one) => String(one.id),
        metafieldView,
        args,
      ),
    collections: (args: PageArguments) =>
      connection(
        [...deps.catalogue.collections.values()].filter((one) => product.collectionIds.includes(one.id)),
        (one) => one.id,
        collectionView,
        args,
      ),
  };
}

type StoredChange = NonNullable<StoredProduct['changes']>[number];

const eventsOf = (product: StoredProduct): (StoredChange & { app?: string })[] => [
  { atMs: product.createdAtMs, author: ourApp, app: ourApp, message: `${ourApp} created this product.` },
  ...(product.changes ?? []),
];

/** The title of the app that creates products here. */
const ourApp = 'Draftshelf';

const eventView = ({ atMs, author, app, message }: StoredChange & { app?: string }): object => ({
  __typename: 'BasicEvent',
  createdAt: storeTime(atMs),
  author,
  appTitle: app ?? null,
  attributeToApp: app !== undefined,
  attributeToUser: app === undefined,
  message,
});

function optionView(option: StoredProduct['options'][number], index: number): object {
  return {
    __typename: 'ProductOption',
    id: gid('ProductOption', option.id),
    name: option.name,
    position: index + 1,
    values: option.values.map((value) => value.name),
    optionValues: option.values.map((value) => ({
      id: gid('ProductOptionValue', value.id),
      name: value.name,
    })),
  };
}

function variantView(variant: StoredVariant, product: StoredProduct, deps: ViewDeps): object {
  const title = variant.optionValues.map((one) => one.value).join(' / ');
  return {
    __typename: 'ProductVariant',
    id: gid('ProductVariant', variant.id),
    legacyResourceId: String(variant.id),
    title,
    displayName: `${product.title} - ${title}`,
    position: product.variants.indexOf(variant) + 1,
    price: variant.price,
    compareAtPrice: variant.compareAtPrice,
    sku: variant.sku,
    barcode: variant.barcode,
    barcodes: (args: PageArguments) =>
      connection(
        variant.barcodes ?? (variant.barcode ? [{ value: variant.barcode }] : []),
        ({ value }) => value,
        ({ type = null, value }) => ({ __typename: 'ProductVariantBarcode', type, value }),
        args,
      ),
    taxable: variant.taxable,
    inventoryPolicy: variant.inventoryPolicy,
    inventoryQuantity: variant.quantity,
    createdAt: storeTime(product.createdAtMs),
    updatedAt: storeTime(product.updatedAtMs),
    selectedOptions: variant.optionValues,
    product: () => productView(product, deps),
    inventoryItem: () => inventoryItemView(variant, product, deps),
  };
}

/** The inventory item of a product's variant, with its quantities per location. */
export function inventoryItemView(variant: StoredVariant, product: StoredProduct, deps: ViewDeps): object {
  return {
    __typename: 'InventoryItem',
    id: gid('InventoryItem', variant.inventoryItemId),
    legacyResourceId: String(variant.inventoryItemId),
    sku: variant.sku,
    tracked: variant.tracked,
    requiresShipping: true,
    harmonizedSystemCode: variant.harmonizedSystemCode ?? null,
    countryCodeOfOrigin: variant.countryCodeOfOrigin ?? null,
    unitCost: variant.cost === null ? null : money(variant.cost, deps.shop),
    measurement: {
      __typename: 'InventoryItemMeasurement',
      id: gid('InventoryItemMeasurement', variant.inventoryItemId),
      weight: variant.weight ?? { value: 0, unit: 'KILOGRAMS' },
    },
    variant: () => variantView(variant, product, deps),
    ...levelsView(variant, product),
  };
}

function money(amount: string, shop: Shop): object {
  return { amount, currencyCode: shop.currencyCode };
}

/** An image of a product, or a file that no product has. */
export function mediaView(
  media: StoredMedia,
  { clock, publicUrl }: Pick<ViewDeps, 'clock' | 'publicUrl'>,
): object {
  const state = mediaState(media, clock());
  const image = state === 'READY' ? imageView(media, publicUrl()) : null;
  const code = mediaFailure(media);
  const errors =
    state === 'FAILED' ? [{ code, details: null, message: 'The image could not be processed.' }] : [];
  return {
    __typename: 'MediaImage',
    id: gid('MediaImage', media.id),
    alt: media.alt ?? '',
    mediaContentType: 'IMAGE',
    status: state,
    fileStatus: state,
    mediaErrors: errors,
    fileErrors: errors,
    mediaWarnings: [],
    createdAt: storeTime(media.addedAtMs),
    updatedAt: storeTime(media.addedAtMs),
    image,
    preview: { image, status: state },
  };
}

function imageView(media: StoredMedia, publicUrl: string): object {
  return {
    id: gid('ImageSource', media.id),
    url: media.staged === undefined ? media.originalSource : `${publicUrl}${filePath(media.staged)}`,
    altText: media.alt,
    width: null,
    height: null,
  };
}

export function metafieldView(metafield: StoredMetafield): object {
  return {
    __typename: 'Metafield',
    id: gid('Metafield', metafield.id),
    namespace: metafield.namespace,
    key: metafield.key,
    type: metafield.type,
    value: metafield.value,
    compareDigest: digestOf(metafield),
  };
}
