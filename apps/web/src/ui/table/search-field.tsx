import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { searchFieldMark } from '../keys.ts';

type SearchFieldProps = Pick<TextInputProps, 'placeholder' | 'maxLength' | 'className'> & {
  label: string;
  /** The search text in the URL. */
  text: string;
  /** Whether there is nothing to search. The field stays visible. */
  disabled?: boolean;
  onText: (text: string) => void;
};

/**
 * Uncontrolled, because the URL lags behind typing: a controlled field would lose keystrokes and the cursor position.
 */
export function SearchField({ label, text, onText, ...props }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current !== null && field.current !== document.activeElement) field.current.value = text;
  }, [text]);
  return (
    <TextInput
      {...searchFieldMark}
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      defaultValue={text}
      onChange={(event) => onText(event.currentTarget.value)}
      {...props}
    />
  );
}
