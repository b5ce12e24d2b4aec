import { fieldSpecs } from '@draftshelf/domain/canonical-fields';
import { groupingOf } from '@draftshelf/domain/grouping';
import { Button, Group, Progress, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { MappingDraft } from '../../components/mapping/mapping-draft.ts';
import { pageCount } from '../../components/table/page-numbers.ts';
import { Pager } from '../../components/table/pager.tsx';
import { TableRegion } from '../../components/table/table-region.tsx';
import { countOf, formatCount } from '../../lib/intl.ts';
import { DialectLine, type DialectLineProps } from './dialect-line.tsx';
import { firstRowsShown, type Preview, type PreviewRow, previewPageRows } from './preview.ts';
import type { PreviewMapping } from './preview-mapping.ts';
import { Mappings } from './preview-mappings.tsx';
import type { PreviewState } from './preview-state.ts';
import { rowRange } from './run-state.ts';
import classes from './upload.module.css';

/** The most columns that the table shows, to keep it fast. All columns are uploaded. */
const columnsShownMax = 60;

type PreviewPanelProps = {
  file: File;
  state: PreviewState;
  dialect: DialectLineProps;
  /** What is remembered and used for the file. */
  memory: PreviewMapping['memory'];
  /** Takes changes of the mapping. */
  onMapping: (draft: MappingDraft) => void;
  showPage: (page: number) => void;
};

/** The preview of a file: dialect, counts, detected mappings and rows. */
export function PreviewPanel({ file, state, dialect, memory, onMapping, showPage }: PreviewPanelProps) {
  const { preview } = state;
  return (
    <Stack component="section" aria-label="CSV preview" gap="md">
      <Group justify="space-between" gap="xs">
        <Title order={2}>Preview of {file.name}</Title>
      </Group>
      {!state.complete && (
        <Progress
          aria-label="Reading file"
          value={file.size === 0 ? 0 : (state.readBytes / file.size) * 100}
          size="sm"
        />
      )}
      {preview === null ? (
        <Skeleton height={220} />
      ) : (
        <>
          <DialectLine {...dialect} />
          <Counts preview={preview} complete={state.complete} />
          <Mappings preview={preview} memory={memory} onMapping={onMapping} />
          <RowsTable preview={preview} state={state} showPage={showPage} />
        </>
      )}
    </Stack>
  );
}

function Count({ icon, color, children }: { icon: ReactNode; color: string; children: string }) {
  return (
    <Text component="span" className="numbers" c={color}>
      <Group component="span" gap={4} wrap="nowrap">
        {icon}
        {children}
      </Group>
    </Text>
  );
}

function Counts({ preview, complete }: { preview: Preview; complete: boolean }) {
  return (
    <Stack gap={4}>
      <div className={classes.counts}>
        <Text component="span" fw={600} className="numbers">
          {countOf(preview.products, 'product')}
        </Text>
        <Count icon={<IconCheck size={16} aria-hidden />} color="var(--text-good)">
          {`${formatCount(preview.valid)} valid`}
        </Count>
        <Count icon={<IconAlertTriangle size={16} aria-hidden />} color="var(--text-warning)">
          {countOf(preview.warnings, 'warning')}
        </Count>
        <Count icon={<IconX size={16} aria-hidden />} color="var(--text-bad)">
          {countOf(preview.errors, 'error')}
        </Count>
      </div>
      <Text size="sm" c="dimmed" className="numbers">
        {countOf(preview.totalRows, 'row')}
        {preview.ignoredRows > 0 && ` · ${formatCount(preview.ignoredRows)} ignored`}
        {preview.readingIssues > 0 && ` · ${countOf(preview.readingIssues, 'formatting problem')}`}
        {complete ? '' : ' · still reading…'}
      </Text>
      {groupingOf(preview.mapping).kind === 'rows' && (
        <Text size="sm" c="dimmed">
          Rows of the same product are combined after upload.
        </Text>
      )}
    </Stack>
  );
}

type RowsTableProps = { preview: Preview } & Pick<PreviewPanelProps, 'state' | 'showPage'>;

function RowsTable({ preview, state, showPage }: RowsTableProps) {
  const [all, setAll] = useState(false);
  const [wantedPage, setPage] = useState(1);
  const pages = pageCount(preview.totalRows, previewPageRows);
  // A file may have fewer rows in another dialect.
  const page = Math.min(wantedPage, pages);
  useEffect(() => {
    if (all && state.complete) showPage(page - 1);
  }, [all, page, state.complete, showPage]);
  // Until a page is loaded, the previous one and its label stay.
  const read = all ? state.page : null;
  const rows = read?.rows ?? preview.firstRows;
  const headers = preview.headers.slice(0, columnsShownMax);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={3}>Data Preview</Title>
        <Button
          variant="default"
          size="compact-md"
          disabled={!all && (!state.complete || preview.totalRows <= firstRowsShown)}
          onClick={() => {
            setAll(!all);
            setPage(1);
          }}
        >
          {all ? 'Show Less' : 'Show All'}
        </Button>
      </Group>
      <CellsTable preview={preview} headers={headers} rows={rows} />
      {preview.headers.length > columnsShownMax && (
        <Text size="sm" c="dimmed">
          Showing the first {columnsShownMax} of {formatCount(preview.headers.length)} columns.
        </Text>
      )}
      {all && (
        <Pager
          page={page}
          pages={pages}
          range={
            read === null
              ? rowRange(1, firstRowsShown, preview.totalRows)
              : rowRange(read.number + 1, previewPageRows, preview.totalRows)
          }
          onPage={setPage}
        />
      )}
    </Stack>
  );
}

type CellsTableProps = { preview: Preview; headers: readonly string[]; rows: readonly PreviewRow[] };

function CellsTable({ preview, headers, rows }: CellsTableProps) {
  return (
    <TableRegion label="Data preview table">
      <Table className={classes.rows} withTableBorder striped="even" aria-label="Rows of the file">
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.rowNumber}>Row</Table.Th>
            {headers.map((header, index) => (
              <Table.Th key={header} ta={alignmentOf(preview, index)}>
                <span className={classes.cell} dir="auto">
                  {header}
                </span>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <PreviewTableRow key={row.row} row={row} columns={headers.length} fields={preview} />
          ))}
        </Table.Tbody>
      </Table>
    </TableRegion>
  );
}

const numericFields: readonly (string | null | undefined)[] = ['price', 'cost', 'compareAtPrice', 'quantity'];

function alignmentOf(preview: Preview, column: number): 'right' | undefined {
  return numericFields.includes(preview.mapping.columns[column]?.field) ? 'right' : undefined;
}

type PreviewTableRowProps = { row: PreviewRow; columns: number; fields: Preview };

function PreviewTableRow({ row, columns, fields }: PreviewTableRowProps) {
  return (
    <Table.Tr title={row.ignored === null ? undefined : 'This row is ignored.'}>
      <Table.Td className={classes.rowNumber}>{formatCount(row.row)}</Table.Td>
      {Array.from({ length: columns }, (_, index) => {
        const field = fields.mapping.columns[index]?.field;
        return (
          <Table.Td
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
            key={index}
            c={row.ignored === null ? undefined : 'dimmed'}
            ta={alignmentOf(fields, index)}
            title={field ? fieldSpecs[field].label : undefined}
          >
            <span className={classes.cell} dir="auto">
              {row.cells[index] ?? ''}
            </span>
          </Table.Td>
        );
      })}
    </Table.Tr>
  );
}
