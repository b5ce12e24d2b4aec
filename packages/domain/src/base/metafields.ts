/** A store's metafield as the target of a column, by namespace and key: 'm:custom.care'. */
export type MetafieldField = `m:${string}`;

/** A store's definition of a metafield of products. */
export type MetafieldDefinition = {
  namespace: string;
  key: string;
  name: string;
  description: string | null;
  /** Shopify's name of the type, such as 'list.number_integer'. */
  type: string;
  /** Rules for values, by Shopify's names: 'min', 'max', 'regex', 'choices', 'max_precision'. */
  validations: { name: string; value: string | null }[];
};

/**
 * `unit`: the unit in the column's header, for numbers without a unit. `decimalComma`: other numbers of the file have
 * decimal commas, so '1.299' means 1299.
 */
export type MappedMetafield = MetafieldDefinition & { unit?: string; decimalComma?: true };

export type MetafieldName = { namespace: string; key: string };

export const metafieldName = ({ namespace, key }: MetafieldName) => `${namespace}.${key}`;

export const fieldOfMetafield = (name: MetafieldName): MetafieldField => `m:${metafieldName(name)}`;

const names = /^m:[\w-]{1,255}\.[\w-]{1,64}$/;

export const isMetafieldField = (field: string): field is MetafieldField =>
  field.startsWith('m:') && names.test(field);

/** Namespaces that only one app or Shopify may write to. The store rejects our values in such a namespace. */
export const reservedNamespacePattern = /^(app--|shopify)/;

/** The namespace of our own metafields. Columns set them by canonical fields such as `origin`. */
const ownNamespace = 'scd';

/** The types whose values can be read from a cell, with the words that operators see. */
export const metafieldTypes = {
  single_line_text_field: 'text',
  multi_line_text_field: 'text of several lines',
  number_integer: 'whole number',
  number_decimal: 'number',
  boolean: 'yes or no',
  date: 'date',
  dimension: 'length with a unit',
  weight: 'weight with a unit',
  volume: 'volume with a unit',
  url: 'web address',
  color: 'color',
} as const;
export type MetafieldType = keyof typeof metafieldTypes;

/** Returns the type of a definition's values, and whether they are lists. Null if cells cannot hold such values. */
export function metafieldTypeOf({ type }: Pick<MetafieldDefinition, 'type'>): {
  type: MetafieldType;
  isList: boolean;
} | null {
  const isList = type.startsWith('list.');
  const name = isList ? type.slice('list.'.length) : type;
  if (!Object.hasOwn(metafieldTypes, name)) return null;
  // Shopify has no lists of multi-line texts and of booleans.
  const hasNoList = name === 'multi_line_text_field' || name === 'boolean';
  return isList && hasNoList ? null : { type: name as MetafieldType, isList };
}

/** Returns a type in words: 'number', or 'list, each a color'. */
export function describeType(definition: Pick<MetafieldDefinition, 'type'>): string {
  const found = metafieldTypeOf(definition);
  if (!found) return definition.type.replaceAll(/[._]/g, ' ');
  return found.isList ? `list, each a ${metafieldTypes[found.type]}` : metafieldTypes[found.type];
}

/** Whether a column can be mapped to a definition: cells can be read as its type, and we may write to its namespace. */
export const isMappable = (definition: MetafieldDefinition): boolean =>
  metafieldTypeOf(definition) !== null &&
  !reservedNamespacePattern.test(definition.namespace) &&
  definition.namespace !== ownNamespace &&
  isMetafieldField(fieldOfMetafield(definition));

/** Whether two definitions allow the same values. Name and description may differ. */
export const isSameDefinition = (one: MetafieldDefinition, other: MetafieldDefinition): boolean =>
  one.type === other.type && JSON.stringify(rulesOf(one)) === JSON.stringify(rulesOf(other));

const rulesOf = ({ validations }: MetafieldDefinition) =>
  validations.map(({ name, value }) => `${name} ${value ?? ''}`).sort();
