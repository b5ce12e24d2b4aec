import type { StoredDefinition } from './catalogue.ts';
import type { DemoLocation, Shop, StoredCollection } from './demo-shop.ts';
import { gid } from './gid.ts';

/** The schema's Shop; `publicUrl` is where the simulator's own pages are. */
export function shopView(shop: Shop, publicUrl: string): object {
  const { scopes: _, dailyVariantsMax: __, ...fields } = shop;
  return {
    __typename: 'Shop',
    ...fields,
    contactEmail: shop.email,
    url: publicUrl,
    primaryDomain: {
      id: gid('Domain', 74_000_000_001),
      host: shop.myshopifyDomain,
      url: publicUrl,
      sslEnabled: publicUrl.startsWith('https:'),
    },
    plan: { ...shop.plan, displayName: shop.plan.publicDisplayName },
  };
}

export function locationView(location: DemoLocation): object {
  return {
    __typename: 'Location',
    ...location,
    isActive: true,
    shipsInventory: true,
    fulfillsOnlineOrders: true,
    isFulfillmentService: false,
  };
}

/** A smart collection is one with conditions in a source; Collection.ruleSet is deprecated. */
export function collectionView(collection: StoredCollection): object {
  const condition = { __typename: 'CollectionSourceInclusionConditionProductStatus' };
  return {
    __typename: 'Collection',
    id: collection.id,
    title: collection.title,
    handle: collection.handle,
    sources: [
      {
        __typename: 'CollectionConditionsSource',
        id: collection.id.replace('Collection', 'CollectionConditionsSource'),
        title: collection.title,
        inclusion: { conditions: collection.smart ? [condition] : [], matchType: null },
      },
    ],
  };
}

export function definitionView(definition: StoredDefinition): object {
  return {
    __typename: 'MetafieldDefinition',
    id: gid('MetafieldDefinition', definition.id),
    name: definition.name,
    namespace: definition.namespace,
    key: definition.key,
    ownerType: definition.ownerType,
    description: definition.description ?? null,
    validations: (definition.validations ?? []).map((one) => ({ ...one, type: 'single_line_text_field' })),
    type: { name: definition.type, category: definition.type === 'id' ? 'ID' : 'TEXT' },
    capabilities: { uniqueValues: { enabled: definition.type === 'id', eligible: definition.type === 'id' } },
  };
}

export function appInstallationView({ scopes }: Shop): object {
  return {
    __typename: 'AppInstallation',
    id: gid('AppInstallation', 75_000_000_001),
    accessScopes: scopes.map((handle) => ({ handle, description: handle })),
  };
}
