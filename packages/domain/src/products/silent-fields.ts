import type { CanonicalField, RowField, RowValues } from '../base/canonical-fields.ts';
import { toCountryCode } from '../base/countries.ts';
import { choiceReaders, type ProductStatus, untrackedIfNew } from '../base/field-choices.ts';
import { barcodeOf } from '../base/gtin.ts';
import { isMetafieldField, metafieldName } from '../base/metafields.ts';
import { parseMoney } from '../base/money.ts';
import { readQuantity } from '../base/quantity.ts';
import { type SimpleValues, simpleFieldsOf } from '../base/simple-fields.ts';
import { weightOf } from '../base/weight.ts';
import type { Category } from './categories.ts';
import { compareAtPriceOf } from './compare-at.ts';
import {
  type DraftProduct,
  type DraftVariant,
  findTemplatePrice,
  pickRefusedQuantity,
  type SilentFieldNames,
  type SilentFields,
  type SilentProductField,
  type SilentVariantField,
  titleOf,
} from './draft-product.ts';
import { picturesOf } from './images.ts';
import { optionValuesOf, setOptionValues } from './option-values.ts';
import { pairVariants } from './pair-variants.ts';
import { hasOptionValue } from './variant-options.ts';
import { moveParentFirst } from './variant-rows.ts';

/** Facts about the rows of a product in addition to their values, as JSON. */
export type ProductFacts = {
  /** Mapped fields in which an empty cell removes a value that we sent. An empty cell of other fields does nothing. */
  takenBack: readonly RowField[];
  /** Fields that a person emptied, by the index of the row. */
  cleared: Readonly<Record<number, readonly RowField[]>>;
  /** The store's category that was chosen for the supplier's own category. */
  category?: Category;
  /** The status that a person set. Absent if none was set. */
  status?: ProductStatus;
};

const takingBack: readonly CanonicalField[] = [
  ...(['tags', 'collections', 'compareAtPrice', 'image', 'moreImages'] as const),
  ...(['tcin', 'origin', 'pointOfSale', 'dimensions'] as const),
];

/** Returns further facts about a product. `mapped`: fields with a column. `sources`: edited or found fields. */
export function toProductFacts(
  mapped: Iterable<string>,
  rows: readonly { values: RowValues; sources: Readonly<Partial<Record<string, 'edit' | 'found'>>> }[],
): ProductFacts {
  const columns = new Set(mapped);
  const cleared = rows.flatMap(({ values, sources }, at) => {
    const fields = (Object.keys(sources) as RowField[]).filter(
      (field) => sources[field] === 'edit' && values[field] === undefined,
    );
    return fields.length > 0 ? [[at, fields] as const] : [];
  });
  const [first] = rows;
  const isStatusSet = first?.sources.status === 'edit' && first.values.status !== undefined;
  return {
    takenBack: [
      ...takingBack.filter((field) => columns.has(field)),
      ...[...columns].filter(isMetafieldField),
    ],
    cleared: Object.fromEntries(cleared),
    ...(isStatusSet ? { status: choiceReaders.status(first.values.status) } : {}),
  };
}

/**
 * Returns the silent fields of the draft that is built from these rows. `variants`: the rows that are variants, in
 * order. `isPartial`: the rows are from a list of prices and stock, whose keys only identify variants.
 */
export function silentFieldsOf(
  rows: readonly RowValues[],
  variants: readonly RowValues[],
  said: ProductFacts,
  isPartial = false,
): SilentFields {
  return {
    ofOurs: silenceOf(rows, variants, said, isPartial),
    ofOthers: silenceOf(rows, variants, { ...said, takenBack: [] }, isPartial),
  };
}

function silenceOf(
  rows: readonly RowValues[],
  variants: readonly RowValues[],
  said: ProductFacts,
  isPartial: boolean,
): SilentFieldNames {
  const [first = {}] = moveParentFirst(rows);
  const places = new Map(rows.map((row, at) => [row, at]));
  const isCleared = (row: RowValues, ...fields: RowField[]) =>
    fields.some((field) => said.cleared[places.get(row) ?? -1]?.includes(field));
  const isTakenBack = (...fields: CanonicalField[]) => fields.some((field) => said.takenBack.includes(field));
  const isSilent = (field: CanonicalField) =>
    !first[field] && !isTakenBack(field) && !isCleared(first, field);
  const simple = <Of extends 'product' | 'variant'>(owner: Of, row: RowValues) =>
    Object.fromEntries(
      simpleFieldsOf(owner).map(([field, { draft, read }]) => [
        draft,
        read(row[field] ?? '') === null && !isTakenBack(field) && !isCleared(row, field),
      ]),
    ) as Record<keyof SimpleValues<Of>, boolean>;
  const hasPictures =
    isTakenBack('image', 'moreImages') ||
    rows.some((row) => picturesOf(row).length > 0 || isCleared(row, 'image', 'moreImages'));
  const product: Record<SilentProductField, boolean> = {
    title: titleOf(rows) === '',
    body_html: isSilent('description'),
    vendor: isSilent('vendor'),
    product_type: isSilent('type'),
    tags: isSilent('tags'),
    ...simple('product', first),
    category: said.category === undefined && !isCleared(first, 'category'),
    collections: isSilent('collections'),
    images: !hasPictures,
    options: isPartial || !rows.some(hasOptionValue),
  };
  const emptied = [...said.takenBack, ...(said.cleared[places.get(first) ?? -1] ?? [])].filter(
    isMetafieldField,
  );
  const metafields = {
    upc: isPartial || !variants.some((row) => barcodeOf(row.upc) !== '' || isCleared(row, 'upc')),
    tcin: isSilent('tcin'),
    origin: isSilent('origin'),
    point_of_sale: isSilent('pointOfSale'),
    dimensions: isSilent('dimensions'),
    import_source: isPartial,
    image_credit: isPartial,
  };
  return {
    product: trueOf(product),
    variants: variants.map((row) => {
      const price = parseMoney(row.price ?? '')?.amount ?? '';
      const isEmpty = !row.compareAtPrice || Number(parseMoney(row.compareAtPrice)?.amount) === 0;
      const fields: Record<SilentVariantField, boolean> = {
        price: !row.price && !findTemplatePrice(rows),
        compare_at_price:
          compareAtPriceOf(row, price) === null &&
          !(isEmpty && isTakenBack('compareAtPrice')) &&
          !isCleared(row, 'compareAtPrice'),
        cost: !parseMoney(row.cost ?? '') && !isCleared(row, 'cost'),
        sku: isPartial || (!row.sku && !row.itemNumber && !isCleared(row, 'sku', 'itemNumber')),
        barcode: isPartial || (barcodeOf(row.upc) === '' && !isCleared(row, 'upc')),
        inventory_quantity: row.quantity === undefined || readQuantity(row.quantity) === null,
        inventory_management: !row.trackQuantity || row.trackQuantity === untrackedIfNew,
        inventory_policy: !row.continueSelling,
        ...simple('variant', row),
        country_code_of_origin: toCountryCode(row.origin) === null && !isCleared(row, 'origin'),
        weight: !weightOf(row) && !isCleared(row, 'weight'),
      };
      return trueOf(fields);
    }),
    metafields: trueOf(metafields),
    emptied: emptied.filter((field) => !first[field]).map((field) => field.slice('m:'.length)),
    status: said.status ?? null,
  };
}

const trueOf = <Key extends string>(fields: Record<Key, boolean>): Key[] =>
  (Object.keys(fields) as Key[]).filter((field) => fields[field]);

/**
 * Returns the draft with the values of `base` in its silent fields, which is the state of the store after the update.
 * A file without options keeps the product's options if a unique SKU or barcode assigns each row to a variant.
 * `isOurs`: whether we sent the base. If false, it is a product of the merchant.
 */
export function fillSilentFields(
  draft: DraftProduct,
  silence: SilentFieldNames,
  base: DraftProduct,
  { isOurs }: { isOurs: boolean } = { isOurs: true },
): DraftProduct {
  const kept = Object.fromEntries(
    silence.product.filter((field) => field !== 'options').map((field) => [field, base[field]]),
  );
  const status = silence.status ?? base.status;
  const product = { ...draft, ...kept, status, published: status === 'active' };
  for (const field of silence.product) if (product[field] === undefined) delete product[field];
  const pairs = pairDraftVariants(draft, base, isOurs);
  const variants = draft.variants.map((variant, at) =>
    withSilentVariant(variant, silence.variants[at] ?? [], pairs[at]),
  );
  const metafields = withSilentMetafields(draft, silence, base);
  const isWithoutOptions = silence.product.includes('options') && !draft.options && base.options;
  if (!isWithoutOptions || pairs.includes(undefined)) return { ...product, variants, metafields };
  return {
    ...product,
    options: base.options ?? [],
    variants: base.variants.map((variant) => {
      const values = variants[pairs.indexOf(variant)] ?? variant;
      return { ...setOptionValues(values, optionValuesOf(variant)), title: variant.title };
    }),
    metafields,
  };
}

function withSilentVariant(
  variant: DraftVariant,
  silent: readonly SilentVariantField[],
  base: DraftVariant | undefined,
): DraftVariant {
  if (!base) return variant;
  const { weight: _weight, weight_unit: _unit, ...rest } = variant;
  const { weight, weight_unit } = silent.includes('weight') ? base : variant;
  const fields = silent
    .filter((field) => field !== 'weight')
    .map((field) => [field, base[field]])
    .filter(([, value]) => value !== undefined);
  return {
    ...rest,
    ...(Object.fromEntries(fields) as Partial<DraftVariant>),
    ...(silent.includes('inventory_quantity') ? pickRefusedQuantity(base) : {}),
    ...(weight !== undefined && weight_unit !== undefined && { weight, weight_unit }),
  };
}

/** Returns the metafields in the order of the base, so that unchanged metafields do not look changed. */
function withSilentMetafields(
  draft: DraftProduct,
  silence: SilentFieldNames,
  base: DraftProduct,
): DraftProduct['metafields'] {
  const own = new Set(draft.metafields.map(metafieldName));
  const isSilent = (one: { namespace: string; key: string }) =>
    one.namespace === 'scd'
      ? silence.metafields.includes(one.key)
      : !own.has(metafieldName(one)) && !silence.emptied.includes(metafieldName(one));
  const kept = base.metafields.filter(isSilent);
  if (kept.length === 0) return draft.metafields;
  const places = new Map(base.metafields.map((one, at) => [metafieldName(one), at]));
  const placeOf = (one: { namespace: string; key: string }) =>
    places.get(metafieldName(one)) ?? base.metafields.length;
  return [...draft.metafields, ...kept].toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Pairs each variant of a draft with a variant of the base, or with undefined. */
export function pairDraftVariants(
  draft: DraftProduct,
  base: DraftProduct,
  isOurs: boolean,
): (DraftVariant | undefined)[] {
  return pairVariants(keyedVariants(draft), keyedVariants(base), { isOurs }).map((known) => known?.variant);
}

const keyedVariants = ({ variants, options = [] }: DraftProduct) =>
  variants.map((variant) => {
    const values = optionValuesOf(variant);
    const named = options.map(({ name }, at) => ({ name, value: values[at] ?? '' }));
    return { variant, options: named, sku: variant.sku, barcode: variant.barcode };
  });
