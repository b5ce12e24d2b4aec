import type { Row } from '@draftshelf/contract/rows';
import type { IgnoredReason } from '@draftshelf/csv/read-table';
import { formatDollars } from '@draftshelf/domain/money';
import { Anchor, Group, Text, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconFiles } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ActionIcon, Button } from '../../../components/button.tsx';
import { Hint } from '../../../components/hint.tsx';
import { OtherImport } from '../../../components/import/issue-text.tsx';
import { OutcomeBadge, RowClassIcon } from '../../../components/import/status-badge.tsx';
import { foundWords } from '../../../components/lookups/lookup-words.ts';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { scannedPath } from '../../../lib/paths.ts';
import { type CellMark, markOf, problemsFirst } from './cell-marks.ts';
import { fieldLabels, type InlineField } from './row-edit.ts';
import classes from './rows.module.css';
import type { InlineEdit, ProductRowProps } from './use-inline-edit.ts';

const sourceWords = { edit: 'edited' } as const;

/** For a row that was added from the scanner: 'Scanner', with a link to the product if it is still there. */
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

type FieldValueProps = {
  row: Row;
  field: InlineField;
  inherited: string | null;
  undoEdit: InlineEdit['undoEdit'];
};

/** A cell's value. A wrong one is marked and shows what the file says. */
export function FieldValue({ row, field, inherited, undoEdit }: FieldValueProps) {
  const value = row.values[field] ?? '';
  const mark = markOf(row, field);
  const isInherited = value === '' && inherited !== null;
  const isPrice = field === 'price';
  return (
    <span className={classes.value}>
      {isInherited && (
        <Text component="span" size="sm" c="dimmed" dir="auto" className={classes.text}>
          ↳ {inherited}
        </Text>
      )}
      {mark === null || (isInherited && mark.kind === 'missing') ? (
        !isInherited && (
          <span dir="auto" className={classes.text} title={value}>
            {shownValue(field, value)}
          </span>
        )
      ) : (
        <Marked mark={mark} value={value} isPrice={isPrice} />
      )}
      <Source row={row} field={field} undoEdit={undoEdit} />
    </span>
  );
}

/** A value as its cell shows it. The specification fixes the form of prices, which has no groups of digits. */
function shownValue(field: InlineField, value: string): string {
  if (field === 'price') return formatDollars(value);
  return field === 'quantity' && /^\d{1,15}$/.test(value) ? formatCount(Number(value)) : value;
}

/** A wrong value. A price that cannot be used is also shown as the specification shows it. */
function Marked({ mark, value, isPrice }: { mark: CellMark; value: string; isPrice: boolean }) {
  const isUnusable = isPrice && mark.kind !== 'note';
  return (
    <>
      <span dir="auto" className={classes.mark} data-mark={mark.kind} title={mark.sentence}>
        {mark.kind === 'missing' ? 'Missing' : isPrice && !isUnusable ? formatDollars(value) : value}
      </span>
      {isUnusable && <span className={classes.asShown}>{formatDollars(value)}</span>}
    </>
  );
}

function Source({ row, field, undoEdit }: Omit<FieldValueProps, 'inherited'>) {
  const source = row.sources[field];
  if (source === undefined) return null;
  return (
    <span className={classes.source}>
      {source === 'found' ? <FoundSource row={row} field={field} /> : sourceWords[source]}
      {source === 'edit' && undoEdit !== null && (
        <ActionIcon
          size="sm"
          variant="subtle"
          className={classes.undo}
          aria-label={`Undo edit to ${fieldLabels[field]} in row ${row.row}`}
          title="Undo this edit"
          onClick={() => undoEdit(field)}
        >
          <IconArrowBackUp size={14} aria-hidden />
        </ActionIcon>
      )}
    </span>
  );
}

/** 'filled in', with the source, time and licence of the value on hover, focus and touch. */
function FoundSource({ row, field }: { row: Row; field: string }) {
  const words = foundWords(row, field);
  return (
    <Hint text={words}>
      <UnstyledButton style={{ font: 'inherit' }} aria-label={`Filled in. ${words}`}>
        filled in
      </UnstyledButton>
    </Hint>
  );
}

type EditButtonProps = { row: number; editing: InlineEdit; size: 'compact-sm' | 'sm' };

/** The buttons that start, save and cancel the edit of a row. */
export function EditButtons({ row, editing, size }: EditButtonProps) {
  if (editing.draft === null) {
    return (
      <ReasonedButton
        size={size}
        variant="default"
        reason={editing.reason}
        aria-label={`Edit row ${row}`}
        ref={editing.focusOnReturn}
        onClick={editing.begin}
      >
        Edit
      </ReasonedButton>
    );
  }
  return (
    <>
      <Button size={size} loading={editing.saving} onClick={editing.save}>
        Save
      </Button>
      <Button size={size} variant="default" onClick={editing.leave}>
        Cancel
      </Button>
    </>
  );
}

export function EditFailure({ editing }: { editing: InlineEdit }) {
  if (editing.failure === null) return null;
  return (
    <Text size="xs" c="var(--mantine-color-error)" role="alert" className={classes.failure}>
      Couldn’t save: {editing.failure}
    </Text>
  );
}

const ignoredWords: Record<IgnoredReason, string> = {
  'repeated-header': 'repeated header',
  totals: 'totals row',
};

/** The reason for ignoring a row. A newer server may send a reason that this page does not know. */
function ignoredReason(ignored: string): string {
  return (ignoredWords as Record<string, string>)[ignored] ?? ignored;
}

type RowStateProps = Pick<ProductRowProps, 'row' | 'isFixed' | 'elsewhere'>;

/**
 * The row's class and issues, or the reason for ignoring it. A valid row has only a quiet tick. Sentences that do not
 * fit are shown in full while the row has the focus.
 */
export function RowState({ row, isFixed, elsewhere }: RowStateProps) {
  if (row.ignored !== null) return <Text size="xs">Ignored: {ignoredReason(row.ignored)}</Text>;
  const issues = problemsFirst(row.issues);
  const sentences = issues.map(({ message }) => message).join(' ');
  return (
    <>
      <div className={classes.state}>
        {row.class === 'valid' ? <Tick isFixed={isFixed} /> : <RowClassIcon rowClass={row.class} />}
        {elsewhere !== null && (
          <span className={classes.elsewhere} title={elsewhere}>
            <IconFiles size={16} aria-hidden />
            <span className="visually-hidden">{elsewhere}</span>
          </span>
        )}
        {issues.length > 0 && (
          // Takes the focus of a tap, so that it is shown in full as in a focused row.
          <ul className={classes.issues} title={sentences} data-full={sentences} tabIndex={-1}>
            {issues.map(({ code, field, message }) => (
              <li key={`${code} ${field ?? ''}`}>{message}</li>
            ))}
          </ul>
        )}
      </div>
      {row.issues.map(
        (issue) =>
          issue.other && (
            // Apart from the sentences, which may be cut.
            <Text key={issue.code} size="xs" c="dimmed">
              <OtherImport issue={issue} />
            </Text>
          ),
      )}
      {row.cellsAsRead !== null && <CellsInFile cells={row.cellsAsRead} isRepaired />}
      {row.cellsAsRead === null && row.issues.some(({ code }) => lineIssues.includes(code)) && (
        <CellsInFile cells={row.cells} />
      )}
    </>
  );
}

function Tick({ isFixed }: { isFixed: boolean }) {
  return (
    <span className={classes.tick} data-fixed={isFixed || undefined}>
      <IconCheck size={16} aria-hidden />
      {isFixed && 'Fixed'}
      <span className="visually-hidden">Valid</span>
    </span>
  );
}

/** Issues of a line whose cells may be in the wrong columns. */
const lineIssues: readonly string[] = ['too-few-cells', 'too-many-cells', 'bad-quote', 'unclosed-quote'];

/** Longer lines are collapsed at first. */
const openCharsMax = 240;
/** The width of a cell's border and padding, in characters. */
const frameChars = 3;

/** The original cells of a row. `isRepaired`: the values were realigned, so the original is open at first. */
function CellsInFile({ cells, isRepaired = false }: { cells: readonly string[]; isRepaired?: boolean }) {
  const chars = cells.reduce((sum, cell) => sum + cell.length + frameChars, 0);
  return (
    <details className={classes.inFile} open={isRepaired && chars <= openCharsMax}>
      <summary>Original line ({countOf(cells.length, 'cell')})</summary>
      <ol aria-label="Cells as in the file">
        {cells.map((cell, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other identity
          <li key={at} data-empty={cell === '' || undefined} dir="auto">
            {cell === '' ? 'empty' : cell}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** The outcome of the row's product in the latest push. */
export function RowOutcome({ row }: { row: Row }) {
  const { outcome } = row;
  if (outcome === null) return null;
  return (
    <div className={classes.outcome}>
      <Group gap={6} wrap="nowrap">
        <OutcomeBadge outcome={outcome.result} />
        {outcome.storeUrl !== null && (
          <Anchor
            href={outcome.storeUrl}
            target="_blank"
            rel="noreferrer"
            size="sm"
            aria-label={`View ${row.values.title ?? ''} in the store`}
          >
            View
          </Anchor>
        )}
      </Group>
      {outcome.message !== null && (
        <div
          className={classes.outcomeMessage}
          title={outcome.message}
          data-full={outcome.message}
          tabIndex={-1}
        >
          {outcome.message}
        </div>
      )}
    </div>
  );
}
