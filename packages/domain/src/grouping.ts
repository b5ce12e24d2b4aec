import type { CanonicalField, RowValues } from './canonical-fields.ts';
import type { HeaderMapping } from './header-mapping.ts';

/** Whether the rows of a file may make products together, and by which columns (decision C1). */
export type Grouping = { kind: 'none' } | { kind: 'rows'; byHandle: boolean; byParentSku: boolean };

export type GroupedRow = {
  /** The row begins a draft product; otherwise it belongs to the one before it. */
  startsProduct: boolean;
  /** What the row has from its group: the title, and for a row that only adds an image the price (decision P7). */
  inherited: RowValues;
  /** Equal for rows of one product, also where they do not stand together; null for a row on its own. */
  groupKey: string | null;
  /** The `groupKey` of rows that name this row as their parent; null where the file has no parents. */
  parentKey: string | null;
};
export type Grouper = { next: (values: RowValues) => GroupedRow };

/** The store's limit of variants per product; a longer run of rows is broken here. */
export const productRowsMax = 2048;

/** Rows group in files with handle, parent SKU or option columns; in all others every row is one product. */
export function groupingOf(mapping: HeaderMapping): Grouping {
  const has = (field: CanonicalField) => mapping.sources[field] !== undefined;
  const byHandle = has('handle');
  const byParentSku = has('parentSku');
  const hasOptions = has('option1Value') || has('option2Value') || has('option3Value');
  return byHandle || byParentSku || hasOptions ? { kind: 'rows', byHandle, byParentSku } : { kind: 'none' };
}

/** What the rows of a product have from those before them. */
export type Inheritance = { title: string | undefined; price: string | undefined };

type Group = Inheritance & {
  handle: string | null;
  parentSku: string | null;
  groupKey: string | null;
  rows: number;
};

/**
 * Groups adjacent rows, one after the other. Start a fresh one at every product border and nowhere else: upload,
 * worker and preview then see the same products.
 */
export function grouper(grouping: Grouping): Grouper {
  let group: Group | null = null;
  const next = (values: RowValues): GroupedRow => {
    if (grouping.kind === 'none') {
      return { startsProduct: true, inherited: {}, groupKey: null, parentKey: null };
    }
    const parentKey =
      grouping.byParentSku && !parentOf(values) && values.sku ? keyOf('parent', values.sku) : null;
    if (group && group.rows < productRowsMax && belongsTo(values, group)) {
      group.rows += 1;
      const groupKey = ownKey(values) ?? group.groupKey;
      return { startsProduct: false, inherited: inherit(values, group), groupKey, parentKey };
    }
    group = {
      handle: values.handle ? fold(values.handle) : null,
      parentSku: grouping.byParentSku ? fold(parentOf(values) ?? values.sku ?? '') || null : null,
      ...inheritanceOf(values),
      groupKey: ownKey(values),
      rows: 1,
    };
    return { startsProduct: true, inherited: {}, groupKey: group.groupKey, parentKey };
  };
  return { next };
}

/** Equal parent SKU or equal handle; a row that names neither belongs to the group before it if it has no title. */
function belongsTo(values: RowValues, group: Group): boolean {
  const parent = parentOf(values);
  if (parent && fold(parent) === group.parentSku) return true;
  if (values.handle) return fold(values.handle) === group.handle;
  return !parent && !values.title;
}

/** What a product's first row leaves to the others. */
export function inheritanceOf({ title, price }: RowValues): Inheritance {
  return { title, price };
}

/**
 * What a further row has from those before it: the first title there is, and where it only adds an image the first
 * row's price (decision P7). Takes note of the row's own title for those behind it.
 */
export function inherit(values: RowValues, heritage: Inheritance): RowValues {
  const inherited: RowValues = {};
  heritage.title ??= values.title;
  if (!values.title && heritage.title) inherited.title = heritage.title;
  if (!values.price && heritage.price && addsOnlyImage(values)) inherited.price = heritage.price;
  return inherited;
}

const variantFields: readonly CanonicalField[] = [
  'sku',
  'upc',
  'quantity',
  'cost',
  'compareAtPrice',
  'option1Value',
  'option2Value',
  'option3Value',
];

/** Whether a further row of a group, its price apart, carries an image and nothing of a variant. */
export function addsOnlyImage(values: RowValues): boolean {
  const hasImage = Boolean(values.image || values.moreImages);
  return hasImage && !variantFields.some((field) => values[field]);
}

/** The parent a row names; some files name a row as its own parent, which says nothing. */
function parentOf(values: RowValues): string | undefined {
  return values.parentSku && values.parentSku !== values.sku ? values.parentSku : undefined;
}

function ownKey(values: RowValues): string | null {
  const parent = parentOf(values);
  if (parent) return keyOf('parent', parent);
  return values.handle ? keyOf('handle', values.handle) : null;
}

const fold = (text: string): string => text.trim().toLowerCase();
const keyOf = (kind: 'parent' | 'handle', value: string): string => `${kind}:${fold(value)}`;
