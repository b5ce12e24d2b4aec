import type { RowFacets } from '@draftshelf/contract/review/rows';
import { canDo } from '@draftshelf/domain/imports/import-status';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { ClockTime, PlainButton, QuietText } from '../../../ui/basics.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { toast } from '../../../ui/feedback/toast-state.ts';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { useHasBeenTrue, useMedia } from '../../../ui/hooks.ts';
import { useOfferedActions, useScreenKey } from '../../../ui/keys.ts';
import { useBulkEdit } from '../bulk-edit/bulk-edit.tsx';
import { findRowIssueField } from '../cell-marks.ts';
import { editLockReason } from '../edits/edits-api.ts';
import { hasImportRows, type ShownDetails, type ShownImport } from '../imports-api.ts';
import { describeNoRows } from '../list/list-words.ts';
import { useLeavingOut } from '../product/product-buttons.tsx';
import { useRowTicks } from '../row-ticks.ts';
import { applyPressedFilter, hasSameFilter, pickFiltersAndSort } from '../rows-address.ts';
import type { Direction } from './grid-state.ts';
import { createGridStore, useArrival } from './grid-store.ts';
import { useBrokenPictureCount } from './image-cell.tsx';
import { findNextIssue } from './issue-groups.ts';
import type { RowDrafts } from './row-edit.ts';
import { IssueBars } from './row-filters.tsx';
import { RowList } from './row-list.tsx';
import classes from './rows.module.css';
import { RowsFooter } from './rows-footer.tsx';
import { isNeedsYouFilter, useRowsPage } from './rows-page.ts';
import { type RowsReview, RowsReviewContext, useRowsReview } from './rows-review.ts';
import { RowsToolbar, Toolbar } from './rows-toolbar.tsx';
import { findRowAround, useFirstProblem, useProblems } from './use-problems.ts';

type RowsProps = { record: ShownDetails; drafts: RowDrafts };

export function ProductPreview(rows: RowsProps) {
  const { record } = rows;
  return (
    <section className={`stack ${classes.preview}`} aria-labelledby="product-preview">
      {hasImportRows(record) && !isRemoved(record) ? (
        <Rows {...rows} />
      ) : (
        <>
          <Toolbar />
          {record.status === 'processing' || record.pausedFrom === 'processing' ? (
            <Text c="dimmed">Rows will appear here once the file is processed.</Text>
          ) : isRemoved(record) ? (
            <RemovedRows record={record} />
          ) : (
            <Text>No CSV data found for this job.</Text>
          )}
        </>
      )}
    </section>
  );
}

const isRemoved = ({ rowsRemovedAt, isBeingDeleted }: ShownImport) =>
  rowsRemovedAt !== null || isBeingDeleted;

function Rows({ record, drafts }: RowsProps) {
  const rows = useRowsPage(record, record.beforePush?.open ?? 0, drafts);
  const { query, heldRows, address, isLoading } = rows;
  const shownRows = isLoading ? undefined : query.data?.rows;
  const lock = editLockReason(record);
  const isLocked = lock !== null;
  const isBeside = useIssuesBeside(query.data?.facets);
  const ticks = useRowTicks(heldRows.rows, query.data?.run);
  const [store] = useState(createGridStore);
  const problems = useProblems(record.id, rows, isLocked, store);
  useFirstProblem(isNeedsYouFilter(address), isLocked ? undefined : shownRows, problems, store);
  if (query.data === undefined)
    return (
      <>
        <Toolbar />
        <ReadFailure what="the rows" reads={[query]} />
        {!query.isError && (
          <Stack gap={0} aria-hidden>
            <Skeleton height={36} mb={8} />
            <Skeleton height={640} />
          </Stack>
        )}
      </>
    );
  // While a page loads, the texts describe the rows of the previous page, which are still shown.
  const page = { ...query.data, rows: [...heldRows.rows] };
  return <LoadedRows {...rows} {...{ record, lock, drafts, page, problems, store, ticks, isBeside }} />;
}

/** True if the issues are shown beside the rows. They stay there once shown, so that the rows keep their width. */
function useIssuesBeside(facets: RowFacets | undefined): boolean {
  const isWide = useMedia('(min-width: 100em)');
  return useHasBeenTrue(isWide && (facets?.issues.any ?? 0) > 0) && isWide;
}

type LoadedRowsProps = Omit<RowsReview, 'bulkEdit'>;

function LoadedRows(rows: LoadedRowsProps) {
  const { page, address, isBeside, show } = rows;
  const bulkEdit = useBulkEdit(rows);
  useKinds(rows);
  useLeaveOut(rows);
  return (
    <RowsReviewContext value={{ ...rows, bulkEdit }}>
      <div ref={rows.begin} className={`stack ${classes.preview}`} data-focus-next="#product-preview">
        <RowsToolbar />
        <div className={isBeside ? `${classes.beside} grid` : `stack ${classes.preview}`}>
          {isBeside && (
            <aside className={classes.issueAside} aria-label="Issues">
              <IssueBars
                current={address.issue}
                facets={page.facets}
                onIssue={(issue) => show(applyPressedFilter(rows.addressNow(), { issue }))}
              />
            </aside>
          )}
          <div className={`stack ${classes.preview}`}>
            <RowsOrNone />
            <RowsFooter />
            <BrokenPictures />
          </div>
        </div>
        {bulkEdit.dialog}
      </div>
    </RowsReviewContext>
  );
}

/** Counts pictures that only the browser failed to load. The count is below the rows, so that no row moves. */
function BrokenPictures() {
  const broken = useBrokenPictureCount();
  if (broken === 0) return null;
  return (
    <QuietText>
      {`Your browser couldn’t load ${countOf(broken, 'picture')} on this page. The store fetches images itself, so it may still be able to load ${broken === 1 ? 'this one' : 'them'}.`}
    </QuietText>
  );
}

function RowsOrNone() {
  const { record, address, show, hasFilter, page, goTo } = useRowsReview();
  if (page.rows.length > 0 || !hasFilter) return <RowList />;
  if (isNeedsYouFilter(address))
    return (
      <Stack align="center" gap="sm" py="xl">
        <Text>No row needs you.</Text>
        <PlainButton onClick={() => show({})}>Show All Rows</PlainButton>
      </Stack>
    );
  const { class: ofClass, q, change } = address;
  // Offers to search all rows, because the import may have opened on the rows that need the operator.
  const isInOpening = ofClass === 'needs-you' && q !== undefined;
  const isChangeOnly = change !== undefined && hasSameFilter(address, { change });
  const none = (isChangeOnly && describeNoRows(change, record.list)) || 'No matching rows.';
  const isFurther = (address.after ?? 0) > 0;
  return (
    <Stack align="center" gap="sm" py="xl">
      <Text>{isFurther ? 'No more matching rows.' : none}</Text>
      <Group gap="xs" justify="center">
        {isFurther && (
          <PlainButton onClick={() => goTo({ ...pickFiltersAndSort(address), after: 0 })}>
            First Page
          </PlainButton>
        )}
        {isInOpening && <PlainButton onClick={() => show({ q })}>Search All Rows</PlainButton>}
        <PlainButton onClick={() => show({})}>Clear Filters</PlainButton>
      </Group>
    </Stack>
  );
}

function RemovedRows({ record }: { record: ShownImport }) {
  const again = useCall('readAgain', { params: { id: record.id }, failed: 'Couldn’t read the file again' });
  if (record.isBeingDeleted) return <Text>This import is being deleted.</Text>;
  const removed = record.rowsRemovedAt;
  const isReadable = record.fileRemovedAt === null && canDo('reread', record.status);
  return (
    <Stack gap="sm" align="flex-start">
      <Text>
        {removed !== null && (
          <>
            The rows were removed on <ClockTime time={removed} /> to save space.{' '}
          </>
        )}
        {isReadable
          ? 'Your edits and the results of earlier pushes are kept. To review the rows and push again, re-read the file.'
          : 'The results of its pushes are kept. To work with the rows, upload the file again.'}
      </Text>
      {isReadable && (
        <PlainButton loading={again.isPending} onClick={() => again.mutate({})}>
          Read Again
        </PlainButton>
      )}
    </Stack>
  );
}

/** Visible only while focused. */
export const SkipToRowsLink = () => (
  <PlainButton size="compact-md" className={classes.skip} onClick={focusRows}>
    Skip to rows
  </PlainButton>
);

const places = [
  '[data-rows] tbody [tabindex="0"]',
  '[data-rows] tbody td[tabindex]',
  '[data-rows] [data-card]',
  '#product-preview',
];

function focusRows(): void {
  const place = places.find((selector) => document.querySelector(selector) !== null);
  if (place !== undefined) document.querySelector<HTMLElement>(place)?.focus();
}

/** Handles `i` and Shift `i`: focuses the wrong cell of the first row with the next or previous issue. */
function useKinds({
  address: { issue },
  page: { facets, rows },
  isLoading,
  store,
  show,
}: LoadedRowsProps): void {
  const isShown = (step: { issue: IssueCode }) => step.issue === issue && !isLoading;
  useArrival(store, 'issue', isShown, (step) => {
    const first = rows.find(({ ignored }) => ignored === null);
    if (first === undefined) return;
    store.patch({
      focus: { row: first.row, field: findRowIssueField(first, step.issue), on: 'cell-or-card' },
    });
  });
  const go = (direction: Direction) => {
    const kind = findNextIssue(facets.issues, issue, direction);
    if (kind === null) {
      toast({
        title: 'No more issues',
        text: 'No row that will be pushed has an issue.',
        tone: 'neutral',
      });
      return;
    }
    const isCurrent = kind === issue;
    // Moves the focus out of the rows, so that keys pressed meanwhile do not change rows of the previous issue.
    if (!isCurrent) document.getElementById('product-preview')?.focus({ preventScroll: true });
    store.send({ kind: 'waits', for: { kind: 'issue', issue: kind } });
    // Removes the other filters, because they might exclude all rows with the new issue.
    if (!isCurrent) show({ issue: kind });
  };
  useScreenKey('i', () => go('next'));
  useOfferedActions([
    { label: 'Next Kind of Issue', key: 'i', reason: null, act: () => go('next') },
    { label: 'Previous Kind of Issue', key: 'I', reason: null, act: () => go('previous') },
  ]);
}

function useLeaveOut({ record, lock, page: { rows }, drafts, heldRows }: LoadedRowsProps): void {
  const { change } = useLeavingOut(record.id);
  /** Rows that are being saved. The operator may already have continued with another row. */
  const saving = useRef(new Set<number>());
  const leaveOut = async (focused: Element | null) => {
    if (lock !== null) return;
    const row = rows.find(({ row }) => row === findRowAround(focused));
    if (row === undefined) {
      toast({
        title: 'No row has the focus',
        text: 'Move to a cell, press Home to go to its row, then try again.',
        tone: 'neutral',
      });
      return;
    }
    if (row.ignored !== null || drafts.of(row) !== null || saving.current.has(row.row)) return;
    saving.current.add(row.row);
    const saved = await change(row);
    saving.current.delete(row.row);
    // Keeps the row in its place, even if it no longer matches the filter.
    if (saved !== null) heldRows.keep(saved, false);
  };
  useScreenKey('x', ({ target }) => void leaveOut(target instanceof Element ? target : null));
  useOfferedActions([
    {
      label: 'Leave Out the Row, or Put It Back',
      key: 'x',
      reason: lock,
      // The command palette has closed, and has returned the focus to the element that was focused before.
      act: () => void leaveOut(document.activeElement),
    },
  ]);
}
