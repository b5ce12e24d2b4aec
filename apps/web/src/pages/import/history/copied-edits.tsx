import { useCopiedEdits } from '../../../api/edit-history.ts';
import type { ShownImport } from '../../../api/imports.ts';
import { useUndo } from '../../../components/edits/use-undo.ts';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { countOf } from '../../../lib/intl.ts';
import { editLock } from '../rows/edit-lock.ts';

/** How many rows have edits of the earlier upload, and a way to remove them or to apply them again. */
export function CopiedEdits({ record }: { record: ShownImport }) {
  const copied = useCopiedEdits(record.id);
  const { run, isPending } = useUndo(record.id);
  if (!copied) return null;
  const { id, rows, sentence, undo } = copied;
  const isRemoved = undo !== null;
  return (
    <>
      {' '}
      {isRemoved
        ? `The edits of ${countOf(rows, 'row')} were removed.`
        : `Edits of ${countOf(rows, 'row')} were taken over.`}{' '}
      <ReasonedButton
        size="compact-sm"
        variant="default"
        reason={editLock(record)}
        loading={isPending}
        onClick={() =>
          void run({ commands: [undo?.id ?? id], direction: isRemoved ? 'redo' : 'undo', sentence })
        }
      >
        {isRemoved ? 'Apply These Edits Again' : 'Remove These Edits'}
      </ReasonedButton>
    </>
  );
}
