import { useEffect } from 'react';
import { queuePath } from '../../lib/paths.ts';
import { useToast } from '../../ui/feedback/toast.tsx';
import { useImportActions } from '../import/index.ts';

export type HistoryActions = ReturnType<typeof useHistoryActions>;

/** Titles of the notification after an action: the import has left the history. */
const doneTitles = { retry: 'Retrying Job', push: 'Pushing to Shopify' } as const;
/** The notification for the page that is loaded again. */
const noticeKey = 'draftshelf.history-notice';

/** The history's actions. A success reloads the page, as specified; the filters are in its address. */
export function useHistoryActions() {
  const { run, busyId } = useImportActions();
  useNoticeAfterReload();
  return {
    run: (record: { id: string; filename: string }, action: keyof typeof doneTitles) =>
      run(record, action, {
        onDone: () => {
          sessionStorage.setItem(noticeKey, JSON.stringify([doneTitles[action], record.filename]));
          location.reload();
        },
      }),
    busyId,
  };
}

/** After the reload, shows once which action was done, with a link to the import. */
function useNoticeAfterReload(): void {
  const toast = useToast();
  useEffect(() => {
    const stored = sessionStorage.getItem(noticeKey);
    if (stored === null) return;
    sessionStorage.removeItem(noticeKey);
    const [title, text] = JSON.parse(stored) as [string, string];
    toast({ title, text, link: { to: queuePath, words: 'View in queue' } });
  }, [toast]);
}
