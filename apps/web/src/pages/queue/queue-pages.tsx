import { Button, Group, Text } from '@mantine/core';
import type { ImportPage } from '../../api/imports.ts';
import { pageWords } from './page-words.ts';

type QueuePagesProps = {
  page: ImportPage;
  isFiltered: boolean;
  /** Shows the imports before a place in the queue, or the newest. */
  onPage: (before: string | null) => void;
};

/** How many of all imports are looked at, with ways to the others; nothing where these are all. */
export function QueuePages({ page, isFiltered, onPage }: QueuePagesProps) {
  const isNewest = page.before === null;
  const words = pageWords({ shown: page.jobs.length, total: page.total, isNewest, isFiltered });
  if (words === null) return null;
  return (
    <Group justify="center" gap="sm">
      <Text size="sm" c="dimmed" className="numbers">
        {words}
      </Text>
      {!isNewest && (
        <Button variant="default" size="compact-md" onClick={() => onPage(null)}>
          Show Newest
        </Button>
      )}
      {page.nextBefore !== null && (
        <Button variant="default" size="compact-md" onClick={() => onPage(page.nextBefore)}>
          Show Older
        </Button>
      )}
    </Group>
  );
}
