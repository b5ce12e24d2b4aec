import { Group } from '@mantine/core';
import { useState } from 'react';
import { countOf, formatCount, joinWords } from '../../../lib/intl.ts';
import { BodyText, Button, QuietText, SmallButton } from '../../../ui/basics.tsx';
import { Pager, PageSteps } from '../../../ui/table/record-table.tsx';
import { useSavedToast } from '../edits/edits-api.ts';
import { issueWords } from '../issue-text.tsx';
import { hasFilterBesideClass, pickFiltersAndSort } from '../rows-address.ts';
import { findConflict, useRowEdit } from '../rows-api.ts';
import { findNextIssue } from './issue-groups.ts';
import {
  conflictWords,
  rebaseOntoConflict,
  rebaseOntoSaved,
  toRowRequest,
  valuesChangedWords,
} from './row-edit.ts';
import classes from './rows.module.css';
import { useRowsReview } from './rows-review.ts';
import { SortSummary, shownRowsWords } from './sort-state.tsx';
import { noMoreProblemsWords } from './use-problems.ts';

export function RowsFooter() {
  const { drafts, address, goTo, hasFilter, pageNumber, pages, heldRows, totalRows, problems, page } =
    useRowsReview();
  const { first, last } = page.sorted ?? { first: page.rows[0]?.row ?? 0, last: page.rows.at(-1)?.row ?? 0 };
  const leftOut = hasFilter ? heldRows.leftOut : 0;
  const fixed = useFixed(heldRows.fixed.size, leftOut);
  return (
    <div className={classes.pager} data-pager>
      {(drafts.unsaved.length + fixed + leftOut > 0 || problems.end !== null) && (
        <EditBar fixed={fixed} leftOut={leftOut} />
      )}
      {address.sort !== undefined && <SortSummary sort={address.sort} />}
      {!hasFilter && (
        <Pager
          page={pageNumber}
          pages={pages}
          range={`Rows ${formatCount(first)}–${formatCount(last)} of ${formatCount(totalRows)}`}
          onPage={(target) => goTo({ ...pickFiltersAndSort(address), page: target })}
        />
      )}
      {hasFilter && page.rows.length > 0 && <FilteredPager />}
    </div>
  );
}

/** Returns the number of rows fixed under this filter. After a bulk edit, includes the fixed rows of other pages. */
function useFixed(onPage: number, leftOut: number): number {
  const { record, address, hasFilter, page, isLoading } = useRowsReview();
  const key = JSON.stringify([record.id, { ...address, after: 0, before: 0 }]);
  const matching = page.matching ?? 0;
  const [first, setFirst] = useState({ key, matching });
  const isOther = first.key !== key || matching > first.matching;
  if (isOther && !isLoading) setFirst({ key, matching });
  if (!hasFilter) return 0;
  return onPage === 0 || isOther ? onPage : Math.max(onPage, first.matching - matching - leftOut);
}

/** Pages have no numbers, because rows before a cursor are not counted. */
function FilteredPager() {
  const { page, address, heldRows, show, goTo } = useRowsReview();
  const { rows, matching, earlier, later } = page;
  const first = page.sorted?.first ?? rows[0]?.row ?? 1;
  const last = page.sorted?.last ?? rows.at(-1)?.row ?? 0;
  const to = (isThere: boolean, key: { after: number } | { before: number }) =>
    isThere ? () => void goTo({ ...pickFiltersAndSort(address), ...key }) : null;
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <QuietText role="status" className="numbers">
          {shownRowsWords({ onPage: rows.length, stillMatch: heldRows.stillMatch, matching })}
        </QuietText>
        {hasFilterBesideClass(address) && <SmallButton onClick={() => show({})}>Clear Filters</SmallButton>}
      </Group>
      {(earlier || later) && (
        <PageSteps
          first={to(earlier, { after: 0 })}
          previous={to(earlier, { before: first })}
          next={to(later, { after: last })}
          last={to(later, { before: page.totalRows + 1 })}
        />
      )}
    </Group>
  );
}

function EditBar({ fixed, leftOut }: { fixed: number; leftOut: number }) {
  const { drafts, heldRows, page, problems } = useRowsReview();
  const { unsaved } = drafts;
  const { end } = problems;
  // Unsaved rows on other pages. Those on this page have buttons of their own.
  const elsewhere = unsaved.filter(({ row }) => !heldRows.rows.some((onPage) => onPage.row === row));
  const { saveAll, isSaving } = useSaveAll();
  const doneRows = joinWords(
    [fixed > 0 ? `${formatCount(fixed)} fixed` : '', leftOut > 0 ? `${formatCount(leftOut)} left out` : ''],
    ', ',
  );
  return (
    <>
      <BodyText role="status" className={end === null ? 'visually-hidden' : undefined}>
        {end !== null && noMoreProblemsWords(end, page.facets.needsYou)}
      </BodyText>
      {(unsaved.length > 0 || doneRows !== '') && (
        <Group gap="xs" pb={6} data-edit-bar>
          {unsaved.length > 0 && (
            <>
              <BodyText className="strong numbers">{countOf(unsaved.length, 'row')} not saved</BodyText>
              {(unsaved.length > 1 || elsewhere.length > 0) && (
                <>
                  <Button size="compact-sm" loading={isSaving} onClick={saveAll}>
                    Save All
                  </Button>
                  <SmallButton onClick={() => drafts.end()}>Discard</SmallButton>
                </>
              )}
            </>
          )}
          {elsewhere.map(
            ({ key, row, edit: { conflict } }) =>
              conflict !== undefined && (
                <BodyText key={key} c="var(--mantine-color-error)">
                  Row {formatCount(row)}: {valuesChangedWords(conflict)} Save All replaces that change,
                  Discard keeps it.
                </BodyText>
              ),
          )}
          {doneRows !== '' && (
            <>
              <BodyText className="numbers">{doneRows}</BodyText>
              <NextKind />
              <SmallButton onClick={heldRows.release}>Refresh List</SmallButton>
            </>
          )}
        </Group>
      )}
    </>
  );
}

function NextKind() {
  const { address, page, show } = useRowsReview();
  const { issues } = page.facets;
  const next = address.issue === undefined ? null : findNextIssue(issues, address.issue, 'next');
  if (next === null || next === address.issue) return null;
  return (
    <Button size="compact-sm" className="numbers" onClick={() => show({ issue: next })}>
      Next: {issueWords[next]} {formatCount(issues[next] ?? 0)}
    </Button>
  );
}

/** Saves all unsaved rows, up to the first that cannot be saved. */
function useSaveAll() {
  const { record, drafts, heldRows } = useRowsReview();
  const edit = useRowEdit(record.id, (error, { row }) => {
    const current = findConflict(error);
    const title = `Couldn’t save row ${formatCount(row)}`;
    return current === null ? { title } : { title, text: conflictWords(current) };
  });
  const showSaved = useSavedToast(record.id);
  const [isSaving, setSaving] = useState(false);
  const saveAll = async () => {
    setSaving(true);
    const replies = [];
    let hasFailed = false;
    for (const unsaved of drafts.unsaved) {
      const typed = drafts.newestOf(unsaved);
      const request = typed === null ? null : toRowRequest(typed);
      // The edit was saved or discarded while other rows were saved.
      if (request === null) continue;
      try {
        const saved = await edit.mutateAsync({ row: unsaved.row, ...request });
        replies.push(saved);
        const newest = drafts.newestOf(unsaved);
        const isDone = newest === null || newest === typed;
        drafts.set(unsaved, isDone ? null : rebaseOntoSaved(newest, request.values));
        heldRows.keep(saved.row, saved.row.class === 'valid');
      } catch (thrown) {
        const current = findConflict(thrown as Error);
        const newest = drafts.newestOf(unsaved);
        if (current !== null && newest !== null) drafts.set(unsaved, rebaseOntoConflict(newest, current));
        hasFailed = true;
        break;
      }
    }
    setSaving(false);
    // If a save has failed, its notification is shown instead.
    if (!hasFailed && replies.length > 0) showSaved(replies);
  };
  return { saveAll: () => void saveAll(), isSaving };
}
