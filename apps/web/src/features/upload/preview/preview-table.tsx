import { type CanonicalField, labelOf } from '@draftshelf/domain/base/canonical-fields';
import { issueText } from '@draftshelf/domain/review/issue-texts';
import { issueField } from '@draftshelf/domain/review/issues';
import { IconAlertTriangle, IconInfoCircle, IconX } from '@tabler/icons-react';
import { formatCount } from '../../../lib/intl.ts';
import { Table, TableRegion } from '../../../ui/table/record-table.tsx';
import { TabStopGroup } from '../../../ui/table/tab-stops.tsx';
import {
  ColumnProfile,
  columnChipWords,
  focusColumnChip,
  MappingChip,
  MappingChoice,
  type MappingDraft,
  missingColumnWords,
  useMappingChips,
} from '../../import/index.ts';
import classes from '../upload.module.css';
import type { Preview } from './preview.ts';
import {
  chooseAlignment,
  listFieldsOfColumn,
  listMissingFields,
  toEditorColumns,
} from './preview-mapping.ts';
import type { PreviewRow } from './preview-rows.ts';

type CellsTableProps = {
  preview: Preview;
  columns: number;
  rows: readonly PreviewRow[];
  withProblems: boolean;
  onMapping: (draft: MappingDraft) => void;
};

export function PreviewTable({ preview, columns, rows, withProblems, onMapping }: CellsTableProps) {
  const missing = listMissingFields(preview);
  return (
    <TableRegion label="Data preview table">
      {/* The two views have different columns, so the key creates a new table. */}
      <Table
        key={String(withProblems)}
        className={classes.previewRows}
        hasFrame
        aria-label="Rows of the file"
      >
        <PreviewHead {...{ preview, columns, withProblems, onMapping }} />
        <tbody>
          {rows.map((row) => (
            <TableRow key={row.row} {...{ row, columns, preview, missing, withProblems }} />
          ))}
        </tbody>
      </Table>
    </TableRegion>
  );
}

type TableRowProps = Pick<CellsTableProps, 'columns' | 'preview' | 'withProblems'> & {
  row: PreviewRow;
  /** Required fields without a column in the file. The table has an extra column for each. */
  missing: readonly CanonicalField[];
};

function TableRow({ row, columns, preview, missing, withProblems }: TableRowProps) {
  const problems = row.issues.map((code) => issueText(code)).join(' ');
  return (
    <tr
      className={classes.previewRow}
      data-class={row.class ?? 'ignored'}
      title={row.ignored === null ? problems || undefined : 'This row is ignored.'}
    >
      <td className={`${classes.rowNumber} dim to-end`}>
        <span className="inline-flex gap-tight end center full">
          <RowMark row={row} />
          {formatCount(row.row)}
        </span>
      </td>
      {withProblems && (
        <td>
          <span className={`${classes.problem} block`}>{problems}</span>
        </td>
      )}
      {missing.map((field) => (
        <td key={field} className={classes.ghost} />
      ))}
      {Array.from({ length: columns }, (_, index) => {
        const field = preview.mapping.columns[index]?.field;
        const wrong = wrongOf(row, preview, index);
        return (
          <td
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
            key={index}
            data-dimmed={row.ignored !== null || undefined}
            data-align={chooseAlignment(preview, index)}
            title={field ? labelOf(field) : undefined}
          >
            {wrong === 'missing' ? (
              <span className={`${classes.missing} warning`}>Missing</span>
            ) : (
              <span className={classes.cell} dir="auto" data-wrong={wrong ?? undefined}>
                {row.cells[index] ?? ''}
              </span>
            )}
          </td>
        );
      })}
    </tr>
  );
}

const marks = {
  error: { Icon: IconX, word: 'Error', color: 'var(--text-bad)' },
  warning: { Icon: IconAlertTriangle, word: 'Warning', color: 'var(--text-warning)' },
  note: { Icon: IconInfoCircle, word: 'Note', color: 'var(--mantine-color-dimmed)' },
  irregular: { Icon: IconInfoCircle, word: 'Formatting problem', color: 'var(--mantine-color-dimmed)' },
} as const;

/** The mark of a row. A valid row without issues has none. */
function RowMark({ row }: { row: PreviewRow }) {
  const kind = row.class === 'valid' ? noteOf(row.issues) : row.class;
  if (kind === null) return null;
  const { Icon, word, color } = marks[kind];
  return <Icon size={14} color={color} role="img" aria-label={word} />;
}

/** 'irregular': all issues concern only the form of the row. */
function noteOf(issues: PreviewRow['issues']): 'note' | 'irregular' | null {
  if (issues.length === 0) return null;
  return issues.some((code) => issueField(code) !== null) ? 'note' : 'irregular';
}

/** Returns a cell's mark: 'missing' for a title or price that is missing, 'bad' for a price that is no number. */
function wrongOf(
  { issues, cells }: PreviewRow,
  { mapping }: Preview,
  column: number,
): 'missing' | 'bad' | null {
  if (issues.length === 0) return null;
  const columnsOf = (field: CanonicalField) => mapping.sources[field] ?? [];
  if (issues.includes('title-missing') && columnsOf('title')[0] === column) return 'missing';
  if (issues.includes('price-missing') && columnsOf('price')[0] === column) return 'missing';
  const filled = columnsOf('price').find((index) => (cells[index] ?? '').trim() !== '');
  return issues.includes('price-not-numeric') && filled === column ? 'bad' : null;
}

export const mappingNote = 'The preview and the upload use it. It’s remembered for files with these columns.';

/** The table's head. A required field without a column in the file has an extra column at the left. */
function PreviewHead({ preview, columns, withProblems, onMapping }: Omit<CellsTableProps, 'rows'>) {
  const missing = listMissingFields(preview).map((field) => ({ field }));
  const heads = preview.headers.slice(0, columns).map((header) => ({ header }));
  const { chip, open, close } = useMappingChips();
  return (
    <>
      <TabStopGroup as="thead">
        <tr>
          <th className={`${classes.rowNumber} dim to-end`}>Row</th>
          {withProblems && <th>Problem</th>}
          {missing.map((target) => {
            const words = missingColumnWords(target.field);
            return (
              <th key={target.field} className={classes.ghost}>
                <MappingChip state="missing" words={{ text: words, name: words }} chip={chip(target)} />
              </th>
            );
          })}
          {heads.map((target, index) => {
            const fields = listFieldsOfColumn(preview, index);
            return (
              <th key={target.header} data-align={chooseAlignment(preview, index)} aria-label={target.header}>
                <span className={classes.cell} dir="auto">
                  {target.header}
                </span>
                <div className={classes.headChip}>
                  <MappingChip
                    state={fields.length > 0 ? 'used' : 'unused'}
                    words={columnChipWords(target.header, fields)}
                    chip={chip(target)}
                  />
                </div>
                <ColumnProfile profile={preview.columns[index]?.profile ?? null} />
              </th>
            );
          })}
        </tr>
      </TabStopGroup>
      <MappingChoice
        open={open}
        columns={toEditorColumns(preview)}
        note={mappingNote}
        onPick={(draft, { anchor, target }) => {
          // A chosen column replaces the extra column of a missing field, so the chosen column gets the focus.
          if ('field' in target) focusColumnChip(anchor, Object.keys(draft)[0]);
          onMapping(draft);
        }}
        onClose={close}
      />
    </>
  );
}
