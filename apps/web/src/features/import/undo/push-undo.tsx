import { undoParam } from '../../../lib/paths.ts';
import { useAddressParam } from '../../../ui/hooks/use-address-param.ts';
import { useNarrow } from '../../../ui/hooks/use-narrow.ts';
import { overlay } from '../../../ui/later.tsx';
import type { ShownImport } from '../imports-api.ts';
import { Notice } from '../notice.tsx';
import { endedWords, Undone, useEndedUndo } from './undone.tsx';

const UndoDialog = overlay(() => import('./undo-dialog.tsx').then((chunk) => chunk.UndoDialog));

type PushUndoProps = {
  record: ShownImport;
  /** The section *In the store* is there. It tells of an undo, too, unless it is folded, as on a phone. */
  hasSection: boolean;
};

/** The result of the last undo of a push in one line, and the dialog of an undo. */
export function PushUndo({ record, hasSection }: PushUndoProps) {
  const { id, filename, status, startedAt, completedAt } = record;
  const [opened, setOpened] = useAddressParam(undoParam);
  const narrow = useNarrow();
  return (
    <>
      {/* Another stage may have changed what can be undone. Mounted again, the notice reads it again. */}
      <EndedNotice
        key={`${status} ${startedAt} ${completedAt}`}
        record={record}
        isShown={narrow || !hasSection}
      />
      <UndoDialog
        importId={id}
        filename={filename}
        opened={opened !== null}
        onClose={() => setOpened(null)}
      />
    </>
  );
}

function EndedNotice({ record, isShown }: { record: ShownImport; isShown: boolean }) {
  const undo = useEndedUndo(record);
  if (undo === null || !isShown) return null;
  return (
    <Notice title={endedWords(undo).title}>
      <Undone undo={undo} />
    </Notice>
  );
}
