import { Confirm } from './confirm.tsx';

type CancelImportProps = { filename: string | null; onConfirm: () => void; onClose: () => void };

/** Asks before an import is cancelled: it is the one status that nothing leads out of. */
export function CancelImport({ filename, onConfirm, onClose }: CancelImportProps) {
  return (
    <Confirm
      opened={filename !== null}
      title="Cancel this import?"
      confirm="Cancel import"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {filename} will not be processed or pushed any further. The file and what already is in the store stay.
    </Confirm>
  );
}
