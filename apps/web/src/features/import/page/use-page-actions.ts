import { useNavigate } from 'react-router';
import type { Reply } from '../../../api/call.ts';
import { queuePath } from '../../../lib/paths.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import type { ImportActionName, useImport } from '../imports-api.ts';
import { runningAtPush } from '../lookups/lookup-words.ts';
import { useImportActions } from '../status/use-import-actions.ts';

/** The specification's path for this screen. */
const pushPath = '/api/jobs/:id/push-shopify';

type Failure = ReturnType<typeof useImportActions>['failure'];
export type PageActions = ReturnType<typeof usePageActions>;

export function usePageActions(
  id: string,
  { hasRows, enrichment }: Pick<ReturnType<typeof useImport>, 'hasRows' | 'enrichment'>,
) {
  const { run, cancel, busyId, failure } = useImportActions();
  const navigate = useNavigate();
  const toast = useToast();
  const failPush = (error: Error) => {
    console.error('Draftshelf: Push Failed', error);
    failure.show(
      'Push Failed',
      `Failed to push to Shopify: ${error.message}. Check the console for details.`,
    );
  };
  const push = () => {
    if (!hasRows) return failPush(new Error('No CSV data available'));
    const lookups = runningAtPush(enrichment?.waiting ?? [], Date.now());
    const onDone = () => {
      navigate(queuePath);
      if (lookups !== null) toast({ title: 'Push started', text: lookups });
    };
    run({ id }, 'push', { path: pushPath, onDone, onFailed: failPush });
  };
  return {
    run: (name: ImportActionName) => (name === 'push' ? push() : run({ id }, name)),
    cancel,
    storeTest: useStoreCheck(),
    imageUpdate: useImageUpdateCall(id, failure),
    applyRules: useRulesCall(id),
    isBusy: busyId !== null,
  };
}

function useStoreCheck() {
  const toast = useToast();
  const test = useCall('testStore', {
    failed: () => ({
      title: 'Connection Test Failed',
      text: 'Unable to connect to Shopify. Please check your credentials.',
    }),
  });
  const start = () =>
    test.mutate(
      {},
      {
        // If the store is down, the reply has a message and is no HTTP error. The specification fixes neither part.
        onSuccess: ({ success, message, connected }: Partial<Reply<'testStore'>>) => {
          const isConnected = connected === undefined ? success === true : connected.status === 'success';
          const text = message || (connected?.message ?? '');
          if (isConnected && success !== false) toast({ title: 'Connection Successful', text });
          else toast({ title: 'Connection Failed', text, tone: 'failure' });
        },
      },
    );
  return { start, isPending: test.isPending };
}

function useRulesCall(id: string) {
  const toast = useToast();
  const { mutate } = useCall('applyRules', {
    params: { id },
    failed: 'Couldn’t apply the rules',
    onSuccess: ({ message }) => void toast({ title: 'Applying rules', text: message }),
  });
  return () => mutate({});
}

function useImageUpdateCall(id: string, failure: Failure) {
  const toast = useToast();
  const update = useCall('reprocessImages', {
    ...{ params: { id }, failure },
    failed: (error) => ({
      title: 'Update Error',
      text: `Failed to reprocess images: ${error.message}`,
    }),
    onError: (error) => console.error('Draftshelf: Failed to reprocess images', error),
  });
  const start = () =>
    update.mutate(
      {},
      {
        onSuccess: ({ success, updatedCount, message }) => {
          if (!success) return failure.show('Update Failed', message);
          toast({ title: updatedCount === 0 ? 'No new images' : 'Images updated', text: message });
        },
      },
    );
  return { start, isPending: update.isPending };
}
