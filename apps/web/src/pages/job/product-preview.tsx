import { Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ShownImport } from '../../data/imports.ts';
import { rowsPerPage, useRowPage } from '../../data/rows.ts';
import { formatCount } from '../../ui/format.ts';
import { pageCount, pageOf } from '../../ui/page-numbers.ts';
import { Pager } from '../../ui/pager.tsx';
import { searchFieldMark } from '../../ui/search-field.ts';
import { Trouble } from '../../ui/trouble.tsx';
import classes from './job.module.css';
import { RowList } from './row-list.tsx';

type ProductPreviewProps = { job: ShownImport; hasRows: boolean; reading: boolean };

/** The rows of an import, 25 on a page; the page stands in the address. */
export function ProductPreview({ job, hasRows, reading }: ProductPreviewProps) {
  return (
    <Stack component="section" aria-labelledby="product-preview" gap="sm">
      {!hasRows && <PreviewTitle />}
      {hasRows ? (
        <Rows job={job} />
      ) : job.status === 'processing' || job.pausedFrom === 'processing' ? (
        <Text c="dimmed">The rows appear here when the file has been processed.</Text>
      ) : reading ? (
        <Skeleton height={320} />
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
  const [search, setSearch] = useSearchParams();
  const [knownRows, setKnownRows] = useState(job.totalRows);
  const pages = pageCount(knownRows, rowsPerPage);
  const page = pageOf(search.get('page'), Math.max(pages, 1));
  const rows = useRowPage(job.id, page, true);
  const totalRows = rows.data?.totalRows ?? knownRows;
  if (totalRows !== knownRows) setKnownRows(totalRows);
  const begin = useRef<HTMLDivElement>(null);
  const goTo = (target: number) => {
    setSearch(target === 1 ? {} : { page: String(target) }, { preventScrollReset: true });
    // A new page is read from its beginning.
    if ((begin.current?.getBoundingClientRect().top ?? 0) < 0) begin.current?.scrollIntoView();
  };
  if (rows.isError && rows.data === undefined) {
    return (
      <>
        <PreviewTitle />
        <Trouble title="The rows could not be read." cause={rows.error.message}>
          <Button onClick={() => rows.refetch()}>Try Again</Button>
        </Trouble>
      </>
    );
  }
  if (rows.data === undefined) {
    return (
      <>
        <PreviewTitle />
        <Skeleton height={320} />
      </>
    );
  }
  // While a page is on its way the rows of the one before it stay: the words are about the rows that are seen.
  const shown = rows.data.rows;
  const first = shown[0]?.row ?? 0;
  const last = shown.at(-1)?.row ?? 0;
  return (
    <Stack gap="sm" ref={begin} className={classes.preview}>
      <Group justify="space-between" gap="sm">
        <PreviewTitle />
        <GoToRow totalRows={totalRows} onRow={(row) => goTo(Math.ceil(row / rowsPerPage))} />
      </Group>
      <RowList job={job} rows={shown} faded={rows.isPlaceholderData} paged={pages > 1} />
      <div className={classes.pager}>
        <Pager
          page={page}
          pages={pages}
          range={`Rows ${formatCount(first)}–${formatCount(last)} of ${formatCount(totalRows)}`}
          onPage={goTo}
        />
      </div>
    </Stack>
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
      {...searchFieldMark}
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
