import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import { Group, Select, type SelectProps } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { SmallText } from '../../../ui/text.tsx';
import {
  choose,
  type DialectKey,
  type DialectOption,
  dialectOptions,
  type FileParts,
  keysFor,
  partIn,
  partLabel,
  type ReadDialect,
} from './dialect-words.ts';
import classes from './mapping.module.css';

type DialectFieldsProps = FileParts & {
  /** The dialect without overrides, as far as it is known, and the label that marks its options. */
  basis: Partial<ReadDialect>;
  basisMark: string;
  /** During detection every pick is an override, even of the shown value. */
  detecting?: boolean;
  choice: DialectChoice;
  onChange: (choice: DialectChoice, changed: DialectKey) => void;
  /** Gets the focus on mount: it was changed before the fields moved on the screen. */
  focused?: DialectKey | null;
};

export function DialectFields({ basis, choice, onChange, focused, ...props }: DialectFieldsProps) {
  const { basisMark, detecting = false } = props;
  return (
    <fieldset className={`${classes.fields} grid`} aria-label="File format">
      {keysFor(basis).map((key) => {
        const basisValue = partIn(basis, key);
        const current = choice[key] ?? basisValue;
        return (
          <Select
            key={key}
            size="xs"
            label={partLabel(key, basis)}
            data={dialectOptions(key, [basisValue, current], props)}
            value={current === undefined ? null : String(current)}
            placeholder={basisMark}
            searchable={key === 'encoding'}
            openOnFocus={false}
            // Select the text, so that typing replaces it and searches.
            onFocus={(event) => key === 'encoding' && event.currentTarget.select()}
            nothingFoundMessage="No matching encoding"
            maxDropdownHeight={280}
            comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
            renderOption={markedOption(String(basisValue), basisMark)}
            autoFocus={key === focused}
            allowDeselect={false}
            // onChange is silent about a pick of the shown value.
            onOptionSubmit={(value) => {
              const nextChoice = choose(choice, detecting ? {} : basis, key, value);
              if (nextChoice[key] !== choice[key]) onChange(nextChoice, key);
            }}
          />
        );
      })}
    </fieldset>
  );
}

/** Marks the option that applies without an override. */
const markedOption =
  (basisValue: string, mark: string): SelectProps['renderOption'] =>
  ({ option, checked }: { option: DialectOption; checked?: boolean }) => (
    <Group gap="xs" wrap="nowrap" w="100%" className={classes.dialectOption}>
      <span className={`${classes.check} rigid`}>{checked && <IconCheck size={14} aria-hidden />}</span>
      <span>{option.label}</span>
      <SmallText component="span" dir="auto" className={`ellipsis ${classes.more}`}>
        {option.more}
      </SmallText>
      {option.value === basisValue && <SmallText component="span">{mark}</SmallText>}
    </Group>
  );
