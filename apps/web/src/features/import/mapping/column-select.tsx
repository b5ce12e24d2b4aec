import { Select, Text } from '@mantine/core';
import type { DraftColumn } from './mapping-draft.ts';
import { fieldLabel } from './mapping-words.ts';

/** More options would make the list slow. The search finds the others. */
const optionsMax = 100;

type ColumnSelectProps = {
  id: string;
  label: string;
  columns: readonly DraftColumn[];
  value: string | null;
  placeholder: string;
  onChange: (header: string | null) => void;
};

/** Selects a column by its header; the options show a sample and the field that the column has now. */
export function ColumnSelect({ id, label, columns, value, placeholder, onChange }: ColumnSelectProps) {
  const byHeader = new Map(columns.map((column) => [column.header, column]));
  return (
    <Select
      id={id}
      aria-label={label}
      data={columns.map(({ header }) => header)}
      value={value}
      placeholder={placeholder}
      searchable
      clearable={value !== null}
      clearButtonProps={{ 'aria-label': `${label}: no column`, tabIndex: 0 }}
      limit={optionsMax}
      openOnFocus={false}
      // Enter takes the first option that is found. Without the second one, a timer forgets it again on a busy machine.
      selectFirstOptionOnChange
      selectFirstOptionOnDropdownOpen={value === null}
      nothingFoundMessage="No such column"
      maxDropdownHeight={320}
      onFocus={(event) => event.currentTarget.select()}
      renderOption={({ option }) => <Option column={byHeader.get(option.value)} />}
      onChange={(header) => header !== value && onChange(header)}
    />
  );
}

function Option({ column }: { column: DraftColumn | undefined }) {
  if (column === undefined) return null;
  const { header, field, samples } = column;
  return (
    <div className="break-words">
      <div dir="auto">{header}</div>
      <Text component="div" size="xs" c="dimmed" dir="auto">
        {[samples[0], field === null ? undefined : fieldLabel(field)].filter(Boolean).join(' · ')}
      </Text>
    </div>
  );
}
