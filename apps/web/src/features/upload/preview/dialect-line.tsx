import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import { Group, Stack } from '@mantine/core';
import { useId, useState } from 'react';
import { TextButton } from '../../../ui/button.tsx';

import { BodyText, QuietText } from '../../../ui/text.tsx';
import {
  choiceWords,
  DialectFields,
  type DialectKey,
  dialectKeys,
  dialectWords,
  type OfferedTable,
  type ReadDialect,
} from '../../import/index.ts';

export type DialectLineProps = {
  detected: Partial<ReadDialect>;
  /** `detected` may change. */
  detecting: boolean;
  choice: DialectChoice;
  onChange: (choice: DialectChoice, changed: DialectKey | null) => void;
  firstRecords: readonly string[];
  tables: readonly OfferedTable[];
  focused: DialectKey | null;
};

type FoldProps = {
  /** The fields are folded until the operator asks for them. */
  folds: boolean;
  /** Undefined: the file cannot be read. */
  current?: ReadDialect;
  /** Hardly readable in this dialect, so the fields are open at first. */
  doubtful?: boolean;
};

export function DialectLine({ folds, current, doubtful = false, ...props }: DialectLineProps & FoldProps) {
  const { detected, detecting, choice, onChange, firstRecords, tables, focused } = props;
  const changes = choiceWords(choice, current ?? detected);
  const [open, setOpen] = useState(!folds || doubtful || focused !== null);
  const id = useId();
  return (
    <Stack gap={4} id={id}>
      <Group gap="xs" mih={26}>
        {current !== undefined && <BodyText>{dialectWords(current)}</BodyText>}
        <QuietText role="status">{changes === '' ? 'Detected automatically.' : changes}</QuietText>
        {folds && (
          <TextButton aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? 'Hide File Format' : 'Change File Format'}
          </TextButton>
        )}
        {changes !== '' && (
          <TextButton
            data-focus-next={`[id="${id}"] :is(input, button)`}
            onClick={() => onChange({}, dialectKeys[0] ?? null)}
          >
            Reset to Detected
          </TextButton>
        )}
      </Group>
      {open && (
        <DialectFields
          basis={detected}
          basisMark="detected"
          detecting={detecting}
          choice={choice}
          onChange={onChange}
          firstRecords={firstRecords}
          sheetRows={current?.sheetRows}
          tables={tables}
          focused={focused}
        />
      )}
    </Stack>
  );
}
