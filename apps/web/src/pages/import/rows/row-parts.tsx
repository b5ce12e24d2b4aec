import type { Row } from '@draftshelf/contract/rows';
import type { IgnoredReason } from '@draftshelf/csv/read-table';
import { formatDollars } from '@draftshelf/domain/money';
import { ActionIcon, Anchor, Button, Group, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { OutcomeBadge, RowClassBadge } from '../../../components/import/status-badge.tsx';
import { ReasonedButton } from '../../../components/reasoned-button.tsx';
import { countOf } from '../../../lib/intl.ts';
import classes from '../import.module.css';
import type { InlineField } from './row-edit.ts';
import type { InlineEdit } from './use-inline-edit.ts';

export const fieldLabels: Record<InlineField, string> = {
  title: 'Title',
  price: 'Price',
  vendor: 'Brand',
  upc: 'UPC',
  quantity: 'Quantity',
};

const sourceWords = { edit: 'edited', found: 'filled in' } as const;

type FieldValueProps = {
  row: Row;
  field: InlineField;
  inherited: string | null;
  takeBack: InlineEdit['takeBack'];
};

export function FieldValue({ row, field, inherited, takeBack }: FieldValueProps) {
  const value = row.values[field] ?? '';
  const source = row.sources[field];
  return (
    <>
      {value === '' && inherited !== null && (
        <Text component="span" size="sm" c="dimmed" dir="auto">
          ↳ {inherited}
        </Text>
      )}
      <span dir="auto">{field === 'price' ? formatDollars(value) : value}</span>
      {source !== undefined && (
        <span
          className={classes.source}
          title={
            source === 'found' ? 'Not in the file’s own column; taken from elsewhere in this row.' : undefined
          }
        >
          {sourceWords[source]}
          {source === 'edit' && takeBack !== null && (
            <ActionIcon
              size="xs"
              variant="subtle"
              aria-label={`Undo edit to ${fieldLabels[field]} in row ${row.row}`}
              title="Undo this edit"
              onClick={() => takeBack(field)}
            >
              <IconArrowBackUp size={14} aria-hidden />
            </ActionIcon>
          )}
        </span>
      )}
    </>
  );
}

type EditButtonProps = { row: number; editing: InlineEdit; size: 'compact-sm' | 'sm' };

/** Begins the editing of a row, or ends it. */
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

/** Issues that are about what a value is; the others are about its absence, or the table shows it. */
const valueIssues: readonly string[] = ['upc-check-digit', 'price-not-numeric'];

const ignoredWords: Record<IgnoredReason, string> = {
  'repeated-header': 'repeated header',
  totals: 'totals row',
};

/** What is said of why a row takes no part: a newer server may give a reason that this page does not know. */
function ignoredReason(ignored: string): string {
  return (ignoredWords as Record<string, string>)[ignored] ?? ignored;
}

/** The row's class with its issues, or why it takes no part. */
export function RowState({ row }: { row: Row }) {
  if (row.ignored !== null) return <Text size="xs">Ignored: {ignoredReason(row.ignored)}</Text>;
  return (
    <>
      <RowClassBadge rowClass={row.class} />
      {row.issues.length > 0 && (
        <ul className={classes.issues}>
          {row.issues.map(({ code, field, message }) => (
            <li key={`${code} ${field ?? ''}`}>
              {message}
              {field !== null && valueIssues.includes(code) && (
                <>
                  {' '}
                  <span className={classes.issueValue} dir="auto">
                    {row.values[field]}
                  </span>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {row.cellsAsRead !== null && <CellsInFile cells={row.cellsAsRead} isTold />}
      {row.cellsAsRead === null && row.issues.some(({ code }) => lineIssues.includes(code)) && (
        <CellsInFile cells={row.cells} />
      )}
    </>
  );
}

/** Issues of a line whose cells may stand in other columns than they belong to. */
const lineIssues: readonly string[] = ['too-few-cells', 'too-many-cells', 'bad-quote', 'unclosed-quote'];

/** Cells that take more room than so many characters are folded away at first. */
const openCharsMax = 240;
/** What the frame of a cell takes. */
const frameChars = 3;

/** The cells of a row as they stand in the file, one after the other. `isTold`: the row was changed, and this is why. */
function CellsInFile({ cells, isTold = false }: { cells: readonly string[]; isTold?: boolean }) {
  const chars = cells.reduce((sum, cell) => sum + cell.length + frameChars, 0);
  return (
    <details className={classes.inFile} open={isTold && chars <= openCharsMax}>
      <summary>Original line ({countOf(cells.length, 'cell')})</summary>
      <ol aria-label="Cells as in the file">
        {cells.map((cell, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell's place is what it is
          <li key={at} data-empty={cell === '' || undefined} dir="auto">
            {cell === '' ? 'empty' : cell}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** What became of the row's product in the latest push. */
export function RowOutcome({ row }: { row: Row }) {
  const { outcome } = row;
  if (outcome === null) return null;
  return (
    <div>
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
      {outcome.message !== null && <div className={classes.issues}>{outcome.message}</div>}
    </div>
  );
}
