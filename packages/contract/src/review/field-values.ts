import { isValueField, type ValueField } from '@draftshelf/domain/base/field-value';
import { z } from 'zod';
import { route } from '../route.ts';
import { RowFilters } from './rows.ts';

const CountedValue = z.object({ value: z.string(), rows: z.number().int() });

/**
 * The commonest values of a field in the rows that match the filters, of tags and collections each one, of options with
 * their names ('Size: S'), and values that are probably spellings of the same. From the first 100,000 rows, or from as
 * many as can be read in 300 ms.
 */
export const listValues = route('listValues', {
  query: RowFilters.extend({ field: z.custom<ValueField>(isValueField) }),
  reply: z.object({
    /** At most 50 of at most 500 characters, the commonest first. */
    values: z.array(CountedValue),
    distinct: z.number().int(),
    /** The rows that were read, their number without a value, and whether other rows match. */
    rows: z.number().int(),
    empty: z.number().int(),
    isAll: z.boolean(),
    /** At most 50 of at most 20 values, those with the most rows first. None of numbers. */
    clusters: z.array(z.array(CountedValue)),
  }),
});
export type FieldValues = z.infer<(typeof listValues)['reply']>;
