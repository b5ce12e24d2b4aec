import { Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { ActionIcon } from '../../../ui/button.tsx';
import classes from './bulk-dialog.module.css';
import type { InputsProps } from './operation-draft.ts';

/** The values that a line replaces, each with what replaces it. They are chosen in the list of values. */
export function MapInputs({ line, nth, problemOf, onChange }: InputsProps) {
  const problem = problemOf('values');
  const set = (values: typeof line.values) => onChange({ ...line, values });
  return (
    <>
      {line.values.length === 0 && (
        <Text size="sm" c={problem === undefined ? 'dimmed' : 'var(--mantine-color-error)'}>
          {problem ?? 'Choose values from the list below.'}
        </Text>
      )}
      {line.values.map(({ from, to }, at) => (
        <div key={from} className={classes.mapped}>
          <span className={`break-words ${classes.exact}`} dir="auto">
            {from}
          </span>
          <span aria-hidden>→</span>
          <TextInput
            size="xs"
            aria-label={`Replacement of “${from}” (line ${nth})`}
            placeholder="Empty"
            data-replaces={from}
            maxLength={5_000}
            value={to}
            onChange={({ currentTarget }) => set(line.values.with(at, { from, to: currentTarget.value }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={`Keep “${from}” (line ${nth})`}
            title="Don’t replace it"
            onClick={() => set(line.values.toSpliced(at, 1))}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </div>
      ))}
    </>
  );
}
