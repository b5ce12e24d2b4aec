import { Text, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import classes from '../import.module.css';
import { ImageCell } from './image-cell.tsx';
import { type InlineField, inlineFields } from './row-edit.ts';
import { EditButtons, EditFailure, FieldValue, fieldLabels, RowOutcome, RowState } from './row-parts.tsx';
import { type InlineEdit, type ProductRowProps, useInlineEdit } from './use-inline-edit.ts';

/** One row of the preview as a card, for screens that are too narrow for the table. */
export function ProductCard(props: ProductRowProps) {
  const { row, groupTitle } = props;
  const editing = useInlineEdit(props);
  const { draft } = editing;
  return (
    <li
      className={`panel ${classes.card}`}
      data-ignored={row.ignored !== null || undefined}
      onKeyDown={editing.onKeyDown}
    >
      <div className={classes.cardHead}>
        <ImageCell key={row.values.image ?? ''} row={row} />
        <div className={classes.cardTitle}>
          {draft === null && (
            <Text component="div" fw={550}>
              <FieldValue row={row} field="title" inherited={groupTitle} undoEdit={editing.undoEdit} />
            </Text>
          )}
          <Text size="xs" c="dimmed" className="numbers">
            Row {formatCount(row.row)}
          </Text>
        </div>
        {draft === null && <EditButtons row={row.row} editing={editing} size="sm" />}
      </div>
      {draft === null ? (
        <dl className={classes.cardFacts}>
          {inlineFields
            .filter((field) => field !== 'title')
            .map((field) => (
              <div key={field}>
                <dt>{fieldLabels[field]}</dt>
                <dd className="numbers">
                  {row.values[field] || field === 'price' ? (
                    <FieldValue row={row} field={field} inherited={null} undoEdit={editing.undoEdit} />
                  ) : (
                    '–'
                  )}
                </dd>
              </div>
            ))}
        </dl>
      ) : (
        <CardForm row={row.row} draft={draft} editing={editing} />
      )}
      <EditFailure editing={editing} />
      <div>
        <RowState row={row} />
      </div>
      <RowOutcome row={row} />
    </li>
  );
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
          value={draft[field]}
          autoFocus={field === 'title'}
          onChange={(event) => editing.setDraft({ ...draft, [field]: event.currentTarget.value })}
        />
      ))}
      <div className={`${classes.cardWide} ${classes.cardActions}`}>
        <EditButtons row={row} editing={editing} size="sm" />
      </div>
    </div>
  );
}
