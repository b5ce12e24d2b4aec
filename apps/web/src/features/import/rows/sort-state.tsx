import { headName, type InlineField, sortFields } from '@draftshelf/domain/base/field-look';
import { type RowSort, type SortBy, sortsOf } from '@draftshelf/domain/review/row-sort';
import { Box, Group, NativeSelect, Text } from '@mantine/core';
import { Button } from '../../../ui/button.tsx';
import { sortBy, withSort } from '../rows-address.ts';
import classes from './rows.module.css';
import { useRowsReview } from './rows-review.ts';
import { sortWords } from './rows-words.ts';

export function SortState({ sort }: { sort: RowSort }) {
  const { address, show, query } = useRowsReview();
  return (
    <Group gap="xs" className={classes.editBar}>
      <Text size="sm" role="status" className="numbers">
        {sortWords(sort, query.isPlaceholderData)}
      </Text>
      <ThenBy sort={sort} />
      <Button size="compact-sm" variant="subtle" onClick={() => show(withSort(address, undefined))}>
        File Order
      </Button>
    </Group>
  );
}

function ThenBy({ sort }: { sort: RowSort }) {
  const { sortRows } = useRowsReview();
  const [first = 'title', second] = sort.split(',') as SortBy[];
  return (
    <SortSelect
      label="Sort equal rows by"
      none="Equal rows in file order"
      prefix="then by "
      value={second}
      except={sortsOf(first)[0]?.field}
      onChange={(by) => sortRows(() => sortBy(first, by))}
    />
  );
}

/** For cards, which have no heads of columns. */
export function CardSort() {
  const { address, sortRows } = useRowsReview();
  return (
    <Box mt="sm">
      <SortSelect
        label="Sort by"
        none="In file order"
        prefix="By "
        value={address.sort?.split(',')[0] as SortBy | undefined}
        onChange={(by) => sortRows(() => by)}
      />
    </Box>
  );
}

type SortSelectProps = {
  label: string;
  /** The name of no field. */
  none: string;
  prefix?: string;
  value: SortBy | undefined;
  except?: InlineField | undefined;
  onChange: (by: SortBy | undefined) => void;
};

function SortSelect({ label, none, prefix = '', value, except, onChange }: SortSelectProps) {
  const fields = sortFields.filter((field) => field !== except);
  const items = (sign: '' | '-', suffix: string) =>
    fields.map((field) => ({ value: `${sign}${field}`, label: `${prefix}${headName(field)}${suffix}` }));
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? undefined : (currentTarget.value as SortBy))
      }
      data={[
        { value: '', label: none },
        { group: 'Ascending', items: items('', '') },
        { group: 'Descending', items: items('-', ', descending') },
      ]}
    />
  );
}
