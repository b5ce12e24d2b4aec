/** A field that the store has once of a product or of each variant, and that is read from one cell. */
type SimpleField = {
  label: string;
  of: Owner;
  /** Its name in a draft, absent without a value. */
  draft: string;
  /** The value in a text; null: the text has none. */
  read: (text: string) => unknown;
  /** A sentence about a text without a value, which is not sent. */
  problem?: string;
  /** A change of it in a supplier's list is one of texts. */
  isText?: true;
};
type Owner = 'product' | 'variant';

const asText = (text: string): string | null => text || null;

/** Digits, of which the store has 6 to 13; dots and blanks do not count. */
function asHsCode(text: string): string | null {
  const digits = text.replace(/[\s.-]/g, '');
  return /^\d{6,13}$/.test(digits) ? digits : null;
}

/**
 * The fields of which only their value is special. An entry here and one in productFields or variantFields of the
 * store (packages/shopify/src/product/fields.ts) is all that a field needs.
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

/** The values of a draft in these fields. */
export type SimpleValues<Of extends Owner> = {
  [Name in SimpleFieldName as Fields[Name]['of'] extends Of ? Fields[Name]['draft'] : never]?: NonNullable<
    ReturnType<Fields[Name]['read']>
  >;
};

const all = Object.entries<SimpleField>(simpleFields) as [SimpleFieldName, SimpleField][];

export const simpleFieldsOf = (owner: Owner): [SimpleFieldName, SimpleField][] =>
  all.filter(([, { of }]) => of === owner);

/** The names of fields with a property. */
export const simpleNames = (is: (field: SimpleField) => boolean = () => true): SimpleFieldName[] =>
  all.flatMap(([name, field]) => (is(field) ? [name] : []));

/** The values in the texts of a row. */
export const simpleValues = <Of extends Owner>(
  owner: Of,
  row: Partial<Record<SimpleFieldName, string>>,
): SimpleValues<Of> =>
  Object.fromEntries(
    simpleFieldsOf(owner).flatMap(([name, { draft, read }]) => {
      const value = read(row[name] ?? '');
      return value === null ? [] : [[draft, value]];
    }),
  ) as SimpleValues<Of>;

/** The fields of a row whose texts have no value, with the sentence about each. */
export const unreadSimple = (row: Partial<Record<SimpleFieldName, string>>): [SimpleFieldName, string][] =>
  all.flatMap(([name, { read, problem }]) => {
    const text = row[name];
    return problem !== undefined && text !== undefined && read(text) === null ? [[name, problem]] : [];
  });
