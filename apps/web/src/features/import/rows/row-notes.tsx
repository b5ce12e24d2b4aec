import type { Row } from '@draftshelf/contract/review/rows';
import type { IgnoredReason } from '@draftshelf/csv/read-table';
import { issueFixes } from '@draftshelf/domain/review/issue-fixes';
import { Anchor, Group, Text, UnstyledButton } from '@mantine/core';
import { IconCheck, IconFiles, IconPencil, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { scannedPath } from '../../../lib/paths.ts';
import { ActionIcon } from '../../../ui/button.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { SmallText } from '../../../ui/text.tsx';
import { classReason, problemsFirst } from '../cell-marks.ts';
import { LeftOutMark, OtherImport } from '../issue-text.tsx';
import { StoreLink } from '../notice.tsx';
import { LeaveOutButton } from '../product/product-buttons.tsx';
import { OutcomeBadge, RowClassIcon, UndoneBadge } from '../status/status-look.tsx';
import classes from './row-table.module.css';
import { type RowEntry, useRowsReview } from './rows-review.ts';
import type { InlineEdit } from './use-inline-edit.ts';

export function ScannerLink({ row }: { row: Row }) {
  if (!row.scanned) return null;
  const { productId } = row.scanned;
  if (productId === null) return <>Scanner</>;
  return (
    <Anchor component={Link} to={scannedPath(productId)} inherit underline="always">
      Scanner
    </Anchor>
  );
}

type EditButtonProps = { row: number; editing: InlineEdit };

export function EditButtons({ row, editing }: EditButtonProps) {
  if (editing.draft === null) {
    const pencil = (
      <ActionIcon
        // Else React would make its element the 'Save' button, out of the order of Tab.
        key="edit"
        size={28}
        variant="subtle"
        color="gray"
        className={classes.pencil}
        title={editing.reason === null ? 'Edit' : undefined}
        aria-label={`Edit row ${row}`}
        aria-disabled={editing.reason !== null || undefined}
        data-disabled={editing.reason !== null || undefined}
        data-pencil
        onClick={editing.beginAtPencil}
      >
        <IconPencil size={16} aria-hidden />
      </ActionIcon>
    );
    return editing.reason === null ? pencil : <Hint text={editing.reason}>{pencil}</Hint>;
  }
  return (
    <>
      <ActionIcon size={28} title="Save" aria-label="Save" loading={editing.saving} onClick={editing.save}>
        <IconCheck size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon size={28} variant="default" title="Cancel" aria-label="Cancel" onClick={editing.leave}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
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

/** A newer server may send a reason that this page does not know. */
function ignoredReason(ignored: string): string {
  return (ignoredWords as Record<string, string>)[ignored] ?? ignored;
}

export function RowClass({ row, isFixed }: Pick<RowEntry, 'row' | 'isFixed'>) {
  if (row.ignored !== null) return null;
  if (row.class !== 'valid') return <RowClassIcon rowClass={row.class} reason={classReason(row)} />;
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
            // Apart from the sentences, which may be cut.
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
          // The row stays where it is, also if it leaves the filter.
          heldRows.keep(row, false);
          focusRowOf(button);
        }}
      />
    </span>
  );
}

function Sentences({ row, isFixed, elsewhere }: RowEntry) {
  const { lock, bulkEdit } = useRowsReview();
  const issues = problemsFirst(row.issues);
  const sentences = [...issues.map(({ message }) => message), ...(elsewhere === null ? [] : [elsewhere])];
  if (sentences.length === 0 && !isFixed) return null;
  return (
    // Takes the focus of a tap, so that it is shown in full as in a focused row.
    <div
      className={`row gap-tight small break-words ${classes.notes}`}
      data-notes
      data-full={sentences.join(' ') || undefined}
      tabIndex={-1}
    >
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
        fixesOf(row).map(({ code, label }) => (
          <UnstyledButton
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
    </div>
  );
}

const fixesOf = ({ issues }: Row) =>
  issueFixes.filter(({ code }) => issues.some((issue) => issue.code === code));

function focusRowOf(button: HTMLElement): void {
  const row = button.closest('[data-row]');
  row?.querySelector<HTMLElement>('td[data-field="title"], [data-card]')?.focus({ preventScroll: true });
}

/** Issues of a line whose cells may be in the wrong columns. */
const lineIssues: readonly string[] = ['too-few-cells', 'too-many-cells', 'bad-quote', 'unclosed-quote'];

/** Longer lines are collapsed at first. */
const openCharsMax = 240;
/** The width of a cell's border and padding, in characters. */
const frameChars = 3;

/** `isRepaired`: the values were realigned, so the original is open at first. */
function CellsInFile({ cells, isRepaired = false }: { cells: readonly string[]; isRepaired?: boolean }) {
  const chars = cells.reduce((sum, cell) => sum + cell.length + frameChars, 0);
  return (
    <details className={`${classes.inFile} above-hair size-xs`} open={isRepaired && chars <= openCharsMax}>
      <summary>Original line ({countOf(cells.length, 'cell')})</summary>
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

/** A row that is not sent shows no outcome of its product. */
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
        <div className={`small break-words ${classes.outcomeMessage}`} data-full={message} tabIndex={-1}>
          {message}
        </div>
      )}
    </div>
  );
}
