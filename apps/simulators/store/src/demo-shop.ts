import { gid } from './gid.ts';

/** A simulated shop. Tests change scopes and limits while it runs. */
export type Shop = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly myshopifyDomain: string;
  readonly currencyCode: string;
  readonly ianaTimezone: string;
  readonly plan: { publicDisplayName: string; partnerDevelopment: boolean; shopifyPlus: boolean };
  /** The scopes granted to the app. */
  scopes: string[];
  /** Variants that may be created per UTC day; null: unlimited, as in stores with fewer than 50,000 variants. */
  dailyVariantsMax: number | null;
  /** Whether an image that is left out of a productSet stays as a file. Shopify does not document it. */
  keepsFiles: boolean;
};

const allScopes = ['read_products', 'write_products', 'read_inventory', 'write_inventory', 'read_locations'];

/** The first simulated shop, which `npm start` uses. */
export function demoShop(): Shop {
  return {
    id: gid('Shop', 71_000_000_001),
    name: 'Draftshelf Demo Store',
    email: 'owner@draftshelf-demo.example',
    myshopifyDomain: 'draftshelf-demo.myshopify.com',
    currencyCode: 'CAD',
    ianaTimezone: 'America/Toronto',
    plan: { publicDisplayName: 'Basic', partnerDevelopment: true, shopifyPlus: false },
    scopes: [...allScopes],
    dailyVariantsMax: null,
    keepsFiles: false,
  };
}

/** Another shop with another currency, to test a change of shop. */
export function secondShop(): Shop {
  return {
    ...demoShop(),
    id: gid('Shop', 71_000_000_002),
    name: 'Draftshelf Second Store',
    email: 'owner@draftshelf-second.example',
    myshopifyDomain: 'draftshelf-second.myshopify.com',
    currencyCode: 'EUR',
    ianaTimezone: 'Europe/Berlin',
  };
}

/** Every shop's locations; the first one that ships gets the stock of new products. */
export const demoLocations = [
  { id: gid('Location', 72_000_000_001), name: 'Main warehouse' },
  { id: gid('Location', 72_000_000_002), name: 'Outlet' },
];
export type DemoLocation = (typeof demoLocations)[number];

/** The location of quantities whose location is not known. */
export const mainLocationId = gid('Location', 72_000_000_001);

/** `smart`: filled by rules, so products cannot be added by hand. */
export type StoredCollection = { id: string; title: string; handle: string; smart: boolean };

/** The collections of a new shop. 'All products' usually is a smart one. */
export const demoCollections: readonly StoredCollection[] = [
  { id: gid('Collection', 73_000_000_001), title: 'All Products', handle: 'all-products', smart: true },
  { id: gid('Collection', 73_000_000_002), title: 'Clearance', handle: 'clearance', smart: false },
  { id: gid('Collection', 73_000_000_003), title: 'Home page', handle: 'frontpage', smart: false },
  { id: gid('Collection', 73_000_000_004), title: 'New arrivals', handle: 'new-arrivals', smart: false },
];
