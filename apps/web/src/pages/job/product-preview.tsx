import type { Row } from '@draftshelf/contract/rows';
import { canDo, statusLabel } from '@draftshelf/domain/import-status';
import { Button, Group, Skeleton, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useSearchParams } from 'react-router';
import { isFinal, type ShownImport } from '../../data/imports.ts';
import { rowsPerPage, useRowPage } from '../../data/rows.ts';
import { formatCount } from '../../ui/format.ts';
import { pageCount, pageOf } from '../../ui/page-numbers.ts';
import { Pager } from '../../ui/pager.tsx';
import { searchFieldMark } from '../../ui/search-field.ts';
import { TableRegion } from '../../ui/table-region.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import classes from './job.module.css';
import { ProductRow } from './product-row.tsx';

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
  const goTo = (target: number) =>
    setSearch(target === 1 ? {} : { page: String(target) }, { preventScrollReset: true });
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
  const first = (page - 1) * rowsPerPage + 1;
  const last = Math.min(page * rowsPerPage, totalRows);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <PreviewTitle />
        <GoToRow totalRows={totalRows} onRow={(row) => goTo(Math.ceil(row / rowsPerPage))} />
      </Group>
      <RowsTable job={job} rows={rows.data.rows} faded={rows.isPlaceholderData} />
      <Pager
        page={page}
        pages={pages}
        range={`Rows ${formatCount(first)}–${formatCount(last)} of ${formatCount(totalRows)}`}
        onPage={goTo}
      />
    </Stack>
  );
}

type RowsTableProps = { job: ShownImport; rows: readonly Row[]; faded: boolean };

function RowsTable({ job, rows, faded }: RowsTableProps) {
  const groupTitles = titlesByProduct(rows);
  const firstRows = firstRowsByProduct(rows);
  const lock = canDo('edit', job.status)
    ? null
    : `Rows cannot be edited while the import is ${statusLabel(job.status).toLowerCase()}.`;
  return (
    <TableRegion label="Product rows table">
      <Table className={classes.rows} horizontalSpacing={8} highlightOnHover aria-label="Product rows">
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.number}>Row</Table.Th>
            <Table.Th>Image</Table.Th>
            <Table.Th>Title</Table.Th>
            <Table.Th className={classes.number}>Price</Table.Th>
            <Table.Th>Brand</Table.Th>
            <Table.Th>UPC</Table.Th>
            <Table.Th className={classes.number}>Qty</Table.Th>
            <Table.Th>Class</Table.Th>
            <Table.Th>Outcome</Table.Th>
            <Table.Th ta="right">Edit</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody style={{ opacity: faded ? 0.5 : 1 }}>
          {rows.map((row) => (
            <ProductRow
              key={row.row}
              importId={job.id}
              row={row}
              groupTitle={groupTitles.get(row.product) ?? null}
              firstOfProduct={firstRows.get(row.product) ?? row}
              lock={lock}
              polled={!isFinal(job.status)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </TableRegion>
  );
}

/** The first title of each product on the page: further rows of a product often have none of their own. */
function titlesByProduct(rows: readonly Row[]): Map<number, string> {
  const titles = new Map<number, string>();
  for (const { product, values } of rows) {
    if (values.title && !titles.has(product)) titles.set(product, values.title);
  }
  return titles;
}

/** The first row of each product on the page; where that is on the page before, the first that is shown stands in. */
function firstRowsByProduct(rows: readonly Row[]): Map<number, Row> {
  const first = new Map<number, Row>();
  for (const row of rows) if (row.ignored === null && !first.has(row.product)) first.set(row.product, row);
  return first;
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
