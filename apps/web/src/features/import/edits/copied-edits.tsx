import type { Command } from '@draftshelf/contract/review/edit-history';
import { countOf } from '../../../lib/intl.ts';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import type { ShownImport } from '../imports-api.ts';
import classes from './copied-edits.module.css';
import { editLock } from './edit-words.ts';
import { useTakenOver } from './edits-api.ts';
import { useUndo } from './use-undo.ts';

/** `unknown`: the words until the number of rows is known. */
type CopiedEditsProps = { record: ShownImport; unknown: string };

/** While a task applies or removes the edits. */
const busyWords: Partial<Record<Command['state'], string>> = {
  applying: 'The edits are being applied again.',
  undoing: 'The edits are being removed.',
};

/** How many rows have edits of the earlier upload, and a way to remove them or to apply them again. */
export function CopiedEdits({ record, unknown }: CopiedEditsProps) {
  const commands = useTakenOver(record.id, 'copied');
  const { run, isPending } = useUndo(record.id);
  if (commands === undefined) return unknown;
  const [copied] = commands;
  if (copied === undefined) return 'No edits were made there.';
  const { id, rows, sentence, undo, state } = copied;
  const isRemoved = undo !== null;
  return (
    <>
      {isRemoved
        ? `The edits of ${countOf(rows, 'row')} were removed.`
        : `Edits of ${countOf(rows, 'row')} were copied from the earlier upload.`}{' '}
      <ReasonedButton
        size="compact-sm"
        variant="subtle"
        className={classes.action}
        reason={busyWords[state] ?? editLock(record)}
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
