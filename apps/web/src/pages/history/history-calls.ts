import { type ImportActionName, useImportAction } from '../../api/imports.ts';
import { useFailureToast } from '../../components/feedback/toast.tsx';

/** Titles of failure notifications. */
const failureTitles = { retry: 'Failed to retry job', push: 'Failed to start Shopify upload' } as const;
type HistoryActionName = keyof typeof failureTitles & ImportActionName;

/** The history's actions. A success reloads the page, as specified; the filters are in its address. */
export function useHistoryCalls() {
  const mutation = useImportAction();
  const failure = useFailureToast();
  const run = ({ id }: { id: string }, action: HistoryActionName) =>
    mutation.mutate(
      { id, action },
      {
        onSuccess: () => location.reload(),
        onError: (error) => failure.show(failureTitles[action], error.message),
      },
    );
  return { run, busyId: mutation.isPending ? mutation.variables.id : null };
}
