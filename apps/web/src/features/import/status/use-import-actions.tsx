import { CallError } from '../../../api/call.ts';
import { importPath } from '../../../lib/paths.ts';
import { rememberStoreSeen } from '../../../lib/storage.ts';
import { ConfirmDialog } from '../../../ui/feedback/confirm.tsx';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import {
  type ImportActionName,
  type ShownImport,
  useCancelImport,
  useImportAction,
  useIsActionPending,
} from '../imports-api.ts';
import { cancelLabel } from './status-look.tsx';

/** Titles of failure notifications. */
const failureTitles: Record<ImportActionName | 'cancel', string> = {
  pause: 'Failed to pause job',
  resume: 'Failed to resume job',
  push: 'Failed to start Shopify upload',
  retry: 'Couldn’t retry the import',
  markReady: 'Couldn’t mark the import as ready',
  cancel: 'Couldn’t cancel the import',
};

type RunOptions = {
  /** An alias of the action's route. */
  path?: string;
  onDone?: () => void;
  /** Called instead of showing the failure notification. */
  onFailed?: (error: Error) => void;
};

export function useImportActions() {
  const action = useImportAction();
  const isActedOn = useIsActionPending();
  const cancelling = useCancelImport();
  const failure = useFailureToast();
  // Callbacks for a promise, because those passed to `mutate` are dropped when the next call begins.
  const notify = (id: string, name: keyof typeof failureTitles, { onDone, onFailed }: RunOptions = {}) => ({
    onSuccess: () => {
      failure.dismiss();
      onDone?.();
    },
    onError:
      onFailed ??
      ((error: Error) => {
        // The push was refused because a question is open. The notification links to the page that shows the question.
        const isRefused = name === 'push' && error instanceof CallError && error.status === 409;
        const link = isRefused ? { to: importPath(id), words: 'Open import' } : undefined;
        failure.show(failureTitles[name], error.message, link);
      }),
  });
  return {
    run: ({ id }: Pick<ShownImport, 'id'>, name: ImportActionName, options: RunOptions = {}) => {
      // Ignores a second click that comes before the button is disabled.
      if (isActedOn(id)) return;
      const { path } = options;
      const { onSuccess, onError } = notify(id, name, options);
      const request = { id, action: name, ...(path === undefined ? {} : { path }) };
      action.mutateAsync(request, { onSuccess }).catch(onError);
    },
    cancel: (record: Pick<ShownImport, 'id' | 'rereading'>) => {
      const { onSuccess, onError } = notify(record.id, 'cancel');
      cancelling.mutateAsync(record, { onSuccess }).catch(onError);
    },
    busyId: [action, cancelling].find(({ isPending }) => isPending)?.variables?.id ?? null,
    failure,
  };
}

export const seeDraftsLabel = 'See the Drafts';

export function openDrafts(url: string): void {
  rememberStoreSeen();
  window.open(url, '_blank', 'noreferrer');
}

type CancelledImport = Pick<ShownImport, 'filename' | 'rereading' | 'isUndoing' | 'changesGone'>;

type CancelImportProps = {
  record: CancelledImport | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks for confirmation, because a cancellation is final. Cancels a running re-read or undo instead of the import. */
export function CancelImportDialog({ record, onConfirm, onClose }: CancelImportProps) {
  const words = questionOf(record);
  return (
    <ConfirmDialog
      opened={record !== null}
      title={words.title}
      confirm={record === null ? '' : cancelLabel(record)}
      keep={words.keep}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {words.text}
    </ConfirmDialog>
  );
}

function questionOf(record: CancelledImport | null): { title: string; keep: string; text: string } {
  if (record?.isUndoing) {
    return {
      title: 'Cancel this undo?',
      keep: 'Keep Undoing',
      text: `What was undone stays undone. The other products of ${record.filename} stay in the store as they are.`,
    };
  }
  if (record?.changesGone) {
    return {
      title: 'Cancel changing these products?',
      keep: 'Keep Changing',
      text: 'What was changed stays changed, and can be undone. The other products stay in the store as they are.',
    };
  }
  if (record !== null && record.rereading !== null) {
    return {
      title: 'Cancel re-reading this file?',
      keep: 'Keep Re-reading',
      text: `${record.filename} goes back to how it was. Its rows, your edits and pushed products are kept.`,
    };
  }
  return {
    title: 'Cancel this import?',
    keep: 'Keep Import',
    text: `Processing and pushing of ${record?.filename ?? ''} will stop for good. The file and any products already in the store are kept.`,
  };
}
