import { Confirm } from '../../../ui/feedback/confirm.tsx';
import type { ShownImport } from '../imports-api.ts';
import { cancelLabel } from './status-look.tsx';

type CancelledImport = Pick<ShownImport, 'filename' | 'rereading' | 'isUndoing' | 'changesGone'>;

type CancelImportProps = {
  /** Null: no cancel is asked. */
  record: CancelledImport | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Cancelling is final. During a re-read or undo only that is ended. */
export function CancelImport({ record, onConfirm, onClose }: CancelImportProps) {
  const words = questionOf(record);
  return (
    <Confirm
      opened={record !== null}
      title={words.title}
      confirm={record === null ? '' : cancelLabel(record)}
      keep={words.keep}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {words.text}
    </Confirm>
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
