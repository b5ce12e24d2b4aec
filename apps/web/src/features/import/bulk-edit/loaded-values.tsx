import type { FieldValues } from '@draftshelf/contract/review/field-values';
import type { ValueField } from '@draftshelf/domain/base/field-value';
import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Read } from '../../../ui/feedback/read.tsx';
import { useFieldValues, type ValuesFilter } from '../rows-api.ts';
import { readWords } from './read-words.ts';

type LoadedValuesProps = {
  importId: string;
  field: ValueField;
  filter: ValuesFilter;
  /** In pixels, until they are loaded. */
  height: number;
  children: (values: FieldValues) => ReactNode;
};

/** The commonest values of a field, once they are loaded, below what was read for them. */
export function LoadedValues({ importId, field, filter, height, children }: LoadedValuesProps) {
  const values = useFieldValues(importId, field, filter);
  return (
    <Read of={values} what="the values" meanwhile={<Skeleton height={height} aria-hidden />}>
      {(data) => (
        <>
          <Text size="xs" c="dimmed" className="numbers" role="status">
            {readWords(data)}
          </Text>
          {children(data)}
        </>
      )}
    </Read>
  );
}
