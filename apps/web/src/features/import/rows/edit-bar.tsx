import type { Row } from '@draftshelf/contract/review/rows';
import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { joinWords } from '../../../lib/join-words.ts';
import { Button } from '../../../ui/button.tsx';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { useSavedToast } from '../edits/use-undo.ts';
import { conflictOf, useRowEdit } from '../rows-api.ts';
import { changeWords, conflictWords, type RowDrafts, withCurrent } from './row-edit.ts';
import classes from './rows.module.css';
import type { ProductRowProps } from './use-inline-edit.ts';
import type { Direction } from './use-problems.ts';

type EditBarProps = {
  importId: string;
  drafts: RowDrafts;
  /** The rows on the page, whose own buttons save them. */
  shown: readonly Row[];
  /** Rows that were fixed and are still shown although they have left the filter. */
  fixed: number;
  /** Rows that were left out of the push, in the same way. */
  leftOut: number;
  /** No further problem was found in this direction. */
  end: Direction | null;
  onSaved: ProductRowProps['onSaved'];
  onRelease: () => void;
};

/** Unsaved rows, and rows that are still shown although they were fixed or left out and have left the filter. */
export function EditBar({ importId, drafts, shown, fixed, leftOut, end, onSaved, onRelease }: EditBarProps) {
  const { unsaved } = drafts;
  const elsewhere = unsaved.filter(({ row }) => !shown.some((one) => one.row === row));
  const { saveAll, isSaving } = useSaveAll(importId, drafts, onSaved);
  const done = joinWords(
    [fixed > 0 ? `${formatCount(fixed)} fixed` : '', leftOut > 0 ? `${formatCount(leftOut)} left out` : ''],
    ', ',
  );
  const endWords = end === null ? null : `There is no ${end} row with a problem.`;
  return (
    <>
      <Text role="status" size="sm" className={endWords === null ? 'visually-hidden' : undefined}>
        {endWords}
      </Text>
      {(unsaved.length > 0 || done !== '') && (
        <Group gap="xs" className={classes.editBar}>
          {unsaved.length > 0 && (
            <>
              <Text size="sm" fw={550} className="numbers">
                {countOf(unsaved.length, 'row')} not saved
              </Text>
              {(unsaved.length > 1 || elsewhere.length > 0) && (
                <>
                  <Button size="compact-sm" loading={isSaving} onClick={saveAll}>
                    Save All
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={() => drafts.end()}>
                    Discard
                  </Button>
                </>
              )}
            </>
          )}
          <ConflictsElsewhere unsaved={elsewhere} />
          {done !== '' && (
            <>
              <Text size="sm" className="numbers">
                {done}
              </Text>
              <Button size="compact-sm" variant="default" onClick={onRelease}>
                Refresh List
              </Button>
            </>
          )}
        </Group>
      )}
    </>
  );
}

/** What Save All would replace in rows that are not shown. A row that is shown says it itself. */
function ConflictsElsewhere({ unsaved }: { unsaved: RowDrafts['unsaved'] }) {
  return unsaved.map(
    ({ key, row, edit: { conflict } }) =>
      conflict !== undefined && (
        <Text key={key} size="sm" c="var(--mantine-color-error)">
          Row {formatCount(row)}: {changeWords(conflict)} Save All replaces it, Discard keeps it.
        </Text>
      ),
  );
}

/** Saves one row after the other, and stops at the first that cannot be saved. */
function useSaveAll(importId: string, drafts: RowDrafts, onSaved: EditBarProps['onSaved']) {
  const edit = useRowEdit(importId);
  const failure = useFailureToast();
  const showSaved = useSavedToast(importId);
  const [isSaving, setSaving] = useState(false);
  const saveAll = async () => {
    setSaving(true);
    const replies = [];
    for (const unsaved of drafts.unsaved) {
      try {
        const saved = await edit.mutateAsync({ row: unsaved.row, ...unsaved.request });
        replies.push(saved);
        drafts.replace(unsaved, null);
        onSaved(saved.row, saved.row.class === 'valid');
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(`${thrown}`);
        const current = conflictOf(error);
        if (current !== null) drafts.replace(unsaved, withCurrent(unsaved.edit, current));
        failure.show(
          `Row ${formatCount(unsaved.row)} wasn’t saved`,
          current === null ? error.message : conflictWords(current),
        );
        break;
      }
    }
    setSaving(false);
    // Else the notification says what wasn't saved.
    if (replies.length === drafts.unsaved.length) showSaved(replies);
  };
  return { saveAll: () => void saveAll(), isSaving };
}
