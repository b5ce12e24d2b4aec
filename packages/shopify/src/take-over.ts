import type { DraftProduct } from '@draftshelf/domain/draft-product';
import { canonicalJson } from './canonical-json.ts';
import { ourNamespace, type ProductSetVariables, payloadKey } from './documents.ts';
import { intendedProduct, ourMetafields } from './intended-product.ts';
import type { LiveProduct, SelectedOption } from './product-state.ts';
import { updateInput } from './product-update-input.ts';

export type TakeOver =
  | { kind: 'update'; variables: ProductSetVariables }
  | { kind: 'blocked'; reason: string };

/**
 * The update that gives a product of the store our id and our values. Its status, quantities and images stay, and so do
 * variants that the draft does not have; its own tags and metafields are merged with ours, and equal values are not
 * sent. The draft counts as sent, so the next push sends only what has changed in it since.
 */
export function takeOver(
  draft: DraftProduct,
  { externalId, live }: { externalId: string; live: LiveProduct },
): TakeOver {
  const wanted = { ...draft, status: statusOf(live.status) };
  const next = live.media.length > 0 ? { ...wanted, images: [] } : wanted;
  // Sends only the difference from the live product.
  const now = asDraft(live, next);
  const store = { locationId: null, collections: [] };
  const update = updateInput(withoutQuantities(next), { externalId, sent: now, live, seen: null, ...store });
  if (update.kind === 'blocked') return update;
  if (update.kind !== 'update') return { kind: 'blocked', reason: 'The product can’t be taken over.' };
  // By the store's id: our id would create a second product.
  const { input } = update.variables;
  const metafields = input.metafields?.filter(({ namespace, key }) => !isPayload(namespace, key));
  if (!metafields) return { kind: 'blocked', reason: 'Metafields from other apps can’t be merged.' };
  const ours = ourMetafields(externalId, draft).filter(({ namespace, key }) => isPayload(namespace, key));
  return {
    kind: 'update',
    variables: { identifier: { id: live.id }, input: { ...input, metafields: [...metafields, ...ours] } },
  };
}

/** The store's quantities are kept. */
const withoutQuantities = (draft: DraftProduct): DraftProduct => ({
  ...draft,
  variants: draft.variants.map((variant) => ({ ...variant, inventory_quantity: 0 })),
});

const isPayload = (namespace: string, key: string) => namespace === ourNamespace && key === payloadKey;

function statusOf(status: string): DraftProduct['status'] {
  const lower = status.toLowerCase();
  return lower === 'active' || lower === 'archived' ? lower : 'draft';
}

/**
 * The store's product in the terms of a draft, with the variants that are in both: what counts as sent and is not in
 * the next draft would be removed. Without our metafields, so that an update always sends our id.
 */
function asDraft(live: LiveProduct, next: DraftProduct): DraftProduct {
  const plain = live.variants.every(({ options }) => options.every(({ value }) => value === 'Default Title'));
  const nameOf = ({ options }: { options: SelectedOption[] }) => canonicalJson(options);
  const byName = new Map(live.variants.map((variant) => [nameOf(variant), variant]));
  const inBoth = intendedProduct(next).variants.flatMap((variant) => byName.get(nameOf(variant)) ?? []);
  return {
    ...next,
    title: live.title,
    body_html: live.descriptionHtml,
    vendor: live.vendor,
    product_type: live.productType,
    tags: '',
    images: [],
    metafields: [],
    ...(plain ? {} : { options: live.options }),
    variants: inBoth.map((variant) => {
      const [option1, option2, option3] = plain ? [] : variant.options.map(({ value }) => value);
      return {
        title: 'Default Title',
        price: variant.price,
        compare_at_price: variant.compareAtPrice,
        cost: variant.cost,
        sku: variant.sku ?? '',
        barcode: variant.barcode ?? '',
        inventory_quantity: 0,
        inventory_management: variant.tracked ? 'shopify' : null,
        inventory_policy: variant.inventoryPolicy === 'CONTINUE' ? 'continue' : 'deny',
        ...(option1 === undefined ? {} : { option1 }),
        ...(option2 === undefined ? {} : { option2 }),
        ...(option3 === undefined ? {} : { option3 }),
      };
    }),
  };
}
