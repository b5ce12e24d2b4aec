import { GraphQLError } from 'graphql';
import type { Catalogue, StoredProduct } from './catalogue.ts';
import type { Clock } from './clock.ts';
import { type DefinitionArguments, metafieldDefinitionCreate } from './definition-create.ts';
import { demoCollections, demoLocation } from './demo-shop.ts';
import { numberOfGid } from './gid.ts';
import { connection, type PageArguments } from './graphql-connection.ts';
import { searchProducts, sortProducts } from './product-search.ts';
import { productSet, requireIdDefinition } from './product-set.ts';
import type { CustomId, ProductSetArguments } from './product-set-types.ts';
import { productView } from './product-view.ts';
import { appInstallationView, collectionView, definitionView, locationView, shopView } from './shop-view.ts';

export type RootDeps = {
  catalogue: Catalogue;
  clock: Clock;
  publicUrl: () => string;
  myshopifyDomain: string;
  scopes: readonly string[];
};

/** The simulated root fields, queries and mutations; the schema has about 800 more. */
export function createRoots(deps: RootDeps): object {
  const { catalogue, clock } = deps;
  const view = (product: StoredProduct | undefined) => (product ? productView(product, clock) : null);
  const byId = (id: string) => view(catalogue.products.get(numberOfGid('Product', id) ?? -1));
  return {
    shop: () => shopView(deps.publicUrl(), deps.myshopifyDomain),
    currentAppInstallation: () => appInstallationView(deps.scopes),
    locations: (args: PageArguments) => connection([demoLocation], (one) => one.id, locationView, args),
    collections: (args: PageArguments) => connection(demoCollections, (one) => one.id, collectionView, args),
    product: ({ id }: { id: string }) => byId(id),
    node: ({ id }: { id: string }) => byId(id),
    nodes: ({ ids }: { ids: string[] }) => ids.map(byId),
    products: (args: PageArguments & { query?: string | null; sortKey: string }) => {
      const found = sortProducts(searchProducts(catalogue.products.values(), args.query), args.sortKey);
      return connection(
        found,
        (one) => String(one.id),
        (one) => productView(one, clock),
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
    metafieldDefinitions: (args: PageArguments & { ownerType: string; namespace?: string; key?: string }) => {
      const found = catalogue.definitions.filter(
        (one) =>
          one.ownerType === args.ownerType &&
          (!args.namespace || one.namespace === args.namespace) &&
          (!args.key || one.key === args.key),
      );
      return connection(found, (one) => String(one.id), definitionView, args);
    },
    productSet: (args: ProductSetArguments) => {
      const { product, refusals } = productSet(args, catalogue, clock());
      return {
        product: product ? productView(product, clock) : null,
        productSetOperation: null,
        userErrors: refusals,
      };
    },
    metafieldDefinitionCreate: (args: { definition: DefinitionArguments }) =>
      metafieldDefinitionCreate(args.definition, catalogue),
  };
}

type FieldSource = Readonly<Record<string, unknown>>;

/** Reads a field of a view; throws for a field that is not simulated instead of returning null. */
export function readField(
  source: FieldSource,
  args: unknown,
  _context: unknown,
  info: { fieldName: string; parentType: { name: string } },
): unknown {
  const value = source[info.fieldName];
  if (value === undefined) {
    throw new GraphQLError(`The store simulator does not know ${info.parentType.name}.${info.fieldName}.`, {
      extensions: { code: 'NOT_SIMULATED' },
    });
  }
  return typeof value === 'function' ? value(args) : value;
}
