import { canDo } from '@draftshelf/domain/imports/import-status';
import { Stack, Text } from '@mantine/core';
import { Button } from '../../../ui/button.tsx';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { Moment } from '../../../ui/time.tsx';
import type { ShownImport } from '../imports-api.ts';
import { useReadAgain } from '../removal-api.ts';

/** In place of rows that were removed: since when, and how to get them back. */
export function RemovedRows({ record }: { record: ShownImport }) {
  const again = useReadAgain(record.id);
  const failure = useFailureToast();
  const read = () =>
    again.mutate(undefined, {
      onError: (error) => failure.show('Couldn’t read the file again', error.message),
    });
  if (record.isBeingDeleted) return <Text>This import is being deleted.</Text>;
  const removed = record.rowsRemovedAt;
  const isReadable = record.fileRemovedAt === null && canDo('reread', record.status);
  return (
    <Stack gap="sm" align="flex-start">
      <Text>
        {removed !== null && (
          <>
            The rows were removed on <Moment time={removed} /> to save space.{' '}
          </>
        )}
        {isReadable
          ? 'Your edits and the results of its pushes are kept. Reading the file again brings the rows back, for review and another push.'
          : 'The results of its pushes are kept. To work with the rows, upload the file again.'}
      </Text>
      {isReadable && (
        <Button variant="default" loading={again.isPending} onClick={read}>
          Read Again
        </Button>
      )}
    </Stack>
  );
}
