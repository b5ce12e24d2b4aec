import { TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { AllFieldsButton, ProductRowsButton } from '../../../components/product-dialog/product-buttons.tsx';
import { formatCount } from '../../../lib/intl.ts';
import { ImageCell } from './image-cell.tsx';
import { fieldLabels, type InlineField, inlineFields } from './row-edit.ts';
import { EditButtons, EditFailure, FieldValue, RowOutcome, RowState, ScannerLink } from './row-parts.tsx';
import classes from './rows.module.css';
import { type InlineEdit, type ProductRowProps, useInlineEdit } from './use-inline-edit.ts';

/** In the order of a card's line of facts. */
const factFields = ['price', 'quantity', 'vendor', 'upc'] as const satisfies readonly InlineField[];

/** The rows of a page as cards, for screens that are too narrow for the table. */
export function RowCards({ entries }: { entries: readonly ProductRowProps[] }) {
  return (
    <ul className={classes.rowCards} aria-label="Product rows">
      {entries.map((entry) => (
        <ProductCard key={entry.row.row} {...entry} />
      ))}
    </ul>
  );
}

function ProductCard(props: ProductRowProps) {
  const { row, groupTitle, isFixed, elsewhere } = props;
  const editing = useInlineEdit(props);
  const { draft } = editing;
  return (
    <li
      ref={(element) => {
        editing.element.current = element;
      }}
      className={`panel ${classes.card}`}
      data-row={row.row}
      data-ignored={row.ignored !== null || undefined}
      onKeyDown={editing.onKeyDown}
    >
      <div className={classes.cardHead}>
        <ImageCell key={row.values.image ?? ''} row={row} />
        <div className={classes.cardMain}>
          {draft === null && (
            <div className={classes.cardTitle}>
              <FieldValue row={row} field="title" inherited={groupTitle} undoEdit={editing.undoEdit} />
            </div>
          )}
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
            {draft === null && <CardFacts row={row} editing={editing} />}
          </dl>
          {draft === null && <RowState row={row} isFixed={isFixed} elsewhere={elsewhere} />}
        </div>
        {draft === null && <EditButtons row={row.row} editing={editing} size="sm" />}
        {draft === null && <AllFieldsButton row={row} />}
      </div>
      {draft !== null && <CardForm row={row.row} draft={draft} editing={editing} />}
      {draft !== null && <RowState row={row} isFixed={isFixed} elsewhere={elsewhere} />}
      <EditFailure editing={editing} />
      {(row.outcome !== null || row.ofProduct !== null) && (
        <div className={classes.cardFoot}>
          <RowOutcome row={row} />
          {draft === null && <ProductRowsButton row={row} roomy />}
        </div>
      )}
    </li>
  );
}

function CardFacts({ row, editing }: { row: ProductRowProps['row']; editing: InlineEdit }) {
  return factFields
    .filter((field) => field === 'price' || row.values[field])
    .map((field) => (
      <div key={field} data-field={field}>
        <dt className={field === 'quantity' ? undefined : 'visually-hidden'}>
          {field === 'quantity' ? 'Qty' : fieldLabels[field]}
        </dt>
        <dd className="numbers">
          <FieldValue row={row} field={field} inherited={null} undoEdit={editing.undoEdit} />
        </dd>
      </div>
    ));
}

type CardFormProps = { row: number; draft: Record<InlineField, string>; editing: InlineEdit };

function CardForm({ row, draft, editing }: CardFormProps) {
  const form = useRef<HTMLDivElement>(null);
  // The fields make the card taller. Keep Save from being covered by the screen's actions.
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={form} className={classes.cardForm}>
      {inlineFields.map((field) => (
        <TextInput
          key={field}
          className={field === 'title' ? classes.cardWide : undefined}
          label={fieldLabels[field]}
          aria-label={`${fieldLabels[field]} of row ${row}`}
          data-field={field}
          enterKeyHint="next"
          value={draft[field]}
          onChange={(event) => editing.setDraft({ ...draft, [field]: event.currentTarget.value })}
        />
      ))}
      <div className={`${classes.cardWide} ${classes.cardActions}`}>
        <EditButtons row={row} editing={editing} size="sm" />
      </div>
    </div>
  );
}
