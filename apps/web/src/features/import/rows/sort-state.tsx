import { headName } from '@draftshelf/domain/base/field-look';
import { Group, Text } from '@mantine/core';
import { formatClock } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { type RowSort, sortOf, withSort } from '../rows-address.ts';
import { useSortAgain } from '../rows-api.ts';
import classes from './rows.module.css';
import { useRowsReview } from './rows-review.ts';
import { sortWords } from './sort-words.ts';

/** What the rows are sorted by, how far that is, and since when values have changed. */
export function SortState({ sort }: { sort: RowSort }) {
  const { record, address, show, page, query, sorting } = useRowsReview();
  const { field } = sortOf(sort);
  const again = useSortAgain(record.id, field);
  const { sorted } = page;
  const isOld = query.isPlaceholderData || sorting === null;
  return (
    <Group gap="xs" className={classes.editBar}>
      <Text size="sm" role="status" className="numbers">
        {sortWords({
          head: headName(field),
          sorting,
          isOld,
          sorted: sorted && { ...sorted, time: formatClock(sorted.at) },
        })}
      </Text>
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
