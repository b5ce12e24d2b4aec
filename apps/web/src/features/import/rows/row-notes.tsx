import type { Row } from '@draftshelf/contract/review/rows';
import type { IgnoredReason } from '@draftshelf/csv/read-table';
import { issueFixes } from '@draftshelf/domain/review/issue-fixes';
import { Group, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconFiles, IconPencil, IconX } from '@tabler/icons-react';
import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { scannedPath } from '../../../lib/paths.ts';
import { ActionIcon, IconButton, PageLink, SmallText } from '../../../ui/basics.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { useTabStop } from '../../../ui/table/tab-stops.tsx';
import { findClassReason, sortProblemsFirst } from '../cell-marks.ts';
import { LeftOutMark, OtherImport } from '../issue-text.tsx';
import { StoreLink } from '../notice.tsx';
import { LeaveOutButton } from '../product/product-buttons.tsx';
import { OutcomeBadge, RowClassIcon, UndoneBadge } from '../status/status-look.tsx';
import { useGridState } from './grid-store.ts';
import classes from './row-table.module.css';
import { type RowEntry, useRowsReview } from './rows-review.ts';
import type { InlineEdit } from './use-grid.ts';

export function ScannerLink({ row }: { row: Row }) {
  if (!row.scanned) return null;
  const { productId } = row.scanned;
  if (productId === null) return <>Scanner</>;
  return (
    <PageLink to={scannedPath(productId)} inherit>
      Scanner
    </PageLink>
  );
}

export function EditButtons({ row, editing }: { row: number; editing: InlineEdit }) {
  if (editing.draft === null) {
    const pencil = (
      <IconButton
        // A key of its own, because React would otherwise reuse the element for 'Save', with a wrong Tab order.
        key="edit"
        icon={IconPencil}
        size={28}
        className={classes.pencil}
        title={editing.reason === null ? 'Edit' : undefined}
        label={`Edit row ${row}`}
        aria-disabled={editing.reason !== null || undefined}
        data-disabled={editing.reason !== null || undefined}
        data-pencil
        onClick={editing.beginAtPencil}
      />
    );
    return editing.reason === null ? pencil : <Hint text={editing.reason}>{pencil}</Hint>;
  }
  return (
    <>
      <ActionIcon size={28} title="Save" aria-label="Save" loading={editing.saving} onClick={editing.save}>
        <IconCheck size={16} aria-hidden />
      </ActionIcon>
      <IconButton
        icon={IconX}
        size={28}
        variant="default"
        title="Cancel"
        label="Cancel"
        onClick={editing.leave}
      />
    </>
  );
}

export function EditFailure({ editing }: { editing: InlineEdit }) {
  if (editing.failure === null) return null;
  return (
    <Text size="xs" c="var(--mantine-color-error)" role="alert" className="break-words">
      Couldn’t save: {editing.failure}
    </Text>
  );
}

const ignoredWords: Record<IgnoredReason, string> = {
  'repeated-header': 'repeated header',
  totals: 'totals row',
};

/** Returns the code itself if it is unknown, because a newer server may have more reasons. */
const ignoredReason = (ignored: string): string =>
  (ignoredWords as Record<string, string>)[ignored] ?? ignored;

export function RowClassMark({ row, isFixed }: Pick<RowEntry, 'row' | 'isFixed'>) {
  if (row.ignored !== null) return null;
  if (row.class !== 'valid') return <RowClassIcon rowClass={row.class} reason={findClassReason(row)} />;
  return (
    <span className={`dim ${classes.tick}`} data-valid data-fixed={isFixed || undefined} title="Valid">
      <IconCheck size={16} aria-hidden />
      <span className="visually-hidden">Valid</span>
    </span>
  );
}

export function RowNotes({ entry }: { entry: RowEntry }) {
  const { row } = entry;
  if (row.ignored !== null) return <Text size="xs">Ignored: {ignoredReason(row.ignored)}</Text>;
  return (
    <>
      {row.leftOut && <LeftOut row={row} />}
      <Sentences {...entry} />
      {row.issues.map(
        (issue) =>
          issue.other && (
            // A line of its own, because the line of sentences may be cut.
            <SmallText key={issue.code}>
              <OtherImport issue={issue} />
            </SmallText>
          ),
      )}
      {row.cellsAsRead !== null && <CellsInFile cells={row.cellsAsRead} isRepaired />}
      {row.cellsAsRead === null && row.issues.some(({ code }) => lineIssues.includes(code)) && (
        <CellsInFile cells={row.cells} />
      )}
    </>
  );
}

function LeftOut({ row }: { row: Row }) {
  const { record, lock, heldRows } = useRowsReview();
  return (
    <span className={`${classes.leftOut} inline-flex gap-tight center rigid`}>
      <LeftOutMark />
      <LeaveOutButton
        {...{ importId: record.id, row, lock }}
        size="compact-xs"
        onPress={(button) => {
          // Keeps the row in its place, even if it no longer matches the filter.
          heldRows.keep(row, false);
          focusRowOf(button);
        }}
      />
    </span>
  );
}

function Sentences({ row, isFixed, elsewhere }: RowEntry) {
  const { lock, bulkEdit } = useRowsReview();
  const stop = useTabStop();
  const issues = sortProblemsFirst(row.issues);
  const sentences = [...issues.map(({ message }) => message), ...(elsewhere === null ? [] : [elsewhere])];
  if (sentences.length === 0 && !isFixed) return null;
  return (
    <CutText row={row.row} full={sentences.join(' ')} className={`row gap-tight ${classes.notes}`} data-notes>
      {isFixed && row.class === 'valid' && (
        <span className={`strong ${classes.fixed} inline-flex gap-hair center rigid`}>
          <IconCheck size={14} aria-hidden /> Fixed
        </span>
      )}
      {issues.length > 0 && (
        <ul className={`list small break-words ${classes.issues}`}>
          {issues.map(({ code, field, message }) => (
            <li key={`${code} ${field ?? ''}`}>{message}</li>
          ))}
        </ul>
      )}
      {lock === null &&
        issueFixes
          .filter(({ code }) => row.issues.some((issue) => issue.code === code))
          .map(({ code, label }) => (
            <UnstyledButton
              {...stop}
              key={code}
              className={`${classes.fix} underlined rigid selected`}
              aria-label={`${label} in row ${row.row}`}
              data-fixes
              onClick={() => bulkEdit.fixRow(row.row, code)}
            >
              {label}
            </UnstyledButton>
          ))}
      {elsewhere !== null && (
        <span className={`${classes.elsewhere} inline-flex rigid`} title={elsewhere} data-elsewhere>
          <IconFiles size={14} aria-hidden />
          <span className="visually-hidden">{elsewhere}</span>
        </span>
      )}
    </CutText>
  );
}

type CutTextProps = ComponentProps<'div'> & { row: number; full: string };

/** A line of sentences. A cut line is shown in full while the pointer is over it or its row has the focus. */
function CutText({ row, full, className = '', ...props }: CutTextProps) {
  const { store } = useRowsReview();
  const line = useRef<HTMLDivElement>(null);
  const [cut, setCut] = useState(false);
  const hasFocus = useGridState(store, ({ cursor }) => cursor?.row === row);
  const measure = () => setCut(line.current !== null && isCut(line.current));
  useLayoutEffect(() => {
    if (hasFocus) measure();
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only shows the text in full
    <div
      {...props}
      ref={line}
      className={`small break-words ${className}`}
      data-full={full || undefined}
      data-cut={(cut && full !== '') || undefined}
      // A tap focuses the line, which then shows the text in full.
      tabIndex={-1}
      onMouseEnter={measure}
    />
  );
}

function isCut(line: HTMLElement): boolean {
  const text = line.querySelector('ul') ?? line;
  return line.querySelector('[data-elsewhere]') !== null || text.scrollWidth > text.clientWidth;
}

function focusRowOf(button: HTMLElement): void {
  const row = button.closest('[data-row]');
  row?.querySelector<HTMLElement>('td[data-field="title"], [data-card]')?.focus({ preventScroll: true });
}

/** Issues which mean that cells of a line may be in the wrong columns. */
const lineIssues: readonly string[] = ['too-few-cells', 'too-many-cells', 'bad-quote', 'unclosed-quote'];

/** A line with more characters is folded at first. */
const openCharsMax = 240;
/** Width of a cell's border and padding, in characters. */
const frameChars = 3;

/** The cells of a row as in the file. `isRepaired`: unfolds the cells, because values were moved to other columns. */
function CellsInFile({ cells, isRepaired = false }: { cells: readonly string[]; isRepaired?: boolean }) {
  const chars = cells.reduce((sum, cell) => sum + cell.length + frameChars, 0);
  return (
    <details className={`${classes.inFile} above-hair size-xs`} open={isRepaired && chars <= openCharsMax}>
      <summary {...useTabStop()}>Original line ({countOf(cells.length, 'cell')})</summary>
      <ol className="list row-wrap gap-tight" aria-label="Cells as in the file">
        {cells.map((cell, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity
          <li key={at} className="tag break-words" data-empty={cell === '' || undefined} dir="auto">
            {cell === '' ? 'empty' : cell}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** True if the row shows its product's outcome. False for a row with a repeated price, which is not sent. */
export const hasOutcome = ({ outcome, undone, issues }: Row): boolean =>
  (outcome !== null || undone !== undefined) && !issues.some(({ code }) => code === 'price-repeated');

const undoneWords = {
  restored: 'Restored.',
  deleted: 'Deleted.',
  archived: 'Archived.',
} as const satisfies Record<NonNullable<Row['undone']>['effect'], string>;

export function RowOutcome({ row }: { row: Row }) {
  const { outcome, undone } = row;
  const storeUrl = outcome === null ? (undone?.storeUrl ?? null) : outcome.storeUrl;
  const message = outcome === null ? undone && undoneWords[undone.effect] : outcome.message;
  if (!hasOutcome(row)) return null;
  return (
    <div className={`${classes.outcome} relative`}>
      <Group gap={6} wrap="nowrap">
        {outcome === null ? <UndoneBadge /> : <OutcomeBadge outcome={outcome.result} />}
        {storeUrl !== null && <StoreLink url={storeUrl} name={row.values.title ?? ''} />}
      </Group>
      {message && (
        <CutText row={row.row} full={message} className={classes.outcomeMessage}>
          {message}
        </CutText>
      )}
    </div>
  );
}
