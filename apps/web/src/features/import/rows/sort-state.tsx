import { headName, sortFields } from '@draftshelf/domain/base/field-look';
import { orderOf, type RowSort, type SortBy, sortsOf } from '@draftshelf/domain/review/row-sort';
import { Group, NativeSelect, Text } from '@mantine/core';
import { formatClock } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { sortBy, withSort } from '../rows-address.ts';
import { useSortAgain } from '../rows-api.ts';
import classes from './rows.module.css';
import { useRowsReview } from './rows-review.ts';
import { sortWords } from './sort-words.ts';

/** What the rows are sorted by, how far that is, and since when values have changed. */
export function SortState({ sort }: { sort: RowSort }) {
  const { record, address, show, page, query, sorting } = useRowsReview();
  const again = useSortAgain(record.id, orderOf(sort).order);
  const { sorted } = page;
  const isOld = query.isPlaceholderData || sorting === null;
  return (
    <Group gap="xs" className={classes.editBar}>
      <Text size="sm" role="status" className="numbers">
        {sortWords({ sort, sorting, isOld, sorted: sorted && { ...sorted, time: formatClock(sorted.at) } })}
      </Text>
      <ThenBy sort={sort} />
      {sorted?.isOutdated && !isOld && (
        <Button size="compact-sm" variant="default" loading={again.isPending} onClick={() => again.mutate()}>
          Sort Again
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={() => show(withSort(address, undefined))}>
        File Order
      </Button>
    </Group>
  );
}

/** Selects what sorts the rows that are equal. */
function ThenBy({ sort }: { sort: RowSort }) {
  const { addressNow, show } = useRowsReview();
  const [first = 'title', second] = sort.split(',') as SortBy[];
  const [sortedBy] = sortsOf(first);
  const fields = sortFields.filter((field) => field !== sortedBy?.field);
  return (
    <NativeSelect
      size="xs"
      aria-label="Sort equal rows by"
      value={second ?? ''}
      onChange={({ currentTarget: { value } }) => {
        show(withSort(addressNow(), sortBy(first, value === '' ? undefined : (value as SortBy))));
      }}
      data={[
        { value: '', label: 'Equal rows in file order' },
        ...[false, true].map((isDescending) => ({
          group: isDescending ? 'Descending' : 'Ascending',
          items: fields.map((field) => ({
            value: isDescending ? `-${field}` : field,
            label: `then by ${headName(field)}${isDescending ? ', descending' : ''}`,
          })),
        })),
      ]}
    />
  );
}
