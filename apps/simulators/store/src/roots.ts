import { GraphQLError, type GraphQLResolveInfo, getDirectiveValues } from 'graphql';
import type { Catalogue, StoredProduct } from './catalogue.ts';
import { categoryView, findCategories } from './categories.ts';
import type { Clock } from './clock.ts';
import type { DailyVariants } from './daily-variants.ts';
import { type DefinitionArguments, metafieldDefinitionCreate } from './definition-create.ts';
import { type MetafieldIdentifier, metafieldsDelete, productDelete } from './deletions.ts';
import { demoLocations, type Shop } from './demo-shop.ts';
import { numberOfGid } from './gid.ts';
import { connection, type PageArguments } from './graphql-connection.ts';
import { inventorySetQuantities, type SetQuantitiesInput } from './inventory.ts';
import { metafieldsSet, type SingleMetafield } from './metafields-set.ts';
import { searchProducts, sortProducts } from './product-search.ts';
import { productSet, requireIdDefinition } from './product-set.ts';
import type { CustomId, ProductSetArguments } from './product-set-types.ts';
import { inventoryItemView, mediaView, productView } from './product-view.ts';
import { requireAccess } from './scopes.ts';
import { appInstallationView, collectionView, definitionView, locationView, shopView } from './shop-view.ts';
import { type StagedUploadInput, stagedUploadsCreate } from './staged-uploads.ts';

export type RootDeps = {
  catalogue: Catalogue;
  shop: Shop;
  daily: DailyVariants;
  clock: Clock;
  publicUrl: () => string;
};

/** The simulated root fields, queries and mutations; the schema has about 800 more. */
export function createRoots(deps: RootDeps): object {
  const { catalogue, clock } = deps;
  const view = (product: StoredProduct | undefined) => (product ? productView(product, deps) : null);
  const byId = (id: string) => view(catalogue.products.get(numberOfGid('Product', id) ?? -1));
  const itemById = (id: string) => {
    const item = numberOfGid('InventoryItem', id);
    const product = item === null ? undefined : catalogue.productByInventoryItem(item);
    const variant = product?.variants.find((one) => one.inventoryItemId === item);
    return product && variant ? inventoryItemView(variant, product, deps) : null;
  };
  const imageById = (id: string) => {
    const number = numberOfGid('MediaImage', id) ?? -1;
    const media =
      catalogue.looseFiles.get(number) ??
      [...catalogue.products.values()].flatMap((one) => one.media).find((one) => one.id === number);
    return media ? mediaView(media, deps) : null;
  };
  const nodeById = (id: string) => {
    if (id.includes('/InventoryItem/')) return itemById(id);
    return id.includes('/MediaImage/') ? imageById(id) : byId(id);
  };
  return {
    shop: () => shopView(deps.shop, deps.publicUrl()),
    currentAppInstallation: () => appInstallationView(deps.shop),
    locations: (args: PageArguments) => connection(demoLocations, (one) => one.id, locationView, args),
    collections: (args: PageArguments) =>
      connection([...catalogue.collections.values()], (one) => one.id, collectionView, args),
    collection: ({ id }: { id: string }) => {
      const found = catalogue.collections.get(id);
      return found ? collectionView(found) : null;
    },
    inventoryItem: ({ id }: { id: string }) => itemById(id),
    product: ({ id }: { id: string }) => byId(id),
    node: ({ id }: { id: string }) => nodeById(id),
    nodes: ({ ids }: { ids: string[] }) => ids.map(nodeById),
    products: (args: PageArguments & { query?: string | null; sortKey: string }) => {
      const found = sortProducts(searchProducts(catalogue.products.values(), args.query), args.sortKey);
      return connection(
        found,
        (one) => String(one.id),
        (one) => productView(one, deps),
        args,
      );
    },
    productsCount: (args: { query?: string | null; limit?: number | null }) => {
      const count = searchProducts(catalogue.products.values(), args.query).length;
      const limit = args.limit ?? count;
      return { count: Math.min(count, limit), precision: count > limit ? 'AT_LEAST' : 'EXACT' };
    },
    productByIdentifier: ({
      identifier,
    }: {
      identifier: { id?: string; handle?: string; customId?: CustomId };
    }) => {
      const { customId } = identifier;
      if (customId) {
        requireIdDefinition(customId, catalogue);
        return view(catalogue.productByCustomId(customId.namespace ?? '', customId.key, customId.value));
      }
      return identifier.handle
        ? view(catalogue.productByHandle(identifier.handle))
        : byId(identifier.id ?? '');
    },
    taxonomy: () => ({
      categories: (args: PageArguments & { search?: string | null }) =>
        connection(findCategories(args.search), (id) => id, categoryView, args),
    }),
    metafieldDefinitions: (args: PageArguments & { ownerType: string; namespace?: string; key?: string }) => {
      const found = catalogue.definitions.filter(
        (one) =>
          one.ownerType === args.ownerType &&
          (!args.namespace || one.namespace === args.namespace) &&
          (!args.key || one.key === args.key),
      );
      return connection(found, (one) => String(one.id), definitionView, args);
    },
    stagedUploadsCreate: (
      args: { input: StagedUploadInput[] },
      _info: GraphQLResolveInfo,
      { origin }: Context,
    ) => stagedUploadsCreate(args.input, { catalogue, clock, origin }),
    productSet: (args: ProductSetArguments) => {
      const { product, refusals } = productSet(args, { ...deps, nowMs: clock() });
      return {
        product: view(product ?? undefined),
        productSetOperation: null,
        userErrors: refusals,
      };
    },
    productDelete: (args: { input: { id: string }; synchronous: boolean }) => ({
      ...productDelete(args, catalogue),
      shop: shopView(deps.shop, deps.publicUrl()),
    }),
    metafieldsDelete: ({ metafields }: { metafields: MetafieldIdentifier[] }) =>
      metafieldsDelete(metafields, { catalogue, nowMs: clock() }),
    metafieldsSet: ({ metafields }: { metafields: SingleMetafield[] }) =>
      metafieldsSet(metafields, { catalogue, nowMs: clock() }),
    metafieldDefinitionCreate: (args: { definition: DefinitionArguments }) =>
      metafieldDefinitionCreate(args.definition, catalogue),
    inventorySetQuantities: (args: { input: SetQuantitiesInput }, info: GraphQLResolveInfo) =>
      inventorySetQuantities(args.input, idempotencyKey(info), { catalogue, nowMs: clock() }),
  };
}

/** The key of a field's @idempotent directive. */
function idempotencyKey(info: GraphQLResolveInfo): string | undefined {
  const directive = info.schema.getDirective('idempotent');
  const [node] = info.fieldNodes;
  const values = directive && node && getDirectiveValues(directive, node, info.variableValues);
  return values ? String(values.key) : undefined;
}

type FieldSource = Readonly<Record<string, unknown>>;

/** The shop with the granted scopes, and the origin at which the app has asked it. */
export type Context = { shop: Shop; origin: string };

/** Reads a field of a view. Throws for a field that is not simulated or not in the app's scopes. */
export function readField(
  source: FieldSource,
  args: unknown,
  context: Context,
  info: GraphQLResolveInfo,
): unknown {
  requireAccess(info, context.shop.scopes);
  const value = source[info.fieldName];
  if (value === undefined) {
    throw new GraphQLError(`The store simulator does not know ${info.parentType.name}.${info.fieldName}.`, {
      extensions: { code: 'NOT_SIMULATED' },
    });
  }
  return typeof value === 'function' ? value(args, info, context) : value;
}
