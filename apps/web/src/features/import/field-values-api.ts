import type { ValueField } from '@draftshelf/domain/base/field-value';
import { useQuery } from '@tanstack/react-query';
import type { CallRequest } from '../../api/call.ts';
import { readOf } from '../../api/read.ts';

/** Selects rows by class, issue, outcome and search. */
export type ValuesFilter = Omit<NonNullable<CallRequest<'listValues'>['query']>, 'field'>;

/** The commonest values of a field among rows, as they are now. */
export function useFieldValues(importId: string, field: ValueField, filter: ValuesFilter) {
  return useQuery({
    ...readOf('listValues', { params: { id: importId }, query: { field, ...filter } }),
    staleTime: 0,
    gcTime: 0,
  });
}
