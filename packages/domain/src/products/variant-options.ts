import { type CanonicalField, optionFields, type RowValues } from '../base/canonical-fields.ts';

export type ProductOption = { name: string; values: string[] };
export type VariantOptions = {
  /** Empty for a product with a single plain variant. */
  options: ProductOption[];
  /** The option values of each variant, in the order of `options`. */
  values: string[][];
};

type OptionField = (typeof optionFields)[number];

/** An option of a row: its name ('Size'), its value ('S'), and the fields that hold them. */
type RowOption = { name: string; value: string; fields: OptionField };

/** Returns a row's own value of an option. 'Default Title' means none, as in Shopify exports. */
function optionValue(row: RowValues, field: CanonicalField): string | undefined {
  const value = row[field]?.trim();
  return value && value.toLowerCase() !== 'default title' ? value : undefined;
}

/** Returns the name of a product's option: the first name in its rows, else 'Option 1' and so on. */
function optionName(rows: readonly RowValues[], field: OptionField): string {
  const named = rows.find((row) => row[field.name]?.trim());
  return named?.[field.name]?.trim() ?? `Option ${optionFields.indexOf(field) + 1}`;
}

/** Returns a function that reads a row's options. `rows`: all rows of the product, any of which may name an option. */
export function createOptionReader(rows: readonly RowValues[]): (row: RowValues) => RowOption[] {
  const named = optionFields.map((fields) => ({ fields, name: optionName(rows, fields) }));
  return (row) =>
    named.flatMap(({ fields, name }) => {
      const value = optionValue(row, fields.value);
      return value === undefined ? [] : [{ name, value, fields }];
    });
}

/** Returns the option value with as many entries as the row's SKU (Etsy: 'S,M' with the SKU 'T-S,T-M'), or null. */
export function findListedOption(row: RowValues): string | null {
  const partsOf = (text: string | undefined) => (text ?? '').split(',').map((part) => part.trim());
  const skus = partsOf(row.sku);
  // 'KABEL-1,5' with the option '1,5 m' is one SKU and no list of SKUs.
  const isList = skus.length > 2 || new Set(skus.map(([first]) => first)).size === 1;
  if (skus.length < 2 || !isList) return null;
  const field = optionFields.find(({ value }) => partsOf(row[value]).length === skus.length);
  return (field && row[field.value]) ?? null;
}

/** Returns an option with its value as one text: 'Size: S'. The first ': ' ends the name. */
export const formatOption = ({ name, value }: Pick<RowOption, 'name' | 'value'>): string =>
  `${toOptionPrefix(name)}${value}`;

/** Returns a function that formats a row's options (null if the row has none). `rows`: all rows of the product. */
export function createOptionFormatter(rows: readonly RowValues[]): (row: RowValues) => string[] | null {
  const read = createOptionReader(rows);
  return (row) => (hasOptionValue(row) ? read(row).map(formatOption) : null);
}

/** Returns the beginning of an option's texts: 'Size: '. */
export const toOptionPrefix = (name: string): string => `${name.replaceAll(': ', ':')}: `;

/** Splits an option's text into its name, with ': ', and its value. */
export function splitOptionText(text: string): [prefix: string, value: string] {
  const end = text.indexOf(': ') + 2;
  return [text.slice(0, end), text.slice(end)];
}

/** Whether a row has any option value. */
export function hasOptionValue(row: RowValues): boolean {
  return optionFields.some((field) => optionValue(row, field.value));
}

/**
 * Returns the options of a product and each variant's values. The store rejects two variants with equal values, so
 * variants that are equal in the file get an option 'Variant' with their SKU or number.
 * @param variants the rows that become variants
 * @param rows all rows of the product; any of them may hold the option names
 */
export function toVariantOptions(variants: readonly RowValues[], rows: readonly RowValues[]): VariantOptions {
  const used = optionFields.filter((field) => variants.some((row) => optionValue(row, field.value)));
  const names = distinctNames(used.map((field) => optionName(rows, field)));
  const columns = used.map((field) =>
    sameSpelling(variants.map((row) => optionValue(row, field.value) ?? 'Default')),
  );
  if (!areDistinct(columns, variants.length)) {
    const last = columns[optionFields.length - 1];
    if (last) columns[optionFields.length - 1] = numbered(columns, last);
    else {
      names.push(distinctNames([...names, 'Variant']).at(-1) ?? 'Variant');
      columns.push(skusOrNumbers(variants));
    }
  }
  return {
    options: names.map((name, at) => ({ name, values: [...new Set(columns[at])] })),
    values: variants.map((_, row) => columns.map((column) => column[row] ?? 'Default')),
  };
}

/** Makes option names unique and replaces ' / ' in them, because the store rejects other names. */
function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((given) => {
    const name = given.replaceAll(' / ', '/');
    let distinct = name;
    for (let copy = 2; taken.has(distinct.toLowerCase()); copy += 1) distinct = `${name} ${copy}`;
    taken.add(distinct.toLowerCase());
    return distinct;
  });
}

/** Replaces values that differ only in case by the first of them: the store treats 'Red' and 'red' as one value. */
function sameSpelling(values: readonly string[]): string[] {
  const first = new Map<string, string>();
  return values.map((value) => {
    const key = value.toLowerCase();
    if (!first.has(key)) first.set(key, value);
    return first.get(key) ?? value;
  });
}

const comboOf = (columns: readonly string[][], row: number): string =>
  JSON.stringify(columns.map((column) => column[row]?.toLowerCase()));

function areDistinct(columns: readonly string[][], rows: number): boolean {
  return new Set(Array.from({ length: rows }, (_, row) => comboOf(columns, row))).size === rows;
}

/** Returns the last option's values, with ' (2)' and so on if another variant has the same combination of options. */
function numbered(columns: readonly string[][], last: readonly string[]): string[] {
  const others = columns.slice(0, -1);
  const taken = new Set<string>();
  /** The highest number used, by combination. Without this map, 2,000 equal rows would try two million names. */
  const copies = new Map<string, number>();
  return last.map((value, row) => {
    const otherValues = comboOf(others, row);
    const combo = (own: string) => JSON.stringify([otherValues, own.toLowerCase()]);
    const plain = combo(value);
    let copy = copies.get(plain) ?? 1;
    const named = () => (copy === 1 ? value : `${value} (${copy})`);
    while (taken.has(combo(named()))) copy += 1;
    taken.add(combo(named()));
    copies.set(plain, copy);
    return named();
  });
}

function skusOrNumbers(variants: readonly RowValues[]): string[] {
  const skus = variants.map((row) => row.sku?.trim() ?? '');
  const areUsable = !skus.includes('') && new Set(skus.map((sku) => sku.toLowerCase())).size === skus.length;
  return areUsable ? skus : variants.map((_, row) => String(row + 1));
}
