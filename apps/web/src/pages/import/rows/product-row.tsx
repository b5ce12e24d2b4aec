import { Table, TextInput } from '@mantine/core';
import { AllFieldsButton, ProductRowsButton } from '../../../components/product-dialog/product-buttons.tsx';
import { formatCount } from '../../../lib/intl.ts';
import { ImageCell } from './image-cell.tsx';
import { fieldLabels, type InlineField, inlineFields } from './row-edit.ts';
import { EditButtons, EditFailure, FieldValue, RowOutcome, RowState } from './row-parts.tsx';
import classes from './rows.module.css';
import { type ProductRowProps, useInlineEdit } from './use-inline-edit.ts';

/** One row of the preview as a table row, which can be edited in place. */
export function ProductRow({ hasOutcomes, ...props }: ProductRowProps & { hasOutcomes: boolean }) {
  const { row, groupTitle, isFixed } = props;
  const editing = useInlineEdit(props);
  const { draft } = editing;
  return (
    <Table.Tr
      ref={(element) => {
        editing.element.current = element;
      }}
      data-row={row.row}
      data-editing={draft !== null || undefined}
      onKeyDown={editing.onKeyDown}
      c={row.ignored === null ? undefined : 'dimmed'}
    >
      <Table.Td className={classes.number} title={`Line ${formatCount(row.line)} in the file`}>
        {formatCount(row.row)}
      </Table.Td>
      <Table.Td>
        <ImageCell key={row.values.image ?? ''} row={row} />
      </Table.Td>
      {inlineFields.map((field) => (
        <Table.Td
          key={field}
          className={cellClass(field)}
          data-editable={editing.reason === null || undefined}
          onClick={(event) => editing.onCellClick(event, field)}
        >
          {draft === null ? (
            <>
              <FieldValue
                row={row}
                field={field}
                inherited={field === 'title' ? groupTitle : null}
                undoEdit={editing.undoEdit}
              />
              {field === 'title' && <ProductRowsButton row={row} />}
            </>
          ) : (
            <TextInput
              size="xs"
              aria-label={`${fieldLabels[field]} of row ${row.row}`}
              data-field={field}
              enterKeyHint="next"
              value={draft[field]}
              onChange={(event) => editing.setDraft({ ...draft, [field]: event.currentTarget.value })}
            />
          )}
        </Table.Td>
      ))}
      <Table.Td>
        <RowState row={row} isFixed={isFixed} />
        <EditFailure editing={editing} />
      </Table.Td>
      {hasOutcomes && (
        <Table.Td>
          <RowOutcome row={row} />
        </Table.Td>
      )}
      <Table.Td>
        <div className={classes.rowActions}>
          <EditButtons row={row.row} editing={editing} size="compact-sm" />
          {draft === null && <AllFieldsButton row={row} />}
        </div>
      </Table.Td>
    </Table.Tr>
  );
}

function cellClass(field: InlineField): string | undefined {
  return field === 'price' || field === 'quantity' ? classes.number : undefined;
}
