import type { List } from '@draftshelf/contract/imports/list';
import type { RowChange } from '@draftshelf/domain/suppliers/list';
import { Group, Stack, Text } from '@mantine/core';
import { Button } from '../../../ui/button.tsx';
import { noneWords } from '../list/none-words.ts';

type NoRowsProps = {
  /** The change that alone selects the rows. */
  change: RowChange | null;
  list: List | null;
  /** Goes to the first page; null: this is it. */
  onFirst: (() => void) | null;
  /** Searches all rows for the same text; null where all were searched. */
  onSearchAll: (() => void) | null;
  onClear: () => void;
};

/** Shown if no rows match the filter: at all, or after this page. */
export function NoRows({ change, list, onFirst, onSearchAll, onClear }: NoRowsProps) {
  const none = (change && noneWords(change, list)) ?? 'No matching rows.';
  return (
    <Stack align="center" gap="sm" py="xl">
      <Text>{onFirst === null ? none : 'No more matching rows.'}</Text>
      <Group gap="xs" justify="center">
        {onFirst !== null && (
          <Button variant="default" onClick={onFirst}>
            First Page
          </Button>
        )}
        {onSearchAll !== null && (
          <Button variant="default" onClick={onSearchAll}>
            Search All Rows
          </Button>
        )}
        <Button variant="default" onClick={onClear}>
          Clear Filters
        </Button>
      </Group>
    </Stack>
  );
}
