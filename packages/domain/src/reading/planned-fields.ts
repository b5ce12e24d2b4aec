import type { CanonicalField } from '../base/canonical-fields.ts';
import { codeAndSizeFields } from '../base/made-date.ts';
import { isMetafieldField } from '../base/metafields.ts';
import type { HeaderMapping } from './mapping/header-mapping.ts';

/** Fields that collect the values of all their columns, one per line. Other fields use the first value. */
export const multiValueFields: ReadonlySet<CanonicalField> = new Set(['moreImages']);

/** A field with the mapping's settings for its columns, looked up once instead of for every cell. */
type PlannedField = {
  field: CanonicalField;
  isList: boolean;
  columns: readonly {
    column: number;
    /** Whether the column's text was encoded twice. */
    isTwice: boolean;
    /** Whether `readValue` returns the same as the faster `cleanCellValue`. */
    isPlain: boolean;
    /** Whether amounts in the column may have a second reading, as '1.299' has. */
    mayBeOther: boolean;
    /** Whether dates in the column are codes that a spreadsheet changed. */
    isOfCodes: boolean;
  }[];
};

const plannedBefore = new WeakMap<HeaderMapping, readonly PlannedField[]>();

/** Returns the fields of a mapping, in the mapping's order. */
export function planFields(mapping: HeaderMapping): readonly PlannedField[] {
  let planned = plannedBefore.get(mapping);
  if (planned === undefined) {
    planned = (Object.keys(mapping.sources) as CanonicalField[]).map((field) => plan(field, mapping));
    plannedBefore.set(mapping, planned);
  }
  return planned;
}

function plan(field: CanonicalField, mapping: HeaderMapping): PlannedField {
  const { sources, decimalComma, cents, thousands, ownCurrency, wholeCodes } = mapping;
  const { twiceEncoded, inferred, twoDecimals, dateColumns, quantityFlags } = mapping;
  const isFlag = quantityFlags !== undefined && field === 'quantity';
  const isIn = (columns: readonly number[] | undefined, column: number) => columns?.includes(column) === true;
  // Cells of metafields stay unchanged, because the metafield's type decides how they are read.
  const marked = isMetafieldField(field) ? [] : decimalComma;
  const columns = (sources[field] ?? []).map((column) => ({
    column,
    isTwice: isIn(twiceEncoded, column),
    isPlain:
      !isFlag &&
      ![marked, cents, wholeCodes].some((columns) => isIn(columns, column)) &&
      thousands?.[column] === undefined &&
      ownCurrency?.[column] === undefined,
    mayBeOther: isIn(inferred, column) || isIn(twoDecimals, column),
    isOfCodes: codeAndSizeFields.has(field) && !isIn(dateColumns, column),
  }));
  return { field, isList: multiValueFields.has(field), columns };
}
