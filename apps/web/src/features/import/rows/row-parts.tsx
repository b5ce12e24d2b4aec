import type { Row } from '@draftshelf/contract/review/rows';
import type { IgnoredReason } from '@draftshelf/csv/read-table';
import { fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import type { InlineField } from '@draftshelf/domain/base/field-look';
import { issueFixes } from '@draftshelf/domain/review/issue-fixes';
import { Anchor, Group, Text, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconFiles, IconPencil, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { scannedPath } from '../../../lib/paths.ts';
import { rememberStore } from '../../../lib/seen-steps.ts';
import { ActionIcon } from '../../../ui/button.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { later } from '../../../ui/later.tsx';
import { type CellMark, markOf, problemsFirst } from '../cell-marks.ts';
import { OtherImport } from '../cells/issue-text.tsx';
import { LeftOutMark } from '../cells/left-out-mark.tsx';
import { OutcomeBadge, RowClassIcon, UndoneBadge } from '../cells/status-badge.tsx';
import { foundWords } from '../lookups/lookup-words.ts';
import { shownPrice } from '../prices/shown-price.ts';
import classes from './rows.module.css';
import { shownValue } from './shown-value.ts';
import type { InlineEdit, ProductRowProps } from './use-inline-edit.ts';

const LeaveOutButton = later(() =>
  import('../product/leave-out-button.tsx').then((chunk) => chunk.LeaveOutButton),
);

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
  /** Null shows no button that undoes an edit. */
  undoEdit: InlineEdit['undoEdit'];
  /** Puts the value into a control. */
  wrap?: (value: ReactNode) => ReactNode;
};

/** A cell's value. A wrong one is marked and shows what the file says. */
export function FieldValue({ row, field, inherited, undoEdit, wrap = unchanged }: FieldValueProps) {
  const value = row.values[field] ?? '';
  const mark = markOf(row, field);
  const isInherited = value === '' && inherited !== null;
  return (
    <span className={classes.value}>
      {wrap(
        <>
          {isInherited && (
            <Text component="span" size="sm" c="dimmed" dir="auto" className={classes.text}>
              ↳ {variantWords(row)}
              {inherited}
            </Text>
          )}
          {mark === null || (isInherited && mark.kind === 'missing') ? (
            !isInherited && (
              <span dir="auto" className={classes.text} title={value}>
                {shownValue(field, value, row.values.currency)}
              </span>
            )
          ) : (
            <Marked
              mark={mark}
              value={value}
              price={field === 'price' ? shownPrice(value, row.values.currency) : null}
            />
          )}
        </>,
      )}
      <Source row={row} field={field} undoEdit={undoEdit} />
    </span>
  );
}

const unchanged = (value: ReactNode) => value;

/** 'Matte Black · ' of a row that has its title from another one, so that variants can be told apart. */
function variantWords({ values }: Row): string {
  const { option1Value, option2Value, option3Value } = values;
  return [option1Value, option2Value, option3Value].map((value) => (value ? `${value} · ` : '')).join('');
}

/** A wrong value. A price that cannot be used, or is not needed, is also shown as others are: `price`. */
function Marked({ mark, value, price }: { mark: CellMark; value: string; price: string | null }) {
  const { kind, sentence } = mark;
  const isUnusable = price !== null && kind !== 'note';
  return (
    <>
      {kind !== 'unneeded' && (
        <span dir="auto" className={classes.mark} data-mark={kind} title={sentence}>
          {kind === 'missing' ? 'Missing' : isUnusable ? value : (price ?? value)}
        </span>
      )}
      {isUnusable && (
        <span className={classes.asShown} title={sentence}>
          {price}
        </span>
      )}
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
          aria-label={`Undo edit to ${fieldSpecs[field].label} in row ${row.row}`}
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

type EditButtonProps = { row: number; editing: InlineEdit };

/** The button that starts the edit of a row, or those that save and cancel it. */
export function EditButtons({ row, editing }: EditButtonProps) {
  if (editing.draft === null) {
    const pencil = (
      <ActionIcon
        // Else its element would become the one of 'Save', out of the order of Tab.
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

type RowNotesProps = Pick<
  ProductRowProps,
  'importId' | 'row' | 'lock' | 'isFixed' | 'elsewhere' | 'onSaved' | 'onFixIssue'
>;

/** The class of a row as an icon; nothing for an ignored row. */
export function RowClass({ row, isFixed }: Pick<ProductRowProps, 'row' | 'isFixed'>) {
  if (row.ignored !== null) return null;
  if (row.class !== 'valid') return <RowClassIcon rowClass={row.class} />;
  return (
    <span className={classes.tick} data-fixed={isFixed || undefined} title="Valid">
      <IconCheck size={16} aria-hidden />
      <span className="visually-hidden">Valid</span>
    </span>
  );
}

/**
 * The sentences about a row, or the reason for ignoring it. In the table they have one line; where they are cut, the
 * row that has the focus shows them in full.
 */
export function RowNotes({ importId, row, lock, isFixed, elsewhere, onSaved, onFixIssue }: RowNotesProps) {
  if (row.ignored !== null) return <Text size="xs">Ignored: {ignoredReason(row.ignored)}</Text>;
  const issues = problemsFirst(row.issues);
  const sentences = [...issues.map(({ message }) => message), ...(elsewhere === null ? [] : [elsewhere])];
  return (
    <>
      {row.leftOut && (
        <span className={classes.leftOut}>
          <LeftOutMark />
          <LeaveOutButton
            {...{ importId, row, lock }}
            size="compact-xs"
            onPress={(button) => {
              // The row stays where it is, also if it leaves the filter.
              onSaved(row, false);
              focusRowOf(button);
            }}
          />
        </span>
      )}
      {(sentences.length > 0 || isFixed) && (
        // Takes the focus of a tap, so that it is shown in full as in a focused row.
        <div className={classes.notes} data-full={sentences.join(' ') || undefined} tabIndex={-1}>
          {isFixed && row.class === 'valid' && (
            <span className={classes.fixed}>
              <IconCheck size={14} aria-hidden /> Fixed
            </span>
          )}
          {issues.length > 0 && (
            <ul className={classes.issues} title={sentences.join(' ')}>
              {issues.map(({ code, field, message }) => (
                <li key={`${code} ${field ?? ''}`}>{message}</li>
              ))}
            </ul>
          )}
          {lock === null &&
            fixesOf(row).map(({ code, label }) => (
              <UnstyledButton
                key={code}
                className={classes.fix}
                aria-label={`${label} in row ${row.row}`}
                data-fixes
                onClick={() => onFixIssue(row.row, code)}
              >
                {label}
              </UnstyledButton>
            ))}
          {elsewhere !== null && (
            <span className={classes.elsewhere} title={elsewhere} data-elsewhere>
              <IconFiles size={14} aria-hidden />
              <span className="visually-hidden">{elsewhere}</span>
            </span>
          )}
        </div>
      )}
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

const fixesOf = ({ issues }: Row) =>
  issueFixes.filter(({ code }) => issues.some((issue) => issue.code === code));

/** Focuses the title of the row that a button is in, or its card. */
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

/** Whether a row has an outcome to show. That of its product is not that of a row that is not sent. */
export const hasOutcome = ({ outcome, undone, issues }: Row): boolean =>
  (outcome !== null || undone !== undefined) && !issues.some(({ code }) => code === 'price-repeated');

const undoneWords = {
  restored: 'Restored.',
  deleted: 'Deleted.',
  archived: 'Archived.',
} as const satisfies Record<NonNullable<Row['undone']>['effect'], string>;

/** The outcome of the row's product in the latest push, or that its push was undone. */
export function RowOutcome({ row }: { row: Row }) {
  const { outcome, undone } = row;
  const storeUrl = outcome === null ? (undone?.storeUrl ?? null) : outcome.storeUrl;
  const message = outcome === null ? undone && undoneWords[undone.effect] : outcome.message;
  if (!hasOutcome(row)) return null;
  return (
    <div className={classes.outcome}>
      <Group gap={6} wrap="nowrap">
        {outcome === null ? <UndoneBadge /> : <OutcomeBadge outcome={outcome.result} />}
        {storeUrl !== null && (
          <Anchor
            href={storeUrl}
            target="_blank"
            rel="noreferrer"
            size="sm"
            aria-label={`View ${row.values.title ?? ''} in the store`}
            onClick={rememberStore}
          >
            View
          </Anchor>
        )}
      </Group>
      {message && (
        <div className={classes.outcomeMessage} title={message} data-full={message} tabIndex={-1}>
          {message}
        </div>
      )}
    </div>
  );
}
