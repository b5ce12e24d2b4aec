import { canDo } from '@draftshelf/domain/import-status';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { type ImportActionName, type ShownImport, useCancel, useImportAction } from '../../api/imports.ts';
import { useStoreTest } from '../../api/store.ts';
import { useFailureToast, useToast } from '../../components/feedback/toast.tsx';
import { CancelImport } from '../../components/import/cancel-import.tsx';
import { cancelLabel } from '../../components/import/cancel-words.ts';
import { UpdateImagesButton } from '../../components/lookups/update-images-button.tsx';

/** The push path that the specification names for this screen. */
const jobPushPath = '/api/jobs/:id/push-shopify';

const failureTitles: Record<Exclude<ImportActionName, 'push'>, string> = {
  pause: 'Failed to pause job',
  resume: 'Failed to resume job',
  retry: 'Failed to retry job',
  markReady: 'Failed to mark job as ready',
};

/** The buttons for the actions that the import's status allows. Push is the primary one. */
export function JobActions({ job, hasRows }: { job: ShownImport; hasRows: boolean }) {
  const mutation = useImportAction();
  const failure = useFailureToast();
  const cancel = useCancel();
  const [cancelling, setCancelling] = useState<ShownImport | null>(null);
  const push = usePush(job, hasRows);
  const run = (name: Exclude<ImportActionName, 'push'>) =>
    mutation.mutate(
      { id: job.id, action: name },
      {
        onSuccess: failure.dismiss,
        onError: (error) => failure.show(failureTitles[name], error.message),
      },
    );
  const busy = mutation.isPending || cancel.isPending || push.pending;
  const reviewable = canDo('review', job.status);
  return (
    <>
      {canDo('cancel', job.status) && (
        <Button variant="subtle" color="gray" disabled={busy} onClick={() => setCancelling(job)}>
          {cancelLabel(job)}
        </Button>
      )}
      {canDo('pause', job.status) && (
        <Button variant="default" disabled={busy} onClick={() => run('pause')}>
          Pause
        </Button>
      )}
      {canDo('resume', job.status) && (
        <Button disabled={busy} onClick={() => run('resume')}>
          Resume
        </Button>
      )}
      {reviewable && <StoreTestButton />}
      {canDo('updateImages', job.status) && <UpdateImagesButton importId={job.id} />}
      {canDo('markReady', job.status) && (
        <Button variant="default" disabled={busy} onClick={() => run('markReady')}>
          Mark as Ready
        </Button>
      )}
      {reviewable && (
        <Button disabled={busy} onClick={push.start}>
          Push
        </Button>
      )}
      <CancelImport
        job={cancelling}
        onConfirm={() =>
          cancelling !== null &&
          cancel.mutate(cancelling, {
            onSuccess: failure.dismiss,
            onError: (error) => failure.show('Failed to cancel job', error.message),
          })
        }
        onClose={() => setCancelling(null)}
      />
    </>
  );
}

function usePush(job: ShownImport, hasRows: boolean): { start: () => void; pending: boolean } {
  const mutation = useImportAction();
  const navigate = useNavigate();
  const failure = useFailureToast();
  const fail = (error: Error) => {
    console.error('Draftshelf: Push Failed', error);
    failure.show(
      'Push Failed',
      `Failed to push to Shopify: ${error.message}. Check the console for details.`,
    );
  };
  const start = () => {
    if (!hasRows) return fail(new Error('No CSV data available'));
    mutation.mutate(
      { id: job.id, action: 'push', path: jobPushPath },
      {
        onSuccess: () => {
          failure.dismiss();
          navigate('/queue');
        },
        onError: fail,
      },
    );
  };
  return { start, pending: mutation.isPending };
}

function StoreTestButton() {
  const test = useStoreTest();
  const toast = useToast();
  const start = () =>
    test.mutate(undefined, {
      onSuccess: ({ connected, message }) =>
        connected.status === 'success'
          ? toast({ title: 'Connection Successful', text: message })
          : toast({ title: 'Connection Failed', text: connected.message || message, tone: 'failure' }),
      onError: () =>
        toast({
          title: 'Connection Test Failed',
          text: 'Unable to connect to Shopify. Please check your credentials.',
          tone: 'failure',
        }),
    });
  return (
    <Button variant="default" loading={test.isPending} onClick={start}>
      Test Shopify
    </Button>
  );
}
