import { findCharsMax } from '@draftshelf/domain/review/operations/operation';
import { Text, TextInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import classes from './bulk-dialog.module.css';
import type { LineDraft, LineInput } from './operation-draft.ts';

export type InputsProps = {
  nth: number;
  line: LineDraft;
  headers: readonly string[];
  problemOf: (input: LineInput) => string | undefined;
  onLeave: (input: LineInput) => void;
  onChange: (line: LineDraft) => void;
};

export type TypedProps = InputsProps & {
  input: 'value' | 'find' | 'with' | 'amount' | 'step' | 'chars';
  label: string;
  unit?: string;
} & Pick<ComponentProps<typeof TextInput>, 'inputMode' | 'placeholder'>;

/** An input for text. The first one of a line gets the focus after a preset (`data-entry`). */
export function Typed({ line, input, nth, label, unit, problemOf, onLeave, onChange, ...props }: TypedProps) {
  return (
    <TextInput
      className={classes.input ?? ''}
      label={label}
      inputMode={props.inputMode}
      placeholder={props.placeholder}
      rightSection={unit === undefined ? undefined : <Text size="sm">{unit}</Text>}
      aria-label={`${label} (line ${nth})`}
      data-entry={input === 'step' ? undefined : true}
      // Unless something before it gets the focus when the dialog opens.
      data-autofocus
      maxLength={input === 'find' ? findCharsMax : 5_000}
      error={problemOf(input)}
      value={line[input]}
      onBlur={() => onLeave(input)}
      onChange={({ currentTarget }) => onChange({ ...line, [input]: currentTarget.value })}
    />
  );
}
