import type { Row } from '@draftshelf/contract/review/rows';
import { headName, type InlineField } from '@draftshelf/domain/base/field-look';
import { useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { wrongField } from '../cell-marks.ts';
import { openerMark, ProductRowsButton, useOpenProductOf } from '../product/product-buttons.tsx';
import { FieldValue } from './field-value.tsx';
import { FixSheet } from './fix-sheet.tsx';
import { ImageCell } from './image-cell.tsx';
import { requestOf } from './row-edit.ts';
import { hasOutcome, RowClass, RowNotes, RowOutcome, ScannerLink } from './row-notes.tsx';
import classes from './row-table.module.css';
import { type RowEntry, useRowsReview } from './rows-review.ts';
import { CardSort } from './sort-state.tsx';

const factFields = ['price', 'quantity', 'vendor', 'upc'] as const satisfies readonly InlineField[];

export function RowCards({ entries }: { entries: readonly RowEntry[] }) {
  const { ticks } = useRowsReview();
  const sheet = useSheet(entries);
  return (
    <>
      <ul className="stack list gap-6" aria-label="Product rows">
        {entries.map((entry) => (
          <ProductCard key={entry.row.row} entry={entry} />
        ))}
      </ul>
      <CardSort />
      {ticks.rows.size > 0 && (
        <div className={`${classes.pageTick} row size-sm gap-0`}>
          <PageTick />
          <span aria-hidden>All rows of this page</span>
        </div>
      )}
      {sheet.entry !== null && (
        <FixSheet
          entry={sheet.entry}
          opened={sheet.opened}
          isWaiting={sheet.isWaiting}
          onClose={sheet.close}
        />
      )}
    </>
  );
}

/** Follows problems, also to another page. It also opens with what was typed before the window became narrow. */
function useSheet(entries: readonly RowEntry[]) {
  const { drafts, problems } = useRowsReview();
  const [last, setLast] = useState(() => entries.find(({ row }) => drafts.of(row) !== null) ?? null);
  const [opened, setOpened] = useState(last !== null);
  const target = entries.find((entry) => entry.target !== null);
  const onPage = target ?? entries.find(({ row }) => row.row === last?.row.row);
  if (onPage !== undefined && onPage !== last) setLast(onPage);
  if (target !== undefined && !opened) setOpened(true);
  const isSaved = target === undefined && onPage !== undefined && drafts.of(onPage.row) === null;
  if (opened && isSaved && problems.end !== null) setOpened(false);
  return {
    /** While another page loads, the row before it. */
    entry: onPage ?? last,
    isWaiting: onPage === undefined,
    opened,
    close: () => setOpened(false),
  };
}

function ProductCard({ entry }: { entry: RowEntry }) {
  const { row, groupTitle, isFixed } = entry;
  return (
    <li
      className={`panel stack ${classes.card} gap-tight relative`}
      data-row={row.row}
      data-ignored={row.ignored !== null || undefined}
    >
      <CardTarget row={row} />
      <div className={`row ${classes.cardHead} top`}>
        <RowTick row={row} />
        <ImageCell key={row.values.image ?? ''} row={row} />
        <div className="grow">
          <div className={`strong ${classes.cardTitle}`}>
            <FieldValue row={row} field="title" inherited={groupTitle} undoEdit={null} />
          </div>
          <CardFacts row={row} />
        </div>
        <RowClass row={row} isFixed={isFixed} />
      </div>
      <RowNotes entry={entry} />
      <Unsaved row={row} />
      {(hasOutcome(row) || row.ofProduct !== null) && (
        <div className="row-wrap gap-x-xs between">
          <RowOutcome row={row} />
          <ProductRowsButton row={row} roomy />
        </div>
      )}
    </li>
  );
}

function useUnsaved(row: Row): boolean {
  const edit = useRowsReview().drafts.of(row);
  return edit !== null && requestOf(edit) !== null;
}

const Unsaved = ({ row }: { row: Row }) =>
  useUnsaved(row) && <span className="warning size-xs">Not saved</span>;

/** Opens the first wrong field, or all fields. */
function CardTarget({ row }: { row: Row }) {
  const { lock, problems } = useRowsReview();
  const open = useOpenProductOf(row);
  const isUnsaved = useUnsaved(row);
  const field = lock === null ? wrongField(row) : null;
  if (open === null) return null;
  return (
    <button
      type="button"
      className={`${classes.cardTarget} cover`}
      aria-label={`Edit row ${row.row}`}
      data-card
      {...openerMark('dialog', row.row)}
      onClick={() => {
        if (field === null && !isUnsaved) open();
        else problems.edit({ row: row.row, field: field ?? 'title' });
      }}
    />
  );
}

function CardFacts({ row }: { row: Row }) {
  const fields = factFields.filter((field) => field === 'price' || row.values[field]);
  return (
    <dl className={`row-wrap flush ${classes.cardFacts} gap-x-xs size-sm`}>
      <div>
        <dt>Row</dt>
        <dd className="numbers">{formatCount(row.row)}</dd>
      </div>
      {row.scanned && (
        <div>
          <dt>From</dt>
          <dd>
            <ScannerLink row={row} />
          </dd>
        </div>
      )}
      {fields.map((field) => (
        <div key={field} data-field={field}>
          <dt className={field === 'quantity' ? undefined : 'visually-hidden'}>{headName(field)}</dt>
          <dd className="numbers">
            <FieldValue row={row} field={field} inherited={null} undoEdit={null} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** With Shift, also ticks the rows since the last tick. */
export function RowTick({ row: { row, ignored } }: { row: Row }) {
  const { ticks } = useRowsReview();
  if (ignored !== null) return null;
  return (
    <label className={`${classes.tickBox} center-grid`}>
      <input
        type="checkbox"
        aria-label={`Tick row ${formatCount(row)}`}
        checked={ticks.rows.has(row)}
        // A change event does not tell whether Shift was pressed.
        onClick={({ currentTarget, shiftKey }) =>
          ticks.click({ row, isOn: currentTarget.checked, isRange: shiftKey })
        }
        onChange={() => {}}
      />
    </label>
  );
}

export function PageTick() {
  const { ticks } = useRowsReview();
  return (
    <label className={`${classes.tickBox} center-grid`}>
      <input
        type="checkbox"
        aria-label="Tick all rows of this page"
        checked={ticks.ofPage === 'all'}
        ref={(box) => {
          if (box !== null) box.indeterminate = ticks.ofPage === 'some';
        }}
        onChange={({ currentTarget }) => ticks.clickPage(currentTarget.checked)}
      />
    </label>
  );
}
