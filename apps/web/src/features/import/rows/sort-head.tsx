import { headName, type InlineField } from '@draftshelf/domain/base/field-look';
import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import { nextSort, sortOf, withSort } from '../rows-address.ts';
import classes from './row-table.module.css';
import { useRowsReview } from './rows-review.ts';

/** The direction in which the rows are sorted by a field; undefined: they are not. */
export function useSortOf(): (field: InlineField) => 'ascending' | 'descending' | undefined {
  const { sort } = useRowsReview().address;
  const sorted = sort === undefined ? undefined : sortOf(sort);
  return (field) => (sorted?.field === field ? sorted.direction : undefined);
}

/** The name of a column, which sorts the rows by it: ascending, descending, as in the file. One Tab stop for all. */
export function SortHead({ field, isFirst }: { field: InlineField; isFirst: boolean }) {
  const { addressNow, show } = useRowsReview();
  const direction = useSortOf()(field);
  return (
    <UnstyledButton
      className={classes.sortHead}
      data-sorts
      tabIndex={isFirst ? 0 : -1}
      aria-label={`Sort by ${headName(field)}`}
      onKeyDown={focusNext}
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

/** Arrow keys go to the next head. */
function focusNext({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  const heads = [...(currentTarget.closest('tr')?.querySelectorAll<HTMLElement>('[data-sorts]') ?? [])];
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (step !== undefined) heads[heads.indexOf(currentTarget) + step]?.focus();
}
