import { Table, TextInput } from '@mantine/core';
import { formatCount } from '../../../lib/intl.ts';
import classes from '../import.module.css';
import { ImageCell } from './image-cell.tsx';
import { type InlineField, inlineFields } from './row-edit.ts';
import { EditButtons, EditFailure, FieldValue, fieldLabels, RowOutcome, RowState } from './row-parts.tsx';
import { type ProductRowProps, useInlineEdit } from './use-inline-edit.ts';

/** One row of the preview as a table row, which can be edited in place. */
export function ProductRow(props: ProductRowProps) {
  const { row, groupTitle } = props;
  const editing = useInlineEdit(props);
  const { draft } = editing;
  return (
    <Table.Tr onKeyDown={editing.onKeyDown} c={row.ignored === null ? undefined : 'dimmed'}>
      <Table.Td className={classes.number} title={`Line ${formatCount(row.line)} in the file`}>
        {formatCount(row.row)}
      </Table.Td>
      <Table.Td>
        <ImageCell key={row.values.image ?? ''} row={row} />
      </Table.Td>
      {inlineFields.map((field) => (
        <Table.Td key={field} className={cellClass(field)}>
          {draft === null ? (
            <FieldValue
              row={row}
              field={field}
              inherited={field === 'title' ? groupTitle : null}
              undoEdit={editing.undoEdit}
            />
          ) : (
            <TextInput
              size="xs"
              aria-label={`${fieldLabels[field]} of row ${row.row}`}
              value={draft[field]}
              autoFocus={field === 'title'}
              onChange={(event) => editing.setDraft({ ...draft, [field]: event.currentTarget.value })}
            />
          )}
        </Table.Td>
      ))}
      <Table.Td>
        <RowState row={row} />
      </Table.Td>
      <Table.Td>
        <RowOutcome row={row} />
      </Table.Td>
      <Table.Td>
        <div className={classes.rowActions}>
          <EditButtons row={row.row} editing={editing} size="compact-sm" />
        </div>
        <EditFailure editing={editing} />
      </Table.Td>
    </Table.Tr>
  );
}

function cellClass(field: InlineField): string | undefined {
  if (field === 'title') return classes.title;
  return field === 'price' || field === 'quantity' ? classes.number : undefined;
}
