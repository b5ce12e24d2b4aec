import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { metafieldName } from '@draftshelf/domain/base/metafields';
import { parseMoney } from '@draftshelf/domain/base/money';
import { weightOf } from '@draftshelf/domain/base/weight';
import {
  buildOwnMetafields,
  type DraftOptions,
  type DraftProduct,
  type DraftResult,
  type DraftVariant,
  normalizeTags,
  productTypeOf,
} from '@draftshelf/domain/products/draft-product';
import { optionFieldsOf } from '@draftshelf/domain/products/option-values';
import { silentFieldsOf } from '@draftshelf/domain/products/silent-fields';
import type { PostedProduct } from '@draftshelf/domain/push/posted-product';
import { isBookkeepingMetafield } from '@draftshelf/shopify/product/lists/metafields';
import { cleanDescription } from './build-draft.ts';

type PostedVariant = NonNullable<PostedProduct['variants']>[number];

/** Builds the draft of a posted product by the rules of buildDraft. A client cannot set our id or our hash. */
export function buildPostedDraft(
  posted: PostedProduct,
  options: Omit<DraftOptions, 'currency'>,
): DraftResult {
  const title = posted.title?.trim() ?? '';
  const variants = posted.variants ?? [];
  const priced = variants.length > 0 && variants.every((variant) => parseMoney(variant.price ?? ''));
  const missing = [...(title === '' ? ['title'] : []), ...(priced ? [] : ['price'])];
  if (missing.length > 0) return { ok: false, reason: 'Missing required fields', missing };

  const names = optionNames(posted, variants);
  const drafts = variants.map((variant) => draftVariant(variant, names));
  const status = options.draftMode ? 'draft' : (posted.status ?? 'active');
  const tags = normalizeTags(Array.isArray(posted.tags) ? posted.tags.join(',') : (posted.tags ?? ''));
  const collections = (posted.collections ?? []).filter((collection) => collection.trim() !== '');
  return {
    ok: true,
    product: cleanDescription({
      title,
      body_html: posted.body_html ?? '',
      vendor: posted.vendor ?? '',
      product_type: productTypeOf(posted.product_type, options),
      status,
      published: status === 'active',
      published_scope: 'web',
      variants: drafts,
      ...(names.length > 0 ? { options: optionsOf(names, drafts) } : {}),
      tags,
      images: (posted.images ?? []).map(({ src, alt }) => ({ src, ...(alt ? { alt } : {}) })),
      metafields: metafieldsOf(posted, options, drafts),
      ...(collections.length > 0 ? { collections } : {}),
    }),
    silent: silentFieldsOf(...rowsOf(posted, variants), { takenBack: [], cleared: {} }),
  };
}

/** Returns the posted product as rows. Absent or empty values count as silent fields. */
function rowsOf(posted: PostedProduct, variants: readonly PostedVariant[]): [RowValues[], RowValues[]] {
  const tags = Array.isArray(posted.tags) ? posted.tags.join(',') : posted.tags;
  const ofProduct = {
    title: posted.title,
    description: posted.body_html,
    vendor: posted.vendor,
    type: posted.product_type,
    tags,
    collections: posted.collections?.join(','),
    image: posted.images?.[0]?.src,
  };
  const rows = variants.map((variant, at) => {
    const values = {
      ...(at === 0 ? ofProduct : {}),
      price: variant.price,
      compareAtPrice: variant.compare_at_price,
      cost: variant.cost,
      sku: variant.sku,
      upc: variant.barcode,
      quantity: variant.inventory_quantity?.toString(),
      trackQuantity: variant.inventory_management === undefined ? undefined : 'shopify',
      continueSelling: variant.inventory_policy,
      weight: variant.weight,
      weightUnit: variant.weight_unit,
      option1Value: variant.option1 === noOption ? undefined : variant.option1,
    };
    const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
    return Object.fromEntries(given) as RowValues;
  });
  return [rows, rows];
}

const optionKeys = ['option1', 'option2', 'option3'] as const;
/** The option value that clients send for a product without options. */
const noOption = 'Default Title';

function optionNames(posted: PostedProduct, variants: readonly PostedVariant[]): string[] {
  const named = (posted.options ?? []).map((option) => option.name);
  if (named.length > 0) return variants.every((one) => !one.option1 || one.option1 === noOption) ? [] : named;
  const used = optionKeys.filter((key) => variants.some((one) => one[key] && one[key] !== noOption));
  return used.map((_, index) => `Option ${index + 1}`);
}

const optionsOf = (names: readonly string[], variants: readonly DraftVariant[]) =>
  names.map((name, index) => ({
    name,
    values: [...new Set(variants.map((variant) => variant[optionKeys[index] ?? 'option1'] ?? ''))],
  }));

function draftVariant(posted: PostedVariant, names: readonly string[]): DraftVariant {
  const amount = (text: string | undefined) => parseMoney(text ?? '')?.amount ?? null;
  const values = names.map((_, index) => posted[optionKeys[index] ?? 'option1'] ?? '');
  const quantity = Math.trunc(Number(posted.inventory_quantity ?? 0));
  const tracked = posted.inventory_management === undefined || posted.inventory_management === 'shopify';
  const weight = weightOf({ weight: posted.weight, weightUnit: posted.weight_unit });
  return {
    title: values.length > 0 ? values.join(' / ') : noOption,
    price: amount(posted.price) ?? '',
    compare_at_price: amount(posted.compare_at_price),
    cost: amount(posted.cost),
    sku: posted.sku ?? '',
    barcode: posted.barcode ?? '',
    inventory_quantity: Number.isFinite(quantity) ? quantity : 0,
    inventory_management: tracked ? 'shopify' : null,
    inventory_policy: posted.inventory_policy ?? 'deny',
    ...optionFieldsOf(values),
    ...(weight ? { weight: weight.value, weight_unit: weight.unit } : {}),
  };
}

function metafieldsOf(
  posted: PostedProduct,
  options: Pick<DraftOptions, 'importSource'>,
  variants: readonly DraftVariant[],
): DraftProduct['metafields'] {
  const given = (posted.metafields ?? [])
    .filter((one) => one.value !== '' && !isBookkeepingMetafield(one))
    .map(({ namespace, key, value, type = 'single_line_text_field' }) => ({ namespace, key, value, type }));
  const upc = variants.map((variant) => variant.barcode).find((barcode) => barcode !== '');
  const ours = buildOwnMetafields(options, upc);
  const names = new Set(given.map(metafieldName));
  return [...ours.filter((one) => !names.has(metafieldName(one))), ...given];
}
