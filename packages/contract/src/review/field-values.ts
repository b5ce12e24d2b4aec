import { isValueField, type ValueField } from '@draftshelf/domain/base/field-value';
import { z } from 'zod';
import { route } from '../route.ts';
import { RowFilters } from './rows.ts';

const CountedValue = z.object({ value: z.string(), rows: z.number().int() });

/**
 * Lists the most frequent values of a field in the rows that match the filters. Tags and collections are counted one
 * by one, options with their names ('Size: S'). Clusters are values that are probably spellings of one value. Covers
 * the first 100,000 rows, or as many as can be read in 300 ms.
 */
export const listValues = route('listValues', {
  query: RowFilters.extend({ field: z.custom<ValueField>(isValueField) }),
  reply: z.object({
    /** At most 50 values of at most 500 characters, the most frequent first. */
    values: z.array(CountedValue),
    distinct: z.number().int(),
    /** Number of rows that were read, number of these without a value, and whether all matching rows were read. */
    rows: z.number().int(),
    empty: z.number().int(),
    isAll: z.boolean(),
    /** At most 50 clusters of at most 20 values, those with the most rows first. Empty for numbers. */
    clusters: z.array(z.array(CountedValue)),
  }),
});
export type FieldValues = z.infer<(typeof listValues)['reply']>;
