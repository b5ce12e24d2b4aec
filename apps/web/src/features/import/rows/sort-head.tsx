import { headName, type InlineField } from '@draftshelf/domain/base/field-look';
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { nextSort, sortOf, withSort } from '../rows-address.ts';
import classes from './row-table.module.css';
import { useRowsReview } from './rows-review.ts';

/** The direction in which the rows are sorted by a field; undefined: they are not. */
export function useSortOf(): (field: InlineField) => 'ascending' | 'descending' | undefined {
  const { sort } = useRowsReview().address;
  const sorted = sort === undefined ? undefined : sortOf(sort);
  return (field) => (sorted?.field === field ? sorted.direction : undefined);
}

/** The name of a column, which sorts the rows by it: ascending, descending, as in the file. */
export function SortHead({ field }: { field: InlineField }) {
  const { addressNow, show } = useRowsReview();
  const direction = useSortOf()(field);
  return (
    <UnstyledButton
      className={classes.sortHead}
      aria-label={`Sort by ${headName(field)}`}
      title="By this column alone: equal rows stay in file order, descending in reverse"
      onClick={() => {
        const address = addressNow();
        show(withSort(address, nextSort(field, address.sort)));
      }}
    >
      {headName(field)}
      {direction === 'ascending' && <IconArrowUp size={14} aria-hidden />}
      {direction === 'descending' && <IconArrowDown size={14} aria-hidden />}
    </UnstyledButton>
  );
}
