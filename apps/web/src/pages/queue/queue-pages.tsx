import { Group, Text } from '@mantine/core';
import type { ImportPage } from '../../api/imports.ts';
import { Button } from '../../components/button.tsx';
import { pageWords } from './page-words.ts';

type QueuePagesProps = {
  page: ImportPage;
  isFiltered: boolean;
  /** Shows the imports before a cursor, or the newest if it is null. */
  onPage: (before: string | null) => void;
};

/** Which part of all imports is shown, and buttons for the rest. Renders nothing if all are shown. */
export function QueuePages({ page, isFiltered, onPage }: QueuePagesProps) {
  const isNewest = page.before === null;
  const words = pageWords({ shown: page.imports.length, total: page.total, isNewest, isFiltered });
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
