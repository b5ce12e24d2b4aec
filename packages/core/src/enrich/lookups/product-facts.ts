import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { findGtin } from '@draftshelf/domain/base/gtin';
import { type LookupField, lookupFields } from '@draftshelf/domain/enrich/sources';
import { picturesOf } from '@draftshelf/domain/products/images';
import type { EffectiveRow } from '../../review/effective-rows.ts';

/** The source of a field's value: file or operator (`filled`), a look-up or a rule (`found`), or none. */
export type FieldOrigin = 'filled' | 'found' | 'none';

export type ProductFacts = {
  /** Number and offset of the first row, under which the product's values are stored. */
  row: number;
  byteFrom: number;
  gtin: string | null;
  values: RowValues;
  states: Record<LookupField, FieldOrigin>;
  pictures: string[];
};

/** Derives facts from the effective values of a product's rows, in file order. An image in any row counts. */
export function deriveProductFacts(rows: readonly EffectiveRow[]): ProductFacts {
  const [first] = rows;
  if (!first) throw new Error('A product has no rows');
  const withImage = rows.find((row) => picturesOf(row.values).length > 0);
  const states = Object.fromEntries(
    lookupFields.map((field) => {
      const row = field === 'image' ? withImage : first;
      return [field, stateOf(row, field)];
    }),
  ) as ProductFacts['states'];
  return {
    row: first.row,
    byteFrom: first.byte_from,
    gtin:
      rows.map(({ values }) => findGtin(values.upc ?? '')?.gtin).find((gtin) => gtin !== undefined) ?? null,
    values: { ...first.values, title: rows.find(({ values }) => values.title?.trim())?.values.title },
    states,
    pictures: rows.flatMap((row) => picturesOf(row.values).map(({ src }) => src)),
  };
}

function stateOf(row: EffectiveRow | undefined, field: LookupField): FieldOrigin {
  if (!row || (field !== 'image' && !row.values[field]?.trim())) return 'none';
  return row.sources[field] === 'found' ? 'found' : 'filled';
}
