import type { RowPage } from '@draftshelf/contract/review/rows';
import { Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import { later } from '../../../ui/later.tsx';
import { pageCount } from '../../../ui/table/page-numbers.ts';
import { Pager } from '../../../ui/table/pager.tsx';
import { BulkEditButton, FixButtons } from '../bulk-edit/bulk-edit.tsx';
import { chosenRows } from '../bulk-edit/chosen-rows.ts';
import { type BulkEdit, useBulkEdit } from '../bulk-edit/use-bulk-edit.tsx';
import { problemField } from '../cell-marks.ts';
import { editLock } from '../edits/edit-lock.ts';
import type { ShownImport } from '../imports-api.ts';
import { type RowTicks, useRowTicks } from '../row-ticks.ts';
import {
  afterPress,
  filterOf,
  hasSameFilter,
  isFiltered,
  isNarrowed,
  type RowsAddress,
  withSearch,
  withValue,
} from '../rows-address.ts';
import { rowsPerPage, useRowPage } from '../rows-api.ts';
import { FilteredPager, NoRows } from './filtered-pager.tsx';
import { FixProgress, type PushOffer } from './fix-progress.tsx';
import { useFixing } from './fixing.ts';
import { useHeldRows } from './held-rows.ts';
import type { RowDrafts } from './row-edit.ts';
import { RowFilters, RowSearch } from './row-filters.tsx';
import { RowList } from './row-list.tsx';
import classes from './rows.module.css';
import { useFirstProblem } from './use-first-problem.ts';
import { useKinds } from './use-kinds.ts';
import { useLeaveOut } from './use-leave-out.ts';
import { useProblems } from './use-problems.ts';
import { isFirstToFix, useRowsAddress } from './use-rows-address.ts';
import { ValueFilter } from './value-filter.tsx';

const IssueBars = later(() => import('./issue-bars.tsx').then((chunk) => chunk.IssueBars));
const EditBar = later(() => import('./edit-bar.tsx').then((chunk) => chunk.EditBar));

const RemovedRows = later(() => import('./removed-rows.tsx').then((chunk) => chunk.RemovedRows));

type ProductPreviewProps = {
  record: ShownImport;
  /** Products that need the operator. */
  open: number;
  hasRows: boolean;
  drafts: RowDrafts;
  /** Null: the import cannot be pushed now. */
  offer: PushOffer | null;
};

/** The rows of an import, 25 per page. Filter, search and page are in the URL. */
export function ProductPreview({ record, open, hasRows, drafts, offer }: ProductPreviewProps) {
  return (
    <section className={classes.preview} aria-labelledby="product-preview">
      {hasRows && !isRemoved(record) ? (
        <Rows record={record} open={open} drafts={drafts} offer={offer} />
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

/** The heading, and what selects rows. */
function Toolbar({ progress, children }: { progress?: ReactNode; children?: ReactNode }) {
  return (
    <div className={classes.toolbar}>
      <Title order={2} id="product-preview" className={classes.heading} tabIndex={-1}>
        Product Preview
      </Title>
      {progress}
      {children}
    </div>
  );
}

/** The rows that the URL names, and how to name others. */
function useShownRows(record: ShownImport, open: number, drafts: RowDrafts) {
  const [knownRows, setKnownRows] = useState(record.totalRows);
  const stage = JSON.stringify([record.startedAt, record.completedAt]);
  const { address, addressNow, show } = useRowsAddress(record, open, stage);
  const filtered = isFiltered(address);
  const pages = pageCount(knownRows, rowsPerPage);
  const page = Math.min(address.page ?? 1, pages);
  const wanted = filtered ? address : { after: (page - 1) * rowsPerPage };
  const rows = useRowPage(record.id, wanted);
  const totalRows = rows.data?.totalRows ?? knownRows;
  if (totalRows !== knownRows) setKnownRows(totalRows);
  // A new stage shows new rows.
  const key = JSON.stringify([wanted, stage]);
  const held = useHeldRows(
    key,
    rows.data?.rows ?? noRows,
    rows.isPlaceholderData || rows.data === undefined,
    (row) => drafts.of(row) !== null,
  );
  const begin = useRef<HTMLDivElement>(null);
  /** Shows another page; false if another filter was selected meanwhile, whose pages are different ones. */
  const goTo = (next: RowsAddress): boolean => {
    if (!hasSameFilter(addressNow(), address)) return false;
    show(next);
    // Start a new page at its top.
    if ((begin.current?.getBoundingClientRect().top ?? 0) < 0) begin.current?.scrollIntoView();
    return true;
  };
  return { address, addressNow, show, stage, filtered, page, pages, rows, totalRows, held, begin, goTo };
}

const noRows: [] = [];

type ShownRows = ReturnType<typeof useShownRows>;
type ShownProblems = ReturnType<typeof useProblems>;
type RowsProps = { record: ShownImport; drafts: RowDrafts };

function Rows({ record, open, drafts, offer }: RowsProps & Pick<ProductPreviewProps, 'open' | 'offer'>) {
  const shown = useShownRows(record, open, drafts);
  const { rows, held, address, goTo } = shown;
  const isLocked = editLock(record) !== null;
  const isWide = useMediaQuery('(min-width: 100em)', undefined, { getInitialValueInEffect: false });
  // Once there, the bars stay, so that the rows keep their width.
  const isBeside = useEver(isWide && (rows.data?.facets.issues.any ?? 0) > 0) && isWide;
  const ticks = useRowTicks(held.rows, rows.data?.run);
  const problems = useProblems({
    importId: record.id,
    address,
    rows: held.rows,
    isLoading: rows.isPlaceholderData || rows.data === undefined,
    show: goTo,
    isLocked,
  });
  useFirstProblem({
    isFirst: isFirstToFix(address),
    isLocked,
    rows: rows.isPlaceholderData ? undefined : rows.data?.rows,
    onFix: problems.edit,
  });
  if (rows.data === undefined) {
    return <RowsPending rows={rows} />;
  }
  // While a page loads, the previous page's rows stay, so the texts must describe these rows.
  const page = { ...rows.data, rows: [...held.rows] };
  return <LoadedRows {...{ record, drafts, shown, problems, ticks, page, isBeside, offer }} />;
}

type LoadedRowsProps = Omit<RowsPartProps, 'bulkEdit'> & { offer: PushOffer | null };

function LoadedRows({ offer, ...loaded }: LoadedRowsProps) {
  const { record, drafts, shown, ticks, page, isBeside } = loaded;
  const { address, rows } = shown;
  const bulkEdit = useBulkEdit({
    record,
    choose: (ticked) => chosenRows({ address, page, ticked }),
    ticked: ticks.rows,
    rows: page.rows,
    issue: address.issue,
    isLoading: rows.isPlaceholderData,
    lock: editLock(record),
    headers: page.headers,
  });
  useKinds({
    issue: address.issue,
    facets: page.facets,
    rows: rows.isPlaceholderData ? undefined : page.rows,
    // Another filter may have none of its rows.
    onIssue: (issue) => shown.show({ issue }),
  });
  useLeaveOut({
    importId: record.id,
    rows: page.rows,
    lock: editLock(record),
    isEdited: (row) => drafts.of(row) !== null,
    // The row stays where it is, also if it leaves the filter.
    onSaved: (saved) => shown.held.keep(saved, false),
  });
  const part = { ...loaded, bulkEdit };
  return (
    <div ref={shown.begin} className={classes.preview} data-focus-next="#product-preview">
      <RowsToolbar {...part} offer={offer} />
      <div className={isBeside ? classes.beside : classes.preview}>
        {isBeside && (
          <aside className={classes.issueAside} aria-label="Issues">
            <IssueBars
              current={address.issue}
              facets={page.facets}
              onIssue={(issue) => shown.show(afterPress(shown.addressNow(), { issue }))}
            />
          </aside>
        )}
        <div className={classes.preview}>
          <RowsOrNone {...part} />
          <RowsFooter {...part} />
        </div>
      </div>
      {bulkEdit.dialog}
    </div>
  );
}

function RowsToolbar({
  record,
  shown,
  ticks,
  page,
  offer,
  isBeside,
  bulkEdit,
}: RowsPartProps & { offer: PushOffer | null }) {
  const { address, addressNow, show, totalRows, rows, filtered, goTo } = shown;
  // A page that was read before has counts of that time until it is read again.
  const fixing = useFixing(`${record.id} ${shown.stage}`, page.facets, rows.isFetching);
  const isFixing = address.class === 'needs-you';
  const goToRow = (row: number) =>
    goTo(filtered ? { ...filterOf(address), after: row - 1 } : { page: Math.ceil(row / rowsPerPage) });
  return (
    <Toolbar progress={isFixing && <FixProgress fixing={fixing} offer={offer} />}>
      <RowFilters
        address={address}
        isBeside={isBeside}
        facets={page.facets}
        outcomes={record.outcomes}
        totalRows={totalRows}
        onPress={(pressed) => show(afterPress(addressNow(), pressed))}
        action={<BulkEditButton edit={bulkEdit} ticks={ticks} />}
        fixes={<FixButtons edit={bulkEdit} issue={address.issue} />}
      >
        <RowSearch
          current={address.q ?? ''}
          isSearching={rows.isPlaceholderData && address.q !== undefined}
          onSearch={(q) => show(withSearch(addressNow(), q), true)}
        />
        <GoToRow totalRows={totalRows} onRow={goToRow} />
        <ValueFilter
          importId={record.id}
          address={address}
          rows={page.rows}
          onValue={(value) => show(withValue(addressNow(), value))}
        />
      </RowFilters>
    </Toolbar>
  );
}

type RowsPartProps = RowsProps & {
  shown: ShownRows;
  problems: ShownProblems;
  ticks: RowTicks;
  page: RowPage;
  isBeside: boolean;
  bulkEdit: BulkEdit;
};

function RowsOrNone({ record, drafts, shown, problems, ticks, page, isBeside, bulkEdit }: RowsPartProps) {
  const { address, show, filtered, pages, rows, held, goTo } = shown;
  if (page.rows.length === 0 && isFirstToFix(address)) return <NothingToFix onAll={() => show({})} />;
  if (page.rows.length === 0 && filtered) {
    const { class: ofClass, q } = address;
    // An import opens on the rows that need the operator; a search of one product means all rows.
    const isInOpening = ofClass === 'needs-you' && q !== undefined;
    return (
      <NoRows
        page={page}
        isFirst={(address.after ?? 0) === 0}
        onPage={(key) => goTo({ ...filterOf(address), ...key })}
        onSearchAll={isInOpening ? () => show({ q }) : null}
        onClear={() => show({})}
      />
    );
  }
  return (
    <RowList
      record={record}
      rows={held.rows}
      drafts={drafts}
      fixed={held.fixed}
      target={problems.target}
      ticks={ticks}
      onTaken={problems.taken}
      onSaved={held.keep}
      onNext={(row, isSaved) => {
        const field = isSaved ? problemField(row) : null;
        if (field !== null) problems.edit({ row: row.row, field });
        else void problems.go('next', row.row);
      }}
      onFix={problems.edit}
      onFixIssue={bulkEdit.fixRow}
      onGo={problems.go}
      end={problems.end}
      issue={address.issue}
      isBeside={isBeside}
      faded={rows.isPlaceholderData}
      paged={filtered ? page.earlier || page.later : pages > 1}
    />
  );
}

function NothingToFix({ onAll }: { onAll: () => void }) {
  return (
    <Stack align="center" gap="sm" py="xl">
      <Text>No row needs you.</Text>
      <Button variant="default" onClick={onAll}>
        Show All Rows
      </Button>
    </Stack>
  );
}

function RowsFooter({ record, drafts, shown, problems, page }: RowsPartProps) {
  const { address, show, filtered, pages, held, totalRows, goTo } = shown;
  const [first, last] = [page.rows[0]?.row ?? 0, page.rows.at(-1)?.row ?? 0];
  const [fixed, leftOut] = filtered ? [held.fixed.size, held.leftOut] : [0, 0];
  return (
    <div className={classes.pager} data-pager>
      {(drafts.unsaved.length + fixed + leftOut > 0 || problems.end !== null) && (
        <EditBar
          importId={record.id}
          drafts={drafts}
          shown={held.rows}
          fixed={fixed}
          leftOut={leftOut}
          end={problems.end}
          onSaved={held.keep}
          onRelease={held.release}
        />
      )}
      {!filtered && (
        <Pager
          page={shown.page}
          pages={pages}
          range={`Rows ${formatCount(first)}–${formatCount(last)} of ${formatCount(totalRows)}`}
          onPage={(target) => goTo({ page: target })}
        />
      )}
      {filtered && page.rows.length > 0 && (
        <FilteredPager
          page={page}
          stillMatch={held.stillMatch}
          onClear={isNarrowed(address) ? () => show({}) : null}
          onPage={(key) => goTo({ ...filterOf(address), ...key })}
        />
      )}
    </div>
  );
}

function RowsPending({ rows }: { rows: ReturnType<typeof useRowPage> }) {
  return (
    <>
      <Toolbar />
      <ReadFailure what="the rows" reads={[rows]} />
      {!rows.isError && (
        <Stack gap={0} aria-hidden>
          <Skeleton height={36} mb={8} />
          <Skeleton height={640} />
        </Stack>
      )}
    </>
  );
}

function GoToRow({ totalRows, onRow }: { totalRows: number; onRow: (row: number) => void }) {
  const [text, setText] = useState('');
  const onKeyDown = (event: KeyboardEvent) => {
    const row = Number.parseInt(text, 10);
    if (event.key !== 'Enter' || Number.isNaN(row)) return;
    onRow(Math.min(Math.max(1, row), totalRows));
    setText('');
  };
  if (totalRows <= rowsPerPage) return null;
  return (
    <TextInput
      className={classes.goTo}
      inputMode="numeric"
      aria-label="Go to row"
      placeholder="Go to row…"
      value={text}
      onChange={(event) => setText(event.currentTarget.value.replace(/\D/g, ''))}
      onKeyDown={onKeyDown}
    />
  );
}
