import type { Row } from '@draftshelf/contract/rows';
import { formatDollars } from '@draftshelf/domain/money';
import { ActionIcon, Anchor, Button, Group, Table, Text, TextInput } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useRowEdit } from '../../data/rows.ts';
import { OutcomeBadge, RowClassBadge } from '../../ui/badges.tsx';
import { formatCount } from '../../ui/format.ts';
import { ReasonedButton } from '../../ui/reasoned-button.tsx';
import { ImageCell } from './image-cell.tsx';
import classes from './job.module.css';
import {
  changesOf,
  draftOf,
  editedValues,
  type InlineField,
  inlineFields,
  type RowDraft,
} from './row-edit.ts';

const fieldLabels: Record<InlineField, string> = {
  title: 'Title',
  price: 'Price',
  vendor: 'Brand',
  upc: 'UPC',
  quantity: 'Quantity',
};

type ProductRowProps = {
  importId: string;
  row: Row;
  /** The first row of its product: it holds what the product has once. */
  firstOfProduct: Row;
  /** Why no row can be edited now; null when it can. */
  lock: string | null;
  /** The title that the row has from its group, where it has none of its own (decision P7). */
  groupTitle: string | null;
  /** Whether the import is polled, so that its counts follow by themselves. */
  polled: boolean;
};

/** One row of the preview: read, or edited in place. */
export function ProductRow({ importId, row, firstOfProduct, groupTitle, lock, polled }: ProductRowProps) {
  const { draft, begin, setDraft, edit, save, takeBack, leave, onKeyDown, focusOnReturn } = useInlineEdit(
    importId,
    row.row,
    editedValues(row.values, firstOfProduct.values),
    polled,
  );
  const reason = row.ignored === null ? lock : 'This row takes no part, so there is nothing to edit.';
  return (
    <Table.Tr onKeyDown={onKeyDown} c={row.ignored === null ? undefined : 'dimmed'}>
      <Table.Td className={classes.number} title={`Line ${formatCount(row.line)} of the file`}>
        {formatCount(row.row)}
      </Table.Td>
      <Table.Td>
        <ImageCell key={row.values.image ?? ''} values={row.values} title={row.values.title ?? ''} />
      </Table.Td>
      {inlineFields.map((field) => (
        <Table.Td key={field} className={cellClass(field)}>
          {draft === null ? (
            <FieldValue
              row={row}
              field={field}
              inherited={field === 'title' ? groupTitle : null}
              onTakeBack={reason === null && !edit.isPending ? () => takeBack(field) : null}
            />
          ) : (
            <FieldInput row={row.row} field={field} draft={draft} onDraft={setDraft} />
          )}
        </Table.Td>
      ))}
      <Table.Td>
        <RowState row={row} />
      </Table.Td>
      <Table.Td>
        {row.outcome !== null && <RowOutcome outcome={row.outcome} title={row.values.title ?? ''} />}
      </Table.Td>
      <Table.Td>
        <div className={classes.rowActions}>
          {draft === null ? (
            <ReasonedButton
              size="compact-sm"
              variant="default"
              reason={reason}
              aria-label={`Edit row ${row.row}`}
              ref={focusOnReturn}
              onClick={begin}
            >
              Edit
            </ReasonedButton>
          ) : (
            <SaveOrCancel saving={edit.isPending} onSave={save} onCancel={leave} />
          )}
        </div>
        {edit.isError && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert" maw={220}>
            Not saved: {edit.error.message}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** The editing of one row; afterwards the focus goes back to where it was begun. */
function useInlineEdit(importId: string, row: number, values: Record<string, string>, polled: boolean) {
  const [draft, setDraft] = useState<RowDraft | null>(null);
  const edit = useRowEdit(importId, polled);
  const returning = useRef(false);
  const leave = () => {
    returning.current = true;
    setDraft(null);
    edit.reset();
  };
  const begin = () => setDraft(draftOf(values));
  const save = () => {
    if (draft === null) return;
    const changes = changesOf(values, draft);
    if (Object.keys(changes).length === 0) return leave();
    edit.mutate({ row, values: changes }, { onSuccess: leave });
  };
  const takeBack = (field: InlineField) => {
    returning.current = true;
    edit.mutate({ row, values: { [field]: null } });
  };
  const focusOnReturn = (button: HTMLButtonElement | null) => {
    if (button === null || !returning.current) return;
    button.focus();
    returning.current = false;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (draft === null) return;
    if (event.key === 'Escape') leave();
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) save();
  };
  return { draft, begin, setDraft, edit, save, takeBack, leave, onKeyDown, focusOnReturn };
}

type FieldInputProps = {
  row: number;
  field: InlineField;
  draft: RowDraft;
  onDraft: (draft: RowDraft) => void;
};

function FieldInput({ row, field, draft, onDraft }: FieldInputProps) {
  return (
    <TextInput
      size="xs"
      aria-label={`${fieldLabels[field]} of row ${row}`}
      value={draft[field]}
      autoFocus={field === 'title'}
      onChange={(event) => onDraft({ ...draft, [field]: event.currentTarget.value })}
    />
  );
}

type SaveOrCancelProps = { saving: boolean; onSave: () => void; onCancel: () => void };

function SaveOrCancel({ saving, onSave, onCancel }: SaveOrCancelProps) {
  return (
    <>
      <Button size="compact-sm" loading={saving} onClick={onSave}>
        Save
      </Button>
      <Button size="compact-sm" variant="default" onClick={onCancel}>
        Cancel
      </Button>
    </>
  );
}

function cellClass(field: InlineField): string | undefined {
  if (field === 'title') return classes.title;
  return field === 'price' || field === 'quantity' ? classes.number : undefined;
}

const sourceWords = { edit: 'edited', found: 'found' } as const;

type FieldValueProps = {
  row: Row;
  field: InlineField;
  inherited: string | null;
  /** Takes an edit of the field back; null when that cannot be done now. */
  onTakeBack: (() => void) | null;
};

function FieldValue({ row, field, inherited, onTakeBack }: FieldValueProps) {
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
        <span className={classes.source}>
          {sourceWords[source]}
          {source === 'edit' && onTakeBack !== null && (
            <ActionIcon
              size="xs"
              variant="subtle"
              aria-label={`Take back the edit of ${fieldLabels[field]} in row ${row.row}`}
              title="Take this edit back"
              onClick={onTakeBack}
            >
              <IconArrowBackUp size={14} aria-hidden />
            </ActionIcon>
          )}
        </span>
      )}
    </>
  );
}

function RowState({ row }: { row: Row }) {
  if (row.ignored !== null) return <Text size="xs">Takes no part: {row.ignored}</Text>;
  return (
    <>
      <RowClassBadge rowClass={row.class} />
      {row.issues.length > 0 && (
        <ul className={classes.issues}>
          {row.issues.map((issue) => (
            <li key={`${issue.code} ${issue.field ?? ''}`}>{issue.message}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function RowOutcome({ outcome, title }: { outcome: NonNullable<Row['outcome']>; title: string }) {
  return (
    <>
      <Group gap={6} wrap="nowrap">
        <OutcomeBadge outcome={outcome.result} />
        {outcome.storeUrl !== null && (
          <Anchor
            href={outcome.storeUrl}
            target="_blank"
            rel="noreferrer"
            size="sm"
            aria-label={`View ${title} in the store`}
          >
            View
          </Anchor>
        )}
      </Group>
      {outcome.message !== null && <div className={classes.issues}>{outcome.message}</div>}
    </>
  );
}
