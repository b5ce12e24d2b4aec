import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { joinWords } from '../../../lib/join-words.ts';
import { Button } from '../../../ui/button.tsx';
import { useSavedToast } from '../edits/use-undo.ts';
import { issueWords } from '../issue-words.ts';
import { conflictOf, useRowEdit } from '../rows-api.ts';
import { nextKind } from './issue-groups.ts';
import { changeWords, conflictWords, type RowDrafts, withCurrent } from './row-edit.ts';
import classes from './rows.module.css';
import { useRowsReview } from './rows-review.ts';

type EditBarProps = {
  /** Rows that were fixed and are still shown although they have left the filter. */
  fixed: number;
  /** Rows that were left out of the push, in the same way. */
  leftOut: number;
};

/** Unsaved rows, and rows that are still shown although they were fixed or left out and have left the filter. */
export function EditBar({ fixed, leftOut }: EditBarProps) {
  const { drafts, heldRows, problems } = useRowsReview();
  const { unsaved } = drafts;
  const { end } = problems;
  // The buttons of the rows on the page save those rows.
  const elsewhere = unsaved.filter(({ row }) => !heldRows.rows.some((onPage) => onPage.row === row));
  const { saveAll, isSaving } = useSaveAll();
  const doneRows = joinWords(
    [fixed > 0 ? `${formatCount(fixed)} fixed` : '', leftOut > 0 ? `${formatCount(leftOut)} left out` : ''],
    ', ',
  );
  const endWords = end === null ? null : `There is no ${end} row with a problem.`;
  return (
    <>
      <Text role="status" size="sm" className={endWords === null ? 'visually-hidden' : undefined}>
        {endWords}
      </Text>
      {(unsaved.length > 0 || doneRows !== '') && (
        <Group gap="xs" className={classes.editBar} data-edit-bar>
          {unsaved.length > 0 && (
            <>
              <Text size="sm" className="strong numbers">
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
          {doneRows !== '' && (
            <>
              <Text size="sm" className="numbers">
                {doneRows}
              </Text>
              <NextKind />
              <Button size="compact-sm" variant="default" onClick={heldRows.release}>
                Refresh List
              </Button>
            </>
          )}
        </Group>
      )}
    </>
  );
}

/** Goes on with the next kind of issue, after rows of the one that is filtered by were fixed. */
function NextKind() {
  const { address, page, show } = useRowsReview();
  const { issues } = page.facets;
  const next = address.issue === undefined ? null : nextKind(issues, address.issue, 'next');
  if (next === null || next === address.issue) return null;
  return (
    <Button size="compact-sm" className="numbers" onClick={() => show({ issue: next })}>
      Next: {issueWords[next]} {formatCount(issues[next] ?? 0)}
    </Button>
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
function useSaveAll() {
  const { record, drafts, heldRows } = useRowsReview();
  const edit = useRowEdit(record.id, (error, { row }) => {
    const current = conflictOf(error);
    const title = `Couldn’t save row ${formatCount(row)}`;
    return current === null ? { title } : { title, text: conflictWords(current) };
  });
  const showSaved = useSavedToast(record.id);
  const [isSaving, setSaving] = useState(false);
  const saveAll = async () => {
    setSaving(true);
    const replies = [];
    for (const unsaved of drafts.unsaved) {
      try {
        const saved = await edit.mutateAsync({ row: unsaved.row, ...unsaved.request });
        replies.push(saved);
        drafts.replace(unsaved, null);
        heldRows.keep(saved.row, saved.row.class === 'valid');
      } catch (thrown) {
        const current = conflictOf(thrown as Error);
        if (current !== null) drafts.replace(unsaved, withCurrent(unsaved.edit, current));
        break;
      }
    }
    setSaving(false);
    // Else the notification says what wasn't saved.
    if (replies.length === drafts.unsaved.length) showSaved(replies);
  };
  return { saveAll: () => void saveAll(), isSaving };
}
