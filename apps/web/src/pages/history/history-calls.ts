import { useEffect } from 'react';
import { type ImportActionName, useImportAction } from '../../api/imports.ts';
import { useFailureToast, useToast } from '../../components/feedback/toast.tsx';
import { queuePath } from '../../lib/paths.ts';

/** Titles of failure notifications. */
const failureTitles = { retry: 'Failed to retry job', push: 'Failed to start Shopify upload' } as const;
type HistoryActionName = keyof typeof failureTitles & ImportActionName;

/** Titles of the notification after an action: the import has left the history. */
const doneTitles = { retry: 'Retrying Job', push: 'Pushing to Shopify' } as const;
/** The notification for the page that is loaded again. */
const noticeKey = 'draftshelf.history-notice';

/** The history's actions. A success reloads the page, as specified; the filters are in its address. */
export function useHistoryCalls() {
  const mutation = useImportAction();
  const failure = useFailureToast();
  useNoticeAfterReload();
  const run = ({ id, filename }: { id: string; filename: string }, action: HistoryActionName) =>
    mutation.mutate(
      { id, action },
      {
        onSuccess: () => {
          sessionStorage.setItem(noticeKey, JSON.stringify([doneTitles[action], filename]));
          location.reload();
        },
        onError: (error) => failure.show(failureTitles[action], error.message),
      },
    );
  return { run, busyId: mutation.isPending ? mutation.variables.id : null };
}

/** Says once what the action before the reload did, and where the import is now. */
function useNoticeAfterReload(): void {
  const toast = useToast();
  useEffect(() => {
    const kept = sessionStorage.getItem(noticeKey);
    if (kept === null) return;
    sessionStorage.removeItem(noticeKey);
    const [title, text] = JSON.parse(kept) as [string, string];
    toast({ title, text, link: { to: queuePath, words: 'View in queue' } });
  }, [toast]);
}
