import { headName, type InlineField } from '@draftshelf/domain/base/field-look';
import { useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { wrongField } from '../cell-marks.ts';
import { ProductRowsButton, useOpenProductOf } from '../product/product-buttons.tsx';
import { openerMark } from '../product/product-dialogs.tsx';
import type { RowTicks } from '../row-ticks.ts';
import { FixSheet } from './fix-sheet.tsx';
import { requestOf } from './row-edit.ts';
import { FieldValue, hasOutcome, RowClass, RowNotes, RowOutcome, ScannerLink } from './row-parts.tsx';
import classes from './rows.module.css';
import { Thumbnail } from './thumbnail.tsx';
import { PageTick, RowTick } from './tick-boxes.tsx';
import type { ProductRowProps } from './use-inline-edit.ts';
import type { Direction } from './use-problems.ts';

/** In the order of a card's line of facts. */
const factFields = ['price', 'quantity', 'vendor', 'upc'] as const satisfies readonly InlineField[];

type RowCardsProps = {
  entries: readonly ProductRowProps[];
  ticks: RowTicks;
  /** There is no further problem in this direction. */
  end: Direction | null;
};

/** The rows of a page as cards, for screens that are too narrow for the table, and the sheet that fixes one of them. */
export function RowCards({ entries, ticks, end }: RowCardsProps) {
  const sheet = useSheet(entries, end);
  return (
    <>
      <ul className={classes.rowCards} aria-label="Product rows">
        {entries.map((entry) => (
          <ProductCard key={entry.row.row} {...entry} ticks={ticks} />
        ))}
      </ul>
      {ticks.rows.size > 0 && (
        <div className={classes.pageTick}>
          <PageTick ticks={ticks} />
          <span aria-hidden>All rows of this page</span>
        </div>
      )}
      {sheet.entry !== null && (
        <FixSheet
          entry={sheet.entry}
          opened={sheet.opened}
          isWaiting={sheet.isWaiting}
          end={end}
          onClose={sheet.close}
        />
      )}
    </>
  );
}

/**
 * The row in the sheet. It opens when a row is to be edited, follows from problem to problem, also to another page, and
 * closes after the last one. It also opens with what was typed before the window became narrow.
 */
function useSheet(entries: readonly ProductRowProps[], end: Direction | null) {
  const [shown, setShown] = useState(() => entries.find(({ edit }) => edit !== null) ?? null);
  const [opened, setOpened] = useState(shown !== null);
  const target = entries.find((entry) => entry.target !== null);
  const here = target ?? entries.find(({ row }) => row.row === shown?.row.row);
  if (here !== undefined && here !== shown) setShown(here);
  if (target !== undefined && !opened) setOpened(true);
  const isSaved = target === undefined && here?.edit === null;
  if (opened && isSaved && end !== null) setOpened(false);
  return {
    /** While another page loads, the row before it. */
    entry: here ?? shown,
    isWaiting: here === undefined,
    opened,
    close: () => setOpened(false),
  };
}

function ProductCard({ ticks, ...props }: ProductRowProps & Pick<RowCardsProps, 'ticks'>) {
  const { row, groupTitle, isFixed, edit } = props;
  const open = useOpenProductOf(row);
  const field = props.lock === null ? wrongField(row) : null;
  const isUnsaved = edit !== null && requestOf(edit) !== null;
  return (
    <li
      className={`panel ${classes.card}`}
      data-row={row.row}
      data-ignored={row.ignored !== null || undefined}
    >
      {open !== null && (
        <button
          type="button"
          className={classes.cardTarget}
          aria-label={`Edit row ${row.row}`}
          data-card
          {...openerMark('dialog', row.row)}
          onClick={() => {
            if (field === null && !isUnsaved) open();
            else props.onFix({ row: row.row, field: field ?? 'title' });
          }}
        />
      )}
      <div className={classes.cardHead}>
        <RowTick row={row} ticks={ticks} />
        <Thumbnail key={row.values.image ?? ''} row={row} />
        <div className={classes.cardMain}>
          <div className={classes.cardTitle}>
            <FieldValue row={row} field="title" inherited={groupTitle} undoEdit={null} />
          </div>
          <dl className={classes.cardFacts}>
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
            <CardFacts row={row} />
          </dl>
        </div>
        <RowClass row={row} isFixed={isFixed} />
      </div>
      <RowNotes {...props} />
      {isUnsaved && <span className={classes.unsaved}>Not saved</span>}
      {(hasOutcome(row) || row.ofProduct !== null) && (
        <div className={classes.cardFoot}>
          <RowOutcome row={row} />
          <ProductRowsButton row={row} roomy />
        </div>
      )}
    </li>
  );
}

function CardFacts({ row }: Pick<ProductRowProps, 'row'>) {
  return factFields
    .filter((field) => field === 'price' || row.values[field])
    .map((field) => (
      <div key={field} data-field={field}>
        <dt className={field === 'quantity' ? undefined : 'visually-hidden'}>{headName(field)}</dt>
        <dd className="numbers">
          <FieldValue row={row} field={field} inherited={null} undoEdit={null} />
        </dd>
      </div>
    ));
}
