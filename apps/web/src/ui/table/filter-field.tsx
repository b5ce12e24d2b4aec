import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { searchFieldMark } from '../hooks/search-field.ts';

type FilterFieldProps = {
  filter: string;
  /** There is nothing to filter. The field keeps its place. */
  disabled?: boolean;
  onFilter: (text: string) => void;
};

/**
 * The field keeps its own text, because the URL lags behind it: a controlled field would lose keystrokes and the cursor
 * position. If the URL changes while the field has no focus, the field takes its value.
 */
export function FilterField({ filter, disabled = false, onFilter }: FilterFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current !== null && field.current !== document.activeElement) field.current.value = filter;
  }, [filter]);
  return (
    <TextInput
      {...searchFieldMark}
      ref={field}
      type="search"
      disabled={disabled}
      aria-label="Filter by file name"
      placeholder="Filter by file name"
      leftSection={<IconSearch size={16} aria-hidden />}
      defaultValue={filter}
      onChange={(event) => onFilter(event.currentTarget.value)}
    />
  );
}
