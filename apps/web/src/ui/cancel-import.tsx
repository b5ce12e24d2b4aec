import type { ShownImport } from '../data/imports.ts';
import { cancelLabel } from './cancel-words.ts';
import { Confirm } from './confirm.tsx';

type CancelImportProps = {
  /** The import as it was when it was asked for, or null. */
  job: Pick<ShownImport, 'filename' | 'rereading'> | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before an import is cancelled: it is the one status that nothing leads out of; a reading anew only ends. */
export function CancelImport({ job, onConfirm, onClose }: CancelImportProps) {
  const rereading = job !== null && job.rereading !== null;
  return (
    <Confirm
      opened={job !== null}
      title={rereading ? 'Cancel the reading anew?' : 'Cancel this import?'}
      confirm={job === null ? '' : cancelLabel(job)}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {rereading
        ? `${job.filename} stays as it was before: its rows, your edits, and what was pushed.`
        : `${job?.filename ?? ''} will not be processed or pushed any further. The file and what already is in the store stay.`}
    </Confirm>
  );
}
