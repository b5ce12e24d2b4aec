import type { DialectChoice } from '@draftshelf/contract/dialect';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useRef } from 'react';
import { DialectSelects } from '../../components/dialect/dialect-selects.tsx';
import {
  choiceWords,
  type DialectKey,
  dialectKeys,
  type ReadDialect,
} from '../../components/dialect/dialect-words.ts';

export type DialectLineProps = {
  detected: Partial<ReadDialect>;
  choice: DialectChoice;
  onChange: (choice: DialectChoice, changed: DialectKey | null) => void;
  firstRecords: readonly string[];
  focused: DialectKey | null;
};

/** The dialect of the file: its fields, what the operator changed, and a button to reset it. */
export function DialectLine({ detected, choice, onChange, firstRecords, focused }: DialectLineProps) {
  const chosen = choiceWords(choice);
  const line = useRef<HTMLDivElement>(null);
  const reset = () => {
    onChange({}, dialectKeys[0] ?? null);
    // The button disappears with the overrides, so move the focus.
    line.current?.querySelector('input')?.focus();
  };
  return (
    <Stack gap={4} ref={line}>
      <DialectSelects
        basis={detected}
        basisMark="detected"
        choice={choice}
        onChange={onChange}
        firstRecords={firstRecords}
        focused={focused}
      />
      <Group gap="xs" mih={26}>
        <Text size="sm" c="dimmed" role="status">
          {chosen === '' ? 'Detected automatically.' : `You changed: ${chosen}.`}
        </Text>
        {chosen !== '' && (
          <Button size="compact-sm" variant="subtle" onClick={reset}>
            Reset to Detected
          </Button>
        )}
      </Group>
    </Stack>
  );
}
