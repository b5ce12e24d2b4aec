import type { ImportReport } from '@draftshelf/contract/imports/report';
import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Group, Stack, Text, Title } from '@mantine/core';
import { Button } from '../../../ui/button.tsx';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { usePushWith } from '../imports-api.ts';
import { inStoreWords } from './in-store-words.ts';

/** The products that the store already had under another id, and what another push may do with all of them. */
export function InStoreNote({ report }: { report: ImportReport }) {
  const push = usePushWith(report.id);
  const failure = useFailureToast();
  const choose = (choice: MatchChoice) =>
    push.mutate(choice, {
      onSuccess: failure.dismiss,
      onError: (error) => failure.show('Push Failed', error.message),
    });
  return (
    <Stack component="section" gap={6} aria-label="Already in the store">
      <Title order={3}>Already in the store</Title>
      <Text className="numbers">{inStoreWords(report.inStore, report.products.total)}</Text>
      <Text size="sm" c="dimmed">
        A product there has the same SKU, UPC or item number, so nothing was written. Each row links to it.
      </Text>
      {canDo('push', report.status) && (
        <Group gap="xs">
          <Button variant="default" busy={push.isPending} onClick={() => choose('update')}>
            Update Them
          </Button>
          <Button variant="default" busy={push.isPending} onClick={() => choose('create')}>
            Create Them Anyway
          </Button>
        </Group>
      )}
    </Stack>
  );
}
