/** A field that is read from one cell, and that the store has once per product or per variant. */
type SimpleField = {
  label: string;
  of: Owner;
  /** The field's name in a draft. The draft lacks the field if there is no value. */
  draft: string;
  /** Returns the value in a text, or null if the text has none. */
  read: (text: string) => unknown;
  /** The sentence for a text that cannot be read as a value and is not sent. */
  problem?: string;
  /** Set if a change of the field in a supplier's list counts as a change of texts. */
  isText?: true;
};
type Owner = 'product' | 'variant';

const asText = (text: string): string | null => text || null;

/** Returns the digits of an HS code, or null. The store takes 6 to 13. Points, dashes and blanks are ignored. */
function asHsCode(text: string): string | null {
  const digits = text.replace(/[\s.-]/g, '');
  return /^\d{6,13}$/.test(digits) ? digits : null;
}

/**
 * Each of these fields needs only an entry here, and an entry in `productFields` or `variantFields` of
 * packages/shopify/src/product/fields.ts.
 */
export const simpleFields = {
  seoTitle: { label: 'Search title', of: 'product', draft: 'seo_title', read: asText, isText: true },
  seoDescription: {
    label: 'Search description',
    of: 'product',
    draft: 'seo_description',
    read: asText,
    isText: true,
  },
  hsCode: {
    label: 'HS code',
    of: 'variant',
    draft: 'harmonized_system_code',
    read: asHsCode,
    problem: 'HS code isn’t sent: it needs 6 to 13 digits.',
  },
} as const satisfies Record<string, SimpleField>;

type Fields = typeof simpleFields;
export type SimpleFieldName = keyof Fields;

/** The values of simple fields in a draft product. */
export type SimpleValues<Of extends Owner> = {
  [Name in SimpleFieldName as Fields[Name]['of'] extends Of ? Fields[Name]['draft'] : never]?: NonNullable<
    ReturnType<Fields[Name]['read']>
  >;
};

const all = Object.entries<SimpleField>(simpleFields) as [SimpleFieldName, SimpleField][];

export const simpleFieldsOf = (owner: Owner): [SimpleFieldName, SimpleField][] =>
  all.filter(([, { of }]) => of === owner);

/** Returns the names of the simple fields that `is` accepts. */
export const listSimpleFields = (is: (field: SimpleField) => boolean = () => true): SimpleFieldName[] =>
  all.flatMap(([name, field]) => (is(field) ? [name] : []));

/** Reads a row's simple fields, and returns their values by the fields' names in a draft. */
export const readSimpleValues = <Of extends Owner>(
  owner: Of,
  row: Partial<Record<SimpleFieldName, string>>,
): SimpleValues<Of> =>
  Object.fromEntries(
    simpleFieldsOf(owner).flatMap(([name, { draft, read }]) => {
      const value = read(row[name] ?? '');
      return value === null ? [] : [[draft, value]];
    }),
  ) as SimpleValues<Of>;

/** Returns the fields of a row that have a text but no readable value, each with its sentence. */
export const findUnreadableFields = (
  row: Partial<Record<SimpleFieldName, string>>,
): [SimpleFieldName, string][] =>
  all.flatMap(([name, { read, problem }]) => {
    const text = row[name];
    return problem !== undefined && text !== undefined && read(text) === null ? [[name, problem]] : [];
  });
