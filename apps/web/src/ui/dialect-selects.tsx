import type { DialectChoice } from '@draftshelf/contract/dialect';
import { Group, Select, type SelectProps, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import classes from './dialect-selects.module.css';
import {
  choose,
  type DialectKey,
  type DialectOption,
  dialectFields,
  dialectKeys,
  dialectOptions,
  type ReadDialect,
} from './dialect-words.ts';

type DialectSelectsProps = {
  /** What holds where nothing is chosen, as far as it is known, and how an option is marked that does. */
  basis: Partial<ReadDialect>;
  basisMark: string;
  choice: DialectChoice;
  onChange: (choice: DialectChoice, changed: DialectKey) => void;
  /** How the file begins, if that is known. */
  firstRecords?: readonly string[];
  /** The field that takes the focus when the fields appear, because it was changed where they stood before. */
  focused?: DialectKey | null;
};

/** The four things that an operator may say of how a file is written. */
export function DialectSelects({ basis, choice, onChange, focused, ...props }: DialectSelectsProps) {
  const { basisMark, firstRecords = [] } = props;
  return (
    <fieldset className={classes.fields} aria-label="How the file is read">
      {dialectKeys.map((key) => {
        const held = basis[key];
        const current = choice[key] ?? held;
        return (
          <Select
            key={key}
            size="xs"
            label={dialectFields[key]}
            data={dialectOptions(key, [held, current], firstRecords)}
            value={current === undefined ? null : String(current)}
            placeholder={basisMark}
            searchable={key === 'encoding'}
            openOnFocus={false}
            // What is typed searches, and does not stand behind what was chosen.
            onFocus={(event) => key === 'encoding' && event.currentTarget.select()}
            nothingFoundMessage="No such encoding"
            maxDropdownHeight={280}
            comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
            renderOption={markedOption(String(held), basisMark)}
            autoFocus={key === focused}
            onChange={(value) => {
              if (value !== null) onChange(choose(choice, basis, key, value), key);
            }}
          />
        );
      })}
    </fieldset>
  );
}

/** An option with the mark on what holds anyway. */
function markedOption(held: string, mark: string): SelectProps['renderOption'] {
  return ({ option, checked }: { option: DialectOption; checked?: boolean }) => (
    <Group gap="xs" wrap="nowrap" w="100%" className={classes.option}>
      <span className={classes.check}>{checked && <IconCheck size={14} aria-hidden />}</span>
      <span>{option.label}</span>
      <Text component="span" size="xs" c="dimmed" dir="auto" className={classes.more}>
        {option.more}
      </Text>
      {option.value === held && (
        <Text component="span" size="xs" c="dimmed">
          {mark}
        </Text>
      )}
    </Group>
  );
}
