import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { queuePath } from '../../../lib/paths.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { applyRulesTo } from '../../rules/index.ts';
import { testConnection } from '../../store/index.ts';
import { type ImportActionName, refreshImport, type useImport } from '../imports-api.ts';
import { runningAtPush } from '../lookups/lookup-words.ts';
import { useImageUpdate } from '../lookups/lookups-api.ts';
import { useImportActions } from '../status/use-import-actions.ts';

/** The push path that the specification names for this screen. */
const pushPath = '/api/jobs/:id/push-shopify';

type Failure = ReturnType<typeof useImportActions>['failure'];
export type PageActions = ReturnType<typeof usePageActions>;

/** The actions of an import's page, with their notifications. A push leads to the queue. */
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
    applyRules: useRulesCall(id, failure),
    isBusy: busyId !== null,
  };
}

function useStoreCheck() {
  const toast = useToast();
  const test = useMutation({ mutationFn: testConnection });
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

function useRulesCall(id: string, failure: Failure) {
  const client = useQueryClient();
  const toast = useToast();
  const { mutate } = useMutation({
    mutationFn: () => applyRulesTo(id),
    onSuccess: ({ message }) => {
      toast({ title: 'Applying rules', text: message });
      return refreshImport(client, id);
    },
    onError: (error) => failure.show('Couldn’t apply the rules', error.message),
  });
  return () => mutate();
}

function useImageUpdateCall(id: string, failure: Failure) {
  const update = useImageUpdate(id);
  const toast = useToast();
  const start = () =>
    update.mutate(undefined, {
      onSuccess: ({ success, updatedCount, message }) => {
        if (!success) return failure.show('Update Failed', message);
        failure.dismiss();
        toast({ title: updatedCount === 0 ? 'No new images' : 'Images updated', text: message });
      },
      onError: (error) => {
        console.error('Draftshelf: Failed to reprocess images', error);
        failure.show('Update Error', `Failed to reprocess images: ${error.message}`);
      },
    });
  return { start, isPending: update.isPending };
}
