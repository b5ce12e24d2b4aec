import { Button } from '@mantine/core';
import { useImageUpdate } from '../../api/lookups.ts';
import { useFailureToast, useToast } from '../feedback/toast.tsx';

/** 'Update Images' with the specification's messages. */
export function UpdateImagesButton({ importId }: { importId: string }) {
  const update = useImageUpdate(importId);
  const toast = useToast();
  const failure = useFailureToast();
  const start = () =>
    update.mutate(undefined, {
      onSuccess: ({ success, message }) => {
        if (!success) return failure.show('Update Failed', message);
        failure.dismiss();
        toast({ title: 'Images Updated', text: message });
      },
      onError: (error) => {
        console.error('Draftshelf: Failed to reprocess images', error);
        failure.show('Update Error', `Failed to reprocess images: ${error.message}`);
      },
    });
  return (
    <Button variant="default" loading={update.isPending} onClick={start}>
      Update Images
    </Button>
  );
}
