import { Suspense, useState } from 'react';
import type { ShownImport } from '../../api/imports.ts';
import { lazily } from '../../lib/load-chunk.ts';
import { cancelLabel } from './cancel-words.ts';

const Confirm = lazily(() => import('../feedback/confirm.tsx').then((chunk) => chunk.Confirm));

type CancelImportProps = {
  /** The import as it was when it was asked for, or null. */
  job: Pick<ShownImport, 'filename' | 'rereading'> | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before an import is cancelled: it is the one status that nothing leads out of; a reading anew only ends. */
export function CancelImport({ job, onConfirm, onClose }: CancelImportProps) {
  // Once it was opened it stays mounted, because a closing dialog still returns the focus.
  const [wanted, setWanted] = useState(false);
  if (job !== null && !wanted) setWanted(true);
  if (!wanted) return null;
  const rereading = job !== null && job.rereading !== null;
  return (
    <Suspense fallback={null}>
      <Confirm
        opened={job !== null}
        title={rereading ? 'Cancel re-reading this file?' : 'Cancel this import?'}
        confirm={job === null ? '' : cancelLabel(job)}
        keep={rereading ? 'Keep Re-reading' : 'Keep Import'}
        onConfirm={onConfirm}
        onClose={onClose}
      >
        {rereading
          ? `${job.filename} goes back to how it was. Its rows, your edits and pushed products are kept.`
          : `Processing and pushing of ${job?.filename ?? ''} will stop for good. The file and any products already in the store are kept.`}
      </Confirm>
    </Suspense>
  );
}
