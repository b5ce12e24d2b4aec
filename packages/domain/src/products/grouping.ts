import { type CanonicalField, optionValueFields, type RowValues } from '../base/canonical-fields.ts';
import { quantityToSend } from '../base/quantity.ts';
import type { HeaderMapping } from '../reading/mapping/header-mapping.ts';
import { hasOptionValue } from './variant-options.ts';

/** Whether several rows of a file can form one product, and by which columns. */
export type Grouping =
  | { kind: 'none' }
  | {
      kind: 'rows';
      byHandle: boolean;
      byParentSku: boolean;
      byTitle?: true;
      /** Rows name their parent by its handle, never by its SKU. */
      byHandleOnly?: true;
      /** Rows without options and without a SKU are templates of the rows below that have the same title. */
      templates?: true;
    };

export type GroupedRow = {
  /** Whether the row begins a product. Otherwise the row belongs to the product of the row before it. */
  startsProduct: boolean;
  /**
   * Values from earlier rows of the group: the title; the price if this row only adds an image; the parent that an
   * earlier row names, if this row is the parent; the earlier currency if this row repeats a price in another
   * currency; the first option if an earlier row has the same options.
   */
  inherited: RowValues;
  /** Key that all rows of one product share, even if they are not adjacent. Null for a row on its own. */
  groupKey: string | null;
  /** The `groupKey` of rows that name this row as their parent. Null if no row can name this one. */
  parentKey: string | null;
};

/** Shopify's limit of variants per product. A longer group is split. */
export const productRowsMax = 2048;

/**
 * Returns how rows form products. Rows are grouped if handle, parent SKU or an option has a column. Otherwise every
 * row is a product. Titles group rows if the operator mapped an option, and handle and parent SKU have no column.
 */
export function groupingOf(mapping: HeaderMapping): Grouping {
  const has = (field: CanonicalField) => mapping.sources[field] !== undefined;
  const byHandle = has('handle');
  const byParentSku = has('parentSku');
  if (!byHandle && !byParentSku && !optionValueFields.some(has)) return { kind: 'none' };
  const isSaid = mapping.columns.some(
    ({ field, setBy }) => setBy !== undefined && optionValueFields.some((option) => option === field),
  );
  return {
    kind: 'rows',
    byHandle,
    byParentSku,
    ...((isSaid || mapping.templates) && !byHandle && !byParentSku && { byTitle: true }),
    ...(mapping.templates && { templates: true }),
    ...(mapping.parentIds?.areKeys && { byHandleOnly: true }),
  };
}

const parentColumns = ['parentSku', ...optionValueFields] as const;

/**
 * Whether a file may have rows that are only parents: rows that other rows name as their parent, or rows without
 * options among rows with options. `listVariantRows` decides which row is only a parent.
 */
export function mayHaveParentRows({ sources }: Pick<HeaderMapping, 'sources'>): boolean {
  return parentColumns.some((field) => sources[field] !== undefined);
}

/** Whether a row can be a parent: the first row of a product, without options and stock, that names no parent. */
export function mayBeParent(values: RowValues, inherited: RowValues): boolean {
  const isFirst = inherited.title === undefined && parentOf(values) === undefined;
  const hasOption = optionValueFields.some((field) => values[field]);
  return isFirst && !hasOption && quantityToSend(values.quantity) === 0;
}

/** Values that the rows of a product inherit from earlier rows. */
export type Inheritance = {
  title: string | undefined;
  price: string | undefined;
  /** The currency of the first row with each SKU, in files with a currency column. */
  currencies: Map<string, string> | undefined;
  /** The options of the rows so far. Undefined if no row has options. */
  options: Set<string> | undefined;
  /** Whether the first row is a template. Variants without a price get the template's price. */
  isTemplate?: boolean;
  /** The parent that the first row names. */
  parent?: string | undefined;
};

type Group = Inheritance & {
  handle: string | null;
  parentSku: string | null;
  groupKey: string | null;
  rows: number;
  isTemplate: boolean;
};

/**
 * Returns a function that groups adjacent rows. Call it for each row in file order. A new function may start only at
 * the first row of a product, so that upload, worker and preview see the same products.
 */
export function createGrouper(grouping: Grouping): (values: RowValues) => GroupedRow {
  let group: Group | null = null;
  return (values) => {
    if (grouping.kind === 'none') {
      return { startsProduct: true, inherited: {}, groupKey: null, parentKey: null };
    }
    const ownKey = keyOfRow(values, grouping);
    const ownName = grouping.byHandleOnly ? values.handle : values.sku || rowIdOf(values);
    const parentKey = grouping.byParentSku && !parentOf(values) && ownName ? keyOf('parent', ownName) : null;
    if (group && group.rows < productRowsMax && belongsTo(values, ownKey, group)) {
      group.rows += 1;
      const groupKey = ownKey ?? group.groupKey;
      return { startsProduct: false, inherited: inherit(values, group), groupKey, parentKey };
    }
    group = {
      handle: values.handle ? fold(values.handle) : null,
      parentSku: grouping.byParentSku ? fold(parentOf(values) ?? ownName ?? '') || null : null,
      ...inheritanceOf(values),
      groupKey: ownKey,
      rows: 1,
      isTemplate: grouping.templates === true && mayBeTemplate(values),
    };
    return { startsProduct: true, inherited: {}, groupKey: group.groupKey, parentKey };
  };
}

/** Whether a row belongs to the group: it has the group's parent SKU, handle or title, or it has none of these. */
function belongsTo(values: RowValues, ownKey: string | null, group: Group): boolean {
  const parent = parentOf(values);
  if (parent && [group.parentSku, group.handle].includes(fold(parent))) return true;
  if (group.isTemplate && hasOptionValue(values) && fold(values.title ?? '') === fold(group.title ?? ''))
    return true;
  if (ownKey !== null && ownKey === group.groupKey) return true;
  if (values.handle) return fold(values.handle) === group.handle;
  return !parent && !values.title;
}

/** Returns the values that the other rows of a product inherit from its first row. */
export function inheritanceOf(values: RowValues): Inheritance {
  const { title, price, sku, currency } = values;
  const currencies = sku && currency ? new Map([[sku, currency]]) : undefined;
  return {
    title,
    price,
    currencies,
    options: hasOptionValue(values) ? new Set([optionsKeyOf(values)]) : undefined,
    isTemplate: mayBeTemplate(values),
    parent: parentOf(values),
  };
}

/** Whether a row may be the template of variants: it has a title, but no SKU, no options and no other key. */
export const mayBeTemplate = (values: RowValues): boolean =>
  Boolean(values.title) && !values.sku && !values.handle && !values.parentSku && !hasOptionValue(values);

/** Returns the options of a row as a key. Case and outer white space do not matter. */
export const optionsKeyOf = (values: RowValues): string =>
  optionValueFields.map((field) => fold(values[field] ?? '')).join('\n');

/**
 * Returns the values that a later row of a product inherits: the first title, the first row's price if the row only
 * adds an image, the currency of the row whose price it repeats in another currency, and its first option if an
 * earlier row has the same options. Updates `inheritance` with the row's title, options and currency.
 */
export function inherit(values: RowValues, inheritance: Inheritance): RowValues {
  const inherited: RowValues = {};
  inheritance.title ??= values.title;
  if (!values.title && inheritance.title) inherited.title = inheritance.title;
  const takesPrice = addsOnlyImage(values) || (inheritance.isTemplate && hasOptionValue(values));
  if (!values.price && inheritance.price && takesPrice) inherited.price = inheritance.price;
  if (inheritance.parent !== undefined && !parentOf(values) && isNamed(values, inheritance.parent)) {
    inherited.parentSku = inheritance.parent;
  }
  if (hasOptionValue(values) && inherited.parentSku === undefined) {
    const options = optionsKeyOf(values);
    inheritance.options ??= new Set();
    if (inheritance.options.has(options)) inherited.option1Value = values.option1Value ?? '';
    inheritance.options.add(options);
  }
  if (values.sku && values.currency) {
    const earlier = inheritance.currencies?.get(values.sku);
    if (earlier !== undefined && repeatsInOtherCurrency(values, earlier)) inherited.currency = earlier;
    inheritance.currencies ??= new Map();
    if (earlier === undefined) inheritance.currencies.set(values.sku, values.currency);
  }
  return inherited;
}

/**
 * Whether a row only repeats the price of an earlier row with the same SKU in another currency. A Spree export repeats
 * every SKU, without options, for each additional currency. Repeated rows are not sent.
 */
export function repeatsInOtherCurrency(row: RowValues, earlier: string | undefined): boolean {
  return !hasOptionValue(row) && row.currency !== undefined && row.currency !== earlier;
}

const isNamed = ({ sku, handle }: RowValues, parent: string): boolean =>
  [sku, handle].some((name) => name !== undefined && fold(name) === fold(parent));

/** Returns the index of the row that other rows of a product name as their parent, or 0. The parent may come last. */
export function findParentIndex(rows: readonly RowValues[]): number {
  const parents = new Set(rows.flatMap((row) => parentOf(row) ?? []));
  if (parents.size === 0) return 0;
  const at = rows.findIndex((row) => !parentOf(row) && [...parents].some((parent) => isNamed(row, parent)));
  return Math.max(0, at);
}

const variantFields: readonly CanonicalField[] = [
  ...(['sku', 'upc', 'quantity', 'cost', 'compareAtPrice'] as const),
  ...optionValueFields,
];

/** Whether a later row of a group has an image and, apart from its price, no value of a variant. */
export function addsOnlyImage(values: RowValues): boolean {
  const hasImage = Boolean(values.image || values.moreImages);
  return hasImage && !variantFields.some((field) => values[field]);
}

/** Returns the parent SKU of a row. A row that names itself has no parent. */
function parentOf(values: RowValues): string | undefined {
  return values.parentSku && values.parentSku !== values.sku ? values.parentSku : undefined;
}

function keyOfRow(
  values: RowValues,
  { byTitle, byHandleOnly }: Extract<Grouping, { kind: 'rows' }>,
): string | null {
  const parent = parentOf(values);
  if (parent) return keyOf('parent', parent);
  const rowId = rowIdOf(values);
  if (rowId) return values.sku ? null : keyOf('parent', rowId);
  if (values.handle) return keyOf(byHandleOnly ? 'parent' : 'handle', values.handle);
  // Rows with the same title but without options are separate products.
  if (!byTitle || !values.title || !hasOptionValue(values)) return null;
  return keyOf('title', `${values.title.trim()}\n${values.vendor ?? ''}`);
}

/** Returns the key 'id:71' of a WooCommerce parent, which is stored in place of a handle, or undefined. */
const rowIdOf = ({ handle }: RowValues): string | undefined =>
  handle?.startsWith('id:') ? handle : undefined;

const fold = (text: string): string => text.trim().toLowerCase();
const keyOf = (kind: 'parent' | 'handle' | 'title', value: string): string => `${kind}:${fold(value)}`;
