import { GraphQLError } from 'graphql';
import type {
  Catalogue,
  StoredMedia,
  StoredMetafield,
  StoredOption,
  StoredProduct,
  StoredVariant,
} from './catalogue.ts';
import { requireCategory } from './categories.ts';
import type { DailyVariants } from './daily-variants.ts';
import type { Shop } from './demo-shop.ts';
import { numberOfGid } from './gid.ts';
import { freeHandle, handleOf } from './handles.ts';
import { withQuantities } from './inventory.ts';
import { customIdRefusal, inputRefusals, metafieldType } from './product-rules.ts';
import type {
  CustomId,
  ProductSetArguments,
  Refusal,
  SetFile,
  SetInput,
  SetOption,
  SetVariant,
} from './product-set-types.ts';
import { stagedFailure, stagedTokenOf } from './staged-uploads.ts';

/** The state that a productSet reads and changes. */
export type StoreState = { catalogue: Catalogue; shop: Shop; daily: DailyVariants; nowMs: number };

export type ProductSetResult = { product: StoredProduct | null; refusals: Refusal[] };

/**
 * productSet: finds the product by its identifier and creates or updates it, or refuses. Lists in the input replace
 * the product's; absent fields stay. It runs synchronously, so two calls with one id cannot both create.
 * Throws a GraphQLError where the store answers with a top-level error.
 */
export function productSet(args: ProductSetArguments, state: StoreState): ProductSetResult {
  const { catalogue } = state;
  if (!args.synchronous) {
    throw new GraphQLError('The store simulator supports only the synchronous productSet.', {
      extensions: { code: 'NOT_SIMULATED' },
    });
  }
  const { identifier, input } = args;
  const refused = (refusal: Refusal): ProductSetResult => ({ product: null, refusals: [refusal] });
  if (identifier && input.id) {
    const message = 'The id field is not allowed if identifier is provided.';
    return refused({ code: 'ID_NOT_ALLOWED', field: ['input'], message });
  }
  const customId = identifier?.customId;
  if (customId) {
    requireIdDefinition(customId, catalogue);
    const mismatch = customIdRefusal(customId, input);
    if (mismatch) return refused(mismatch);
  }
  const id = identifier?.id ?? input.id;
  const existing = findProduct(args, catalogue);
  if (id && !existing) {
    return refused({
      code: 'PRODUCT_DOES_NOT_EXIST',
      field: ['input', 'id'],
      message: 'Product does not exist',
    });
  }
  requireCategory(input.category);
  const refusals = inputRefusals(input, existing, catalogue);
  if (refusals.length > 0) return { product: null, refusals };
  const product = builtProduct(input, existing, customId, state);
  const known = new Set(existing?.variants.map((one) => one.id));
  const added = product.variants.filter((one) => !known.has(one.id)).length;
  if (!state.daily.take(added, state.nowMs, state.shop.dailyVariantsMax)) return refused(dailyLimit);
  catalogue.putProduct(product);
  moveFiles(product, existing, state);
  return { product, refusals: [] };
}

/** Images that the product no longer has stay as files, if the shop keeps them. */
function moveFiles(product: StoredProduct, existing: StoredProduct | undefined, state: StoreState): void {
  const { catalogue, shop } = state;
  for (const { id } of product.media) if (catalogue.looseFiles.has(id)) catalogue.useLooseFile(id);
  if (!shop.keepsFiles) return;
  const now = new Set(product.media.map(({ id }) => id));
  for (const media of existing?.media ?? []) if (!now.has(media.id)) catalogue.putLooseFile(media);
}

/** The text is Shopify's; which code comes with it is not documented. */
const dailyLimit: Refusal = {
  code: null,
  field: ['input', 'variants'],
  message: 'Daily variant creation limit reached. Please try again later.',
};

/** Look-ups by custom id need a definition of type `id`; a unique text field is not enough. */
export function requireIdDefinition(customId: CustomId, catalogue: Catalogue): void {
  if (catalogue.definition('PRODUCT', customId.namespace ?? '', customId.key)?.type === 'id') return;
  throw new GraphQLError("Metafield definition of type 'id' is required when using custom ids.", {
    extensions: { code: 'NOT_FOUND' },
  });
}

function findProduct(args: ProductSetArguments, catalogue: Catalogue): StoredProduct | undefined {
  const { identifier, input } = args;
  const customId = identifier?.customId;
  if (customId) return catalogue.productByCustomId(customId.namespace ?? '', customId.key, customId.value);
  if (identifier?.handle) return catalogue.productByHandle(identifier.handle);
  return catalogue.products.get(numberOfGid('Product', identifier?.id ?? input.id ?? '') ?? -1);
}

function builtProduct(
  input: SetInput,
  existing: StoredProduct | undefined,
  customId: CustomId | undefined,
  state: StoreState,
): StoredProduct {
  const { catalogue, nowMs, shop } = state;
  const title = input.title?.trim() ?? existing?.title ?? '';
  const options = input.productOptions ?? (existing ? null : plainOptions);
  const variants = input.variants ?? (existing ? null : plainVariants);
  return {
    ...existing,
    id: existing?.id ?? catalogue.nextId(),
    handle: builtHandle(input, existing, title, catalogue),
    title,
    descriptionHtml: input.descriptionHtml ?? existing?.descriptionHtml ?? '',
    vendor: input.vendor ?? existing?.vendor ?? shop.name,
    productType: input.productType ?? existing?.productType ?? '',
    tags: input.tags ? normalTags(input.tags) : (existing?.tags ?? []),
    status: input.status ?? existing?.status ?? 'ACTIVE',
    createdAtMs: existing?.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
    options: options
      ? options.map((one) => builtOption(one, existing, catalogue))
      : (existing?.options ?? []),
    variants: variants
      ? variants.map((one) => builtVariant(one, existing, catalogue))
      : (existing?.variants ?? []),
    media: input.files ? input.files.map((one) => builtMedia(one, existing, state)) : (existing?.media ?? []),
    metafields: builtMetafields(input, existing, customId, catalogue),
    collectionIds: input.collections ?? existing?.collectionIds ?? [],
    ...seoOf(input, existing),
    category: input.category === null ? undefined : (input.category ?? existing?.category),
  };
}

/** The store has no empty texts. */
function seoOf({ seo }: SetInput, existing: StoredProduct | undefined): Pick<StoredProduct, 'seo'> {
  if (!seo) return {};
  const [title, description] = (['title', 'description'] as const).map((name) =>
    seo[name] === undefined ? existing?.seo?.[name] : seo[name] || undefined,
  );
  return { seo: { title, description } };
}

const plainOptions: SetOption[] = [{ name: 'Title', values: [{ name: 'Default Title' }] }];
const plainVariants: SetVariant[] = [{ optionValues: [{ optionName: 'Title', name: 'Default Title' }] }];

function builtHandle(
  input: SetInput,
  existing: StoredProduct | undefined,
  title: string,
  catalogue: Catalogue,
): string {
  if (input.handle) return handleOf(input.handle);
  if (existing) return existing.handle;
  return freeHandle(handleOf(title), (handle) => catalogue.productByHandle(handle) !== undefined);
}

/** Sorted, without duplicates that differ only in case. */
function normalTags(tags: readonly string[]): string[] {
  const byFoldedCase = new Map<string, string>();
  for (const tag of tags.map((one) => one.trim()).filter((one) => one !== '')) {
    if (!byFoldedCase.has(tag.toLowerCase())) byFoldedCase.set(tag.toLowerCase(), tag);
  }
  return [...byFoldedCase.values()].sort();
}

function builtOption(
  option: SetOption,
  existing: StoredProduct | undefined,
  catalogue: Catalogue,
): StoredOption {
  const former = existing?.options.find((one) => one.name === option.name);
  return {
    id: former?.id ?? catalogue.nextId(),
    name: option.name ?? '',
    values: (option.values ?? []).map(({ name }) => ({
      id: former?.values.find((one) => one.name === name)?.id ?? catalogue.nextId(),
      name: name ?? '',
    })),
  };
}

function builtVariant(
  variant: SetVariant,
  existing: StoredProduct | undefined,
  catalogue: Catalogue,
): StoredVariant {
  const optionValues = variant.optionValues.map((one) => ({
    name: one.optionName ?? '',
    value: one.name ?? '',
  }));
  const former = formerVariant(variant, optionValues, existing);
  const { inventoryItem } = variant;
  const amount = (given: string | null | undefined, kept: string | null) =>
    given === undefined ? kept : given === null ? null : twoDecimals(given);
  const built: StoredVariant = {
    id: former?.id ?? catalogue.nextId(),
    inventoryItemId: former?.inventoryItemId ?? catalogue.nextId(),
    optionValues,
    price: amount(variant.price, former?.price ?? null) ?? '0.00',
    compareAtPrice: amount(variant.compareAtPrice, former?.compareAtPrice ?? null),
    sku: given(variant.sku, given(inventoryItem?.sku, former?.sku ?? null)),
    ...barcodesOf(variant, former),
    cost: amount(inventoryItem?.cost, former?.cost ?? null),
    tracked: inventoryItem?.tracked ?? former?.tracked ?? false,
    inventoryPolicy: variant.inventoryPolicy ?? former?.inventoryPolicy ?? 'DENY',
    taxable: variant.taxable ?? former?.taxable ?? true,
    ...weightOf(variant, former),
    ...codesOf(variant, former),
    quantity: former?.quantity ?? 0,
    ...(former?.quantities ? { quantities: former.quantities } : {}),
  };
  const set = variant.inventoryQuantities?.map((one) => [one.locationId, one.quantity]);
  // A new variant is stocked where it has a quantity, and only there.
  const stocked = former ? built : { ...built, quantities: {} };
  return set ? withQuantities(stocked, Object.fromEntries(set)) : built;
}

/** A lone `barcode` replaces all: what a real store does then is not documented. */
function barcodesOf(
  { barcode, barcodes }: SetVariant,
  former: StoredVariant | undefined,
): Pick<StoredVariant, 'barcode' | 'barcodes'> {
  if (barcode !== undefined) return { barcode };
  const all = barcodes ?? former?.barcodes ?? [];
  return all.length > 1
    ? { barcode: all[0]?.value ?? null, barcodes: all }
    : { barcode: barcodes ? (all[0]?.value ?? null) : (former?.barcode ?? null) };
}

function codesOf(
  { inventoryItem }: SetVariant,
  former: StoredVariant | undefined,
): Pick<StoredVariant, 'harmonizedSystemCode' | 'countryCodeOfOrigin'> {
  const names = ['harmonizedSystemCode', 'countryCodeOfOrigin'] as const;
  const values = names.map((name) => [name, given(inventoryItem?.[name], former?.[name] ?? null)] as const);
  return Object.fromEntries(values.filter(([, value]) => value));
}

function weightOf(variant: SetVariant, former: StoredVariant | undefined): Pick<StoredVariant, 'weight'> {
  const weight = given(variant.inventoryItem?.measurement?.weight, former?.weight ?? null);
  return weight === null ? {} : { weight: { value: weight.value, unit: weight.unit } };
}

/** Null removes a value, undefined keeps it. */
function given<T>(value: T | null | undefined, kept: T | null): T | null {
  return value === undefined ? kept : value;
}

function formerVariant(
  variant: SetVariant,
  optionValues: StoredVariant['optionValues'],
  existing: StoredProduct | undefined,
): StoredVariant | undefined {
  if (variant.id)
    return existing?.variants.find((one) => one.id === numberOfGid('ProductVariant', variant.id ?? ''));
  const key = JSON.stringify(optionValues);
  return existing?.variants.find((one) => JSON.stringify(one.optionValues) === key);
}

/** Amounts are returned with two decimals: "24.9" as "24.90", "180" as "180.00". */
function twoDecimals(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  const cents = BigInt(whole) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0'));
  const rounded = Number(fraction[2] ?? '0') >= 5 ? cents + 1n : cents;
  const digits = rounded.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Every originalSource creates a new file, even if it was sent before. */
function builtMedia(file: SetFile, existing: StoredProduct | undefined, state: StoreState): StoredMedia {
  const { catalogue, nowMs } = state;
  const id = numberOfGid('MediaImage', file.id ?? '') ?? -1;
  const former = existing?.media.find((one) => one.id === id) ?? catalogue.looseFiles.get(id);
  if (former) return { ...former, alt: file.alt ?? former.alt };
  const originalSource = file.originalSource ?? '';
  const media = { id: catalogue.nextId(), originalSource, alt: file.alt ?? null, addedAtMs: nowMs };
  const token = stagedTokenOf(originalSource);
  if (token === undefined) return media;
  const failure = stagedFailure(catalogue.stagedFiles.get(token));
  return { ...media, staged: token, ...(failure === null ? {} : { failure }) };
}

function builtMetafields(
  input: SetInput,
  existing: StoredProduct | undefined,
  customId: CustomId | undefined,
  catalogue: Catalogue,
): StoredMetafield[] {
  if (!input.metafields && existing) return existing.metafields;
  const wished = input.metafields ?? (customId ? [customId] : []);
  return wished.map((one) => {
    const [namespace, key] = [one.namespace ?? '', one.key ?? ''];
    const former = existing?.metafields.find((other) => other.namespace === namespace && other.key === key);
    return {
      id: former?.id ?? catalogue.nextId(),
      namespace,
      key,
      type: metafieldType(one, existing, catalogue) ?? 'single_line_text_field',
      value: one.value ?? '',
    };
  });
}
