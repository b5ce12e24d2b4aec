import { useNavigate } from 'react-router';
import { type ImportActionName, type ShownImport, useCancel, useImportAction } from '../../api/imports.ts';
import { useImageUpdate } from '../../api/lookups.ts';
import { useStoreTest } from '../../api/store.ts';
import { useFailureToast, useToast } from '../../components/feedback/toast.tsx';

/** The push path that the specification names for this screen. */
const pagePushPath = '/api/jobs/:id/push-shopify';

const failureTitles: Record<Exclude<ImportActionName, 'push'>, string> = {
  pause: 'Failed to pause job',
  resume: 'Failed to resume job',
  retry: 'Failed to retry job',
  markReady: 'Failed to mark job as ready',
};

/** The actions of an import's page, with their notifications. A push leads to the queue. */
export function usePageCalls(record: Pick<ShownImport, 'id' | 'rereading'>, hasRows: boolean) {
  const mutation = useImportAction();
  const cancelling = useCancel();
  const failure = useFailureToast();
  const push = usePush(record.id, hasRows);
  const storeTest = useStoreCheck();
  const imageUpdate = useImageUpdateCall(record.id);
  const run = (name: ImportActionName) => {
    if (name === 'push') return push.start();
    mutation.mutate(
      { id: record.id, action: name },
      {
        onSuccess: failure.dismiss,
        onError: (error) => failure.show(failureTitles[name], error.message),
      },
    );
  };
  const cancel = (shown: Pick<ShownImport, 'id' | 'rereading'>) =>
    cancelling.mutate(shown, {
      onSuccess: failure.dismiss,
      onError: (error) => failure.show('Failed to cancel job', error.message),
    });
  return {
    run,
    cancel,
    storeTest,
    imageUpdate,
    isBusy: mutation.isPending || cancelling.isPending || push.isPending,
  };
}

function usePush(id: string, hasRows: boolean) {
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
      { id, action: 'push', path: pagePushPath },
      {
        onSuccess: () => {
          failure.dismiss();
          navigate('/queue');
        },
        onError: fail,
      },
    );
  };
  return { start, isPending: mutation.isPending };
}

function useStoreCheck() {
  const test = useStoreTest();
  const toast = useToast();
  const start = () =>
    test.mutate(undefined, {
      onSuccess: ({ ok, message }) =>
        ok
          ? toast({ title: 'Connection Successful', text: message })
          : toast({ title: 'Connection Failed', text: message, tone: 'failure' }),
      onError: () =>
        toast({
          title: 'Connection Test Failed',
          text: 'Unable to connect to Shopify. Please check your credentials.',
          tone: 'failure',
        }),
    });
  return { start, isPending: test.isPending };
}

function useImageUpdateCall(id: string) {
  const update = useImageUpdate(id);
  const toast = useToast();
  const failure = useFailureToast();
  const start = () =>
    update.mutate(undefined, {
      onSuccess: ({ success, updatedCount, message }) => {
        if (!success) return failure.show('Update Failed', message);
        failure.dismiss();
        toast({ title: updatedCount === 0 ? 'No New Images' : 'Images Updated', text: message });
      },
      onError: (error) => {
        console.error('Draftshelf: Failed to reprocess images', error);
        failure.show('Update Error', `Failed to reprocess images: ${error.message}`);
      },
    });
  return { start, isPending: update.isPending };
}
