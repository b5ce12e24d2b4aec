import { GraphQLError } from 'graphql';
import type { Catalogue, StoredMetafield, StoredProduct } from './catalogue.ts';
import { numberOfGid } from './gid.ts';
import { digestOf } from './metafield-rules.ts';
import { metafieldRefusals, metafieldType } from './product-rules.ts';
import type { SetMetafield } from './product-set-types.ts';
import { metafieldView } from './product-view.ts';

/** `compareDigest` undefined: whatever the store has; null: it must have no value. */
export type SingleMetafield = SetMetafield & { ownerId: string; compareDigest?: string | null };

type MetafieldError = { code: string; field: string[]; message: string; elementIndex: number | null };

const metafieldsMax = 25;

/** Sets single metafields of products, all or none. Throws a GraphQLError for a top-level error of the store. */
export function metafieldsSet(
  metafields: readonly SingleMetafield[],
  { catalogue, nowMs }: { catalogue: Catalogue; nowMs: number },
): object {
  if (metafields.length > metafieldsMax) {
    const message = `The input array size of ${metafields.length} is greater than the maximum allowed of ${metafieldsMax}.`;
    throw new GraphQLError(message, { extensions: { code: 'MAX_INPUT_SIZE_EXCEEDED' } });
  }
  const changed = new Map<number, StoredProduct>();
  const ofStore = (ownerId: string) => {
    const id = numberOfGid('Product', ownerId) ?? -1;
    return changed.get(id) ?? catalogue.products.get(id);
  };
  const userErrors = metafields.flatMap((one, index): MetafieldError[] => {
    const owner = ofStore(one.ownerId);
    const place = ['metafields', String(index)];
    if (!owner) {
      const message = 'Owner does not exist.';
      return [{ code: 'INVALID', field: [...place, 'ownerId'], message, elementIndex: index }];
    }
    const error = errorOf(one, owner, index, catalogue);
    if (error) return [{ ...error, elementIndex: index }];
    changed.set(owner.id, withMetafield(owner, one, catalogue, nowMs));
    return [];
  });
  if (userErrors.length > 0) return { metafields: null, userErrors };
  for (const product of changed.values()) catalogue.putProduct(product);
  const set = metafields.flatMap((one) => {
    const owner = ofStore(one.ownerId);
    return (owner && formerOf(owner, one)) ?? [];
  });
  return { metafields: set.map(metafieldView), userErrors: [] };
}

const formerOf = (owner: StoredProduct, { namespace, key }: SetMetafield) =>
  owner.metafields.find((one) => one.namespace === namespace && one.key === key);

function errorOf(
  metafield: SingleMetafield,
  owner: StoredProduct,
  index: number,
  catalogue: Catalogue,
): Omit<MetafieldError, 'elementIndex'> | null {
  const { compareDigest } = metafield;
  const former = formerOf(owner, metafield);
  if (compareDigest !== undefined && compareDigest !== (former ? digestOf(former) : null)) {
    const message =
      'The resource has been updated since it was loaded. Try again with an updated `compareDigest` value.';
    return { code: 'STALE_OBJECT', field: ['metafields', String(index)], message };
  }
  const [refusal] = metafieldRefusals([metafield], owner, catalogue);
  if (!refusal) return null;
  const part = refusal.field.at(-1) ?? '';
  const code = part === 'namespace' ? 'APP_NOT_AUTHORIZED' : 'INVALID_VALUE';
  return { code, field: ['metafields', String(index), part], message: refusal.message };
}

function withMetafield(
  owner: StoredProduct,
  metafield: SingleMetafield,
  catalogue: Catalogue,
  nowMs: number,
): StoredProduct {
  const former = formerOf(owner, metafield);
  const set: StoredMetafield = {
    id: former?.id ?? catalogue.nextId(),
    namespace: metafield.namespace ?? '',
    key: metafield.key ?? '',
    type: metafieldType(metafield, owner, catalogue) ?? 'single_line_text_field',
    value: metafield.value ?? '',
  };
  const metafields = former
    ? owner.metafields.map((one) => (one === former ? set : one))
    : [...owner.metafields, set];
  return { ...owner, metafields, updatedAtMs: nowMs };
}
