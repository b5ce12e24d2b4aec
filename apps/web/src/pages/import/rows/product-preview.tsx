import { Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ShownImport } from '../../../api/imports.ts';
import { rowsPerPage, useRowPage } from '../../../api/rows.ts';
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx';
import { pageCount } from '../../../components/table/page-numbers.ts';
import { Pager } from '../../../components/table/pager.tsx';
import { formatCount } from '../../../lib/intl.ts';
import classes from '../import.module.css';
import { FilteredPager, NoRows, type PageKey } from './filtered-pager.tsx';
import { RowFilters, RowSearch } from './row-filters.tsx';
import { RowList } from './row-list.tsx';
import { filterOf, isFiltered, type RowsAddress, readRowsAddress, rowsAddressOf } from './rows-address.ts';

type ProductPreviewProps = { job: ShownImport; hasRows: boolean };

/** The rows of an import, 25 per page. Filter, search and page are in the URL. */
export function ProductPreview({ job, hasRows }: ProductPreviewProps) {
  return (
    <Stack component="section" aria-labelledby="product-preview" gap="sm">
      {!hasRows && <PreviewTitle />}
      {hasRows ? (
        <Rows job={job} />
      ) : job.status === 'processing' || job.pausedFrom === 'processing' ? (
        <Text c="dimmed">Rows will appear here once the file is processed.</Text>
      ) : (
        <Text>No CSV data found for this job.</Text>
      )}
    </Stack>
  );
}

function PreviewTitle() {
  return (
    <Title order={2} id="product-preview">
      Product Preview
    </Title>
  );
}

function Rows({ job }: { job: ShownImport }) {
  const [knownRows, setKnownRows] = useState(job.totalRows);
  const { address, show } = useRowsAddress();
  const filtered = isFiltered(address);
  const pages = pageCount(knownRows, rowsPerPage);
  const page = Math.min(address.page ?? 1, pages);
  const rows = useRowPage(job.id, filtered ? address : { after: (page - 1) * rowsPerPage });
  const totalRows = rows.data?.totalRows ?? knownRows;
  if (totalRows !== knownRows) setKnownRows(totalRows);
  const begin = useRef<HTMLDivElement>(null);
  const goTo = (next: RowsAddress) => {
    show(next);
    // Start a new page at its top.
    if ((begin.current?.getBoundingClientRect().top ?? 0) < 0) begin.current?.scrollIntoView();
  };
  const goToKey = (key: PageKey) => goTo({ ...filterOf(address), ...key });
  const goToRow = (row: number) =>
    filtered ? goToKey({ after: row - 1 }) : goTo({ page: Math.ceil(row / rowsPerPage) });
  if (rows.data === undefined) {
    return (
      <>
        <PreviewTitle />
        {rows.isError ? (
          <ErrorPanel title="Couldn’t load the rows." cause={rows.error.message}>
            <Button onClick={() => rows.refetch()}>Try Again</Button>
          </ErrorPanel>
        ) : (
          <Skeleton height={320} />
        )}
      </>
    );
  }
  // While a page loads, the previous page's rows stay, so the texts must describe these rows.
  const shown = rows.data.rows;
  return (
    <Stack gap="sm" ref={begin} className={classes.preview}>
      <PreviewTitle />
      <Group gap="sm" align="flex-start">
        <RowSearch current={address.q ?? ''} onSearch={(q) => show({ ...filterOf(address), q }, true)} />
        <GoToRow totalRows={totalRows} onRow={goToRow} />
      </Group>
      <RowFilters
        address={address}
        facets={rows.data.facets}
        totalRows={totalRows}
        onFilter={(filter) => show({ ...filter, q: address.q ?? '' })}
      />
      {shown.length === 0 && filtered ? (
        <NoRows
          page={rows.data}
          isFirst={(address.after ?? 0) === 0}
          onPage={goToKey}
          onClear={() => show({})}
        />
      ) : (
        <RowList
          job={job}
          rows={shown}
          faded={rows.isPlaceholderData}
          paged={filtered ? rows.data.earlier || rows.data.later : pages > 1}
        />
      )}
      <div className={classes.pager}>
        {filtered ? (
          shown.length > 0 && <FilteredPager page={rows.data} onPage={goToKey} />
        ) : (
          <Pager
            page={page}
            pages={pages}
            range={`Rows ${formatCount(shown[0]?.row ?? 0)}–${formatCount(shown.at(-1)?.row ?? 0)} of ${formatCount(totalRows)}`}
            onPage={(target) => goTo({ page: target })}
          />
        )}
      </div>
    </Stack>
  );
}

/** Filter and page in the URL. With `replace`, the change adds no entry to the browser's history. */
function useRowsAddress() {
  const [search, setSearch] = useSearchParams();
  return {
    address: readRowsAddress(search),
    show: (next: RowsAddress, replace = false) =>
      setSearch(rowsAddressOf(next), { preventScrollReset: true, replace }),
  };
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
      w={150}
      inputMode="numeric"
      aria-label="Go to row"
      placeholder="Go to row…"
      value={text}
      onChange={(event) => setText(event.currentTarget.value.replace(/\D/g, ''))}
      onKeyDown={onKeyDown}
    />
  );
}
