import { Suspense } from 'react';
import type { ShownImport } from '../../api/imports.ts';
import { lazily } from '../../lib/load-chunk.ts';
import { useEver } from '../../lib/use-ever.ts';
import { cancelLabel } from './cancel-words.ts';

const Confirm = lazily(() => import('../feedback/confirm.tsx').then((chunk) => chunk.Confirm));

type CancelImportProps = {
  /** The import as it was when Cancel was clicked, or null. */
  record: Pick<ShownImport, 'filename' | 'rereading'> | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before an import is cancelled, which is final. Cancelling a re-read only ends the re-read. */
export function CancelImport({ record, onConfirm, onClose }: CancelImportProps) {
  // Stays mounted once opened, because the dialog returns the focus while it closes.
  const isMounted = useEver(record !== null);
  if (!isMounted) return null;
  const rereading = record !== null && record.rereading !== null;
  return (
    <Suspense fallback={null}>
      <Confirm
        opened={record !== null}
        title={rereading ? 'Cancel re-reading this file?' : 'Cancel this import?'}
        confirm={record === null ? '' : cancelLabel(record)}
        keep={rereading ? 'Keep Re-reading' : 'Keep Import'}
        onConfirm={onConfirm}
        onClose={onClose}
      >
        {rereading
          ? `${record.filename} goes back to how it was. Its rows, your edits and pushed products are kept.`
          : `Processing and pushing of ${record?.filename ?? ''} will stop for good. The file and any products already in the store are kept.`}
      </Confirm>
    </Suspense>
  );
}
