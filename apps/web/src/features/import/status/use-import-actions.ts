import { CallError } from '../../../api/call.ts';
import { importPath } from '../../../lib/paths.ts';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import {
  type ImportActionName,
  type ShownImport,
  useActedOn,
  useCancel,
  useImportAction,
} from '../imports-api.ts';

/** The specification has the titles of pause, resume and push. */
const failureTitles: Record<ImportActionName | 'cancel', string> = {
  pause: 'Failed to pause job',
  resume: 'Failed to resume job',
  push: 'Failed to start Shopify upload',
  retry: 'Couldn’t retry the import',
  markReady: 'Couldn’t mark the import as ready',
  cancel: 'Couldn’t cancel the import',
};

type RunOptions = {
  /** The specification's path for the screen. */
  path?: string;
  onDone?: () => void;
  /** Replaces the failure notification. */
  onFailed?: (error: Error) => void;
};

export function useImportActions() {
  const action = useImportAction();
  const isActedOn = useActedOn();
  const cancelling = useCancel();
  const failure = useFailureToast();
  // Callbacks of a call are dropped when the next one begins, but not its promise.
  const notify = (id: string, name: keyof typeof failureTitles, { onDone, onFailed }: RunOptions = {}) => ({
    onSuccess: () => {
      failure.dismiss();
      onDone?.();
    },
    onError:
      onFailed ??
      ((error: Error) => {
        // The import's page has the question to answer before a push.
        const isRefused = name === 'push' && error instanceof CallError && error.status === 409;
        const link = isRefused ? { to: importPath(id), words: 'Open import' } : undefined;
        failure.show(failureTitles[name], error.message, link);
      }),
  });
  return {
    run: ({ id }: Pick<ShownImport, 'id'>, name: ImportActionName, options: RunOptions = {}) => {
      // The second of two fast clicks comes before the button is drawn again.
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
