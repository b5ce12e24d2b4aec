import { gid } from './gid.ts';

/** The fixed content of the simulated store: shop, one location and collections. */
export const demoShop = {
  id: gid('Shop', 71_000_000_001),
  name: 'Draftshelf Demo Store',
  email: 'owner@draftshelf-demo.example',
  myshopifyDomain: 'draftshelf-demo.myshopify.com',
  currencyCode: 'CAD',
  ianaTimezone: 'America/Toronto',
  plan: { publicDisplayName: 'Basic', partnerDevelopment: true, shopifyPlus: false },
};

export const demoLocation = { id: gid('Location', 72_000_000_001), name: 'Main warehouse' };

/** `smart`: filled by rules, so products cannot be added by hand. 'All products' usually is one. */
export const demoCollections = [
  { id: gid('Collection', 73_000_000_001), title: 'All Products', handle: 'all-products', smart: true },
  { id: gid('Collection', 73_000_000_002), title: 'Clearance', handle: 'clearance', smart: false },
  { id: gid('Collection', 73_000_000_003), title: 'Home page', handle: 'frontpage', smart: false },
  { id: gid('Collection', 73_000_000_004), title: 'New arrivals', handle: 'new-arrivals', smart: false },
];
export type DemoCollection = (typeof demoCollections)[number];

/** The scopes granted to the simulated app. */
export const grantedScopes = [
  'read_products',
  'write_products',
  'read_inventory',
  'write_inventory',
  'read_locations',
];
