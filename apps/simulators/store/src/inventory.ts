import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Catalogue, StoredProduct, StoredVariant } from './catalogue.ts';
import { storeTime } from './clock.ts';
import { type DemoLocation, demoLocations, mainLocationId } from './demo-shop.ts';
import { gid, numberOfGid } from './gid.ts';
import { connection, type PageArguments } from './graphql-connection.ts';
import { locationView } from './shop-view.ts';

export type SetQuantitiesInput = {
  name: string;
  reason: string;
  referenceDocumentUri?: string | null;
  quantities: QuantityInput[];
};
type QuantityInput = {
  inventoryItemId: string;
  locationId: string;
  quantity: number;
  /** Absent is an error; null skips the comparison. */
  changeFromQuantity?: number | null;
};
type Refused = { code: string; field: string[]; message: string };
type Change = { item: number; locationId: string; delta: number; after: number };
/** The part of an answer that is stored with its idempotency key. */
type SetReply = { changes: Change[]; reason: string; at: string; userErrors: Refused[] };

const quantityMax = 1_000_000_000;

/** The reasons that Shopify accepts. */
const reasons = [
  'correction',
  'cycle_count_available',
  'damaged',
  'movement_canceled',
  'movement_created',
  'movement_received',
  'movement_updated',
  'other',
  'promotion',
  'quality_control',
  'received',
  'reservation_created',
  'reservation_deleted',
  'reservation_updated',
  'restock',
  'safety_stock',
  'shrinkage',
];

/** A variant's quantities by location. */
export function quantitiesOf(variant: StoredVariant): Record<string, number> {
  return variant.quantities ?? { [mainLocationId]: variant.quantity };
}

/** A variant with other quantities at some locations; the quantity in total follows. */
export function withQuantities(variant: StoredVariant, changed: Record<string, number>): StoredVariant {
  const quantities = { ...quantitiesOf(variant), ...changed };
  const quantity = Object.values(quantities).reduce((sum, one) => sum + one, 0);
  return { ...variant, quantities, quantity };
}

/**
 * inventorySetQuantities: sets all quantities or none, each only if the quantity is still what the caller has seen. A
 * repeated call with the same idempotency key within a day changes nothing and gets the same answer. Throws a
 * GraphQLError without a key.
 */
export function inventorySetQuantities(
  input: SetQuantitiesInput,
  key: string | undefined,
  { catalogue, nowMs }: { catalogue: Catalogue; nowMs: number },
): object {
  if (!key) {
    const message = 'The @idempotent directive is required for this mutation but was not provided.';
    throw new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
  }
  const parameters = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const earlier = catalogue.idempotentCall(key, nowMs);
  if (earlier) return repeatedReply(earlier, parameters);
  const userErrors = refusalsOf(input, catalogue);
  const changes = userErrors.length > 0 ? [] : applied(input, catalogue, nowMs);
  const reply: SetReply = { changes, reason: input.reason, at: storeTime(nowMs), userErrors };
  catalogue.addIdempotentCall({ key, parameters, reply, failed: userErrors.length > 0, atMs: nowMs });
  return replyView(reply);
}

function repeatedReply(earlier: { parameters: string; reply: object; failed: boolean }, parameters: string) {
  const refused = (code: string, message: string) =>
    replyView({ changes: [], reason: '', at: '', userErrors: [{ code, field: [], message }] });
  if (earlier.parameters !== parameters) {
    const message = 'The same idempotency key cannot be used with different operation parameters.';
    return refused('IDEMPOTENCY_KEY_PARAMETER_MISMATCH', message);
  }
  if (earlier.failed) {
    const message = 'A previous request with this idempotency key failed. Retry with a new idempotency key.';
    return refused('IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED', message);
  }
  return replyView(earlier.reply as SetReply);
}

function refusalsOf(input: SetQuantitiesInput, catalogue: Catalogue): Refused[] {
  const refuse = (code: string, field: string[], message: string) => [
    { code, field: ['input', ...field], message },
  ];
  if (!['available', 'on_hand'].includes(input.name)) {
    return refuse('INVALID_NAME', ['name'], "The quantity name must be either 'available' or 'on_hand'.");
  }
  if (!reasons.includes(input.reason)) {
    return refuse('INVALID_REASON', ['reason'], 'The specified reason is invalid.');
  }
  const seen = new Set<string>();
  return input.quantities.flatMap((one, index) => {
    const at = (field: string) => ['quantities', String(index), field];
    const pair = `${one.inventoryItemId} ${one.locationId}`;
    if (seen.has(pair)) {
      const message = 'The combination of inventoryItemId and locationId must be unique.';
      return refuse('NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR', at('locationId'), message);
    }
    seen.add(pair);
    const variant = variantOf(one.inventoryItemId, catalogue);
    if (!variant) {
      const message = 'The specified inventory item could not be found.';
      return refuse('INVALID_INVENTORY_ITEM', at('inventoryItemId'), message);
    }
    if (!demoLocations.some(({ id }) => id === one.locationId)) {
      return refuse('INVALID_LOCATION', at('locationId'), 'The specified location could not be found.');
    }
    if (one.quantity < -quantityMax || one.quantity > quantityMax) {
      const [code, word] =
        one.quantity > 0
          ? (['INVALID_QUANTITY_TOO_HIGH', 'higher than 1'] as const)
          : (['INVALID_QUANTITY_TOO_LOW', 'lower than -1'] as const);
      return refuse(code, at('quantity'), `The total quantity can't be ${word},000,000,000.`);
    }
    if (one.changeFromQuantity === undefined) {
      const message = 'The changeFromQuantity argument must be given to each quantity.';
      return refuse('COMPARE_QUANTITY_REQUIRED', at('changeFromQuantity'), message);
    }
    const stale =
      one.changeFromQuantity !== null &&
      one.changeFromQuantity !== (quantitiesOf(variant)[one.locationId] ?? 0);
    if (!stale) return [];
    const message = 'The changeFromQuantity value does not match persisted value.';
    return refuse('CHANGE_FROM_QUANTITY_STALE', at('changeFromQuantity'), message);
  });
}

function applied(input: SetQuantitiesInput, catalogue: Catalogue, nowMs: number): Change[] {
  return input.quantities.map(({ inventoryItemId, locationId, quantity }) => {
    const item = numberOfGid('InventoryItem', inventoryItemId) ?? -1;
    const product = catalogue.productByInventoryItem(item);
    if (!product) throw new Error(`Inventory item ${item} is gone`);
    let delta = 0;
    const variants = product.variants.map((variant) => {
      if (variant.inventoryItemId !== item) return variant;
      delta = quantity - (quantitiesOf(variant)[locationId] ?? 0);
      return withQuantities(variant, { [locationId]: quantity });
    });
    // The documentation of updatedAt: an adjustment of the inventory counts as an update of the product.
    catalogue.putProduct({ ...product, variants, updatedAtMs: nowMs });
    return { item, locationId, delta, after: quantity };
  });
}

function variantOf(inventoryItemId: string, catalogue: Catalogue): StoredVariant | undefined {
  const item = numberOfGid('InventoryItem', inventoryItemId) ?? -1;
  return catalogue.productByInventoryItem(item)?.variants.find((one) => one.inventoryItemId === item);
}

function replyView({ changes, reason, at, userErrors }: SetReply): object {
  if (userErrors.length > 0) return { inventoryAdjustmentGroup: null, userErrors };
  return {
    inventoryAdjustmentGroup: {
      __typename: 'InventoryAdjustmentGroup',
      id: gid('InventoryAdjustmentGroup', changes[0]?.item ?? 0),
      createdAt: at,
      reason,
      referenceDocumentUri: null,
      changes: changes.map((one) => ({
        __typename: 'InventoryChange',
        name: 'available',
        delta: one.delta,
        quantityAfterChange: one.after,
        item: { __typename: 'InventoryItem', id: gid('InventoryItem', one.item) },
        location: locationOf(one.locationId),
      })),
    },
    userErrors: [],
  };
}

const locationOf = (id: string) => {
  const location = demoLocations.find((one) => one.id === id);
  return location ? locationView(location) : null;
};

/** The levels of a variant's inventory item: one per location where it is stocked. */
export function levelsView(variant: StoredVariant, product: StoredProduct) {
  const view = (location: DemoLocation) => levelView(variant, location, product);
  const stocked = demoLocations.filter(({ id }) => quantitiesOf(variant)[id] !== undefined);
  const known = demoLocations.filter(
    (one) => stocked.includes(one) || variant.inactive?.[one.id] !== undefined,
  );
  return {
    inventoryLevels: (args: PageArguments) => connection(stocked, (one) => one.id, view, args),
    inventoryLevel: ({ locationId, includeInactive }: { locationId: string; includeInactive?: boolean }) =>
      (includeInactive ? known : stocked).filter(({ id }) => id === locationId).map(view)[0] ?? null,
  };
}

function levelView(variant: StoredVariant, location: DemoLocation, product: StoredProduct): object {
  const number = location.id.slice(location.id.lastIndexOf('/') + 1);
  const active = quantitiesOf(variant)[location.id];
  const quantity = active ?? variant.inactive?.[location.id] ?? 0;
  return {
    __typename: 'InventoryLevel',
    id: `gid://shopify/InventoryLevel/${number}?inventory_item_id=${variant.inventoryItemId}`,
    location: locationView(location),
    isActive: active !== undefined,
    updatedAt: storeTime(product.updatedAtMs),
    quantities: ({ names }: { names: string[] }) =>
      names.map((name) => ({
        __typename: 'InventoryQuantity',
        name,
        // Nothing is reserved or on its way here.
        quantity: ['available', 'on_hand'].includes(name) ? quantity : 0,
      })),
  };
}
