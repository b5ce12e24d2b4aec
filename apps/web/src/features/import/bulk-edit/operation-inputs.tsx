import { findCharsMax } from '@draftshelf/domain/review/operations/operation';
import { Checkbox, Group, Select, TagsInput, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { BodyText, IconButton } from '../../../ui/basics.tsx';
import classes from './bulk-dialog.module.css';
import {
  amountOptions,
  choicesOf,
  type Ending,
  type InputsProps,
  type Kind,
  type LineDraft,
  sourceOptions,
} from './operation-draft.ts';

function MapInputs({ line, nth, problemOf, onChange }: InputsProps) {
  const problem = problemOf('values');
  const set = (values: typeof line.values) => onChange({ ...line, values });
  return (
    <>
      {line.values.length === 0 && (
        <BodyText c={problem === undefined ? 'dimmed' : 'var(--mantine-color-error)'}>
          {problem ?? 'Choose values from the list below.'}
        </BodyText>
      )}
      {line.values.map(({ from, to }, at) => (
        <div key={from} className={`${classes.mapped} grid gap-xs center size-sm`}>
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
          <IconButton
            icon={IconX}
            iconSize={14}
            size={30}
            label={`Keep “${from}” (line ${nth})`}
            title="Don’t replace it"
            onClick={() => set(line.values.toSpliced(at, 1))}
          />
        </div>
      ))}
    </>
  );
}

export function OperationInputs(props: InputsProps) {
  const { kind } = props.line;
  const one = single[kind];
  if (one !== undefined) return <Typed {...props} {...one} />;
  const Inputs = inputsOf[kind];
  return Inputs && <Inputs {...props} />;
}

type TypedProps = InputsProps & {
  input: 'value' | 'find' | 'with' | 'amount' | 'step' | 'chars';
  label: string;
  unit?: string;
} & Pick<ComponentProps<typeof TextInput>, 'inputMode' | 'placeholder'>;

/** The first input of a line gets the focus after a preset (`data-entry`). */
const Typed = ({ line, input, nth, label, unit, problemOf, onLeave, onChange, ...props }: TypedProps) => (
  <TextInput
    className={`${classes.input} relative`}
    label={label}
    inputMode={props.inputMode}
    placeholder={props.placeholder}
    rightSection={unit === undefined ? undefined : <BodyText>{unit}</BodyText>}
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

function SetInputs(props: InputsProps) {
  const { line, nth, problemOf, onLeave, onChange } = props;
  const choices = choicesOf(line.field);
  if (line.field === 'tags') return <TagsInputs {...props} label="Tags" asText />;
  if (choices === null) return <Typed {...props} input="value" label="Value" />;
  return (
    <Select
      className={`${classes.input} relative`}
      label="Value"
      aria-label={`Value (line ${nth})`}
      data-entry
      data={[...choices]}
      value={line.value === '' ? null : line.value}
      error={problemOf('value')}
      onBlur={() => onLeave('value')}
      onChange={(value) => onChange({ ...line, value: value ?? '' })}
    />
  );
}

const separators = [',', ';', '|', '\n'];

/** `asText`: the tags are the value of the cell, not a list. */
function TagsInputs({
  line,
  nth,
  problemOf,
  onLeave,
  onChange,
  label,
  asText = false,
}: InputsProps & { label: string; asText?: boolean }) {
  const set = (tags: string[]) => onChange({ ...line, tags, value: asText ? tags.join(', ') : line.value });
  return (
    <TagsInput
      className={`${classes.input} relative`}
      label={label}
      aria-label={`${label} (line ${nth})`}
      data-entry
      description="Press Enter or a comma after each tag."
      value={line.tags}
      maxTags={50}
      splitChars={separators}
      acceptValueOnBlur
      error={problemOf(asText ? 'value' : 'tags')}
      onBlur={() => onLeave(asText ? 'value' : 'tags')}
      onChange={set}
    />
  );
}

function ReplaceInputs(props: InputsProps) {
  const { line, onChange } = props;
  return (
    <>
      <div className={`grid gap-xs ${classes.pair}`}>
        <Typed {...props} input="find" label="Find" />
        <Typed {...props} input="with" label="Replace with" placeholder="Nothing" />
      </div>
      <Group gap="md">
        <Checkbox
          size="sm"
          label="Whole value only"
          checked={line.isWhole}
          onChange={({ currentTarget }) => onChange({ ...line, isWhole: currentTarget.checked })}
        />
        <Checkbox
          size="sm"
          label="Match case"
          checked={line.matchesCase}
          onChange={({ currentTarget }) => onChange({ ...line, matchesCase: currentTarget.checked })}
        />
      </Group>
    </>
  );
}

const single: Partial<Record<Kind, Omit<TypedProps, keyof InputsProps>>> = {
  multiply: { input: 'amount', label: 'Number', inputMode: 'decimal', placeholder: '1.2' },
  divide: { input: 'amount', label: 'Number', inputMode: 'decimal', placeholder: '1.2' },
  add: { input: 'amount', label: 'Amount', inputMode: 'decimal', placeholder: '4' },
  subtract: { input: 'amount', label: 'Amount', inputMode: 'decimal', placeholder: '4' },
  percent: { input: 'amount', label: 'Percent', inputMode: 'decimal', placeholder: '-10', unit: '%' },
  margin: { input: 'amount', label: 'Margin', inputMode: 'decimal', placeholder: '40', unit: '%' },
  cut: { input: 'chars', label: 'Characters at most', inputMode: 'numeric', placeholder: '80' },
  prefix: { input: 'value', label: 'Text before' },
  suffix: { input: 'value', label: 'Text after' },
};

type ChosenProps = InputsProps & { input: 'of' | 'roundTo' | 'direction' | 'case'; label: string } & Pick<
    ComponentProps<typeof Select>,
    'aria-label' | 'data'
  >;

/** A choice that always has a value. */
const Chosen = ({ line, nth, input, label, onChange, ...props }: ChosenProps) => (
  <Select
    label={label}
    aria-label={`${props['aria-label'] ?? label} (line ${nth})`}
    data={props.data}
    value={line[input] as string}
    onChange={(value) => value !== null && onChange({ ...line, [input]: value })}
  />
);

const PercentOfInputs = (props: InputsProps) => (
  <div className={`grid gap-xs ${classes.pair}`}>
    <Typed {...props} input="amount" label="Percent" inputMode="decimal" placeholder="180" unit="%" />
    <Chosen {...props} input="of" label="Of" aria-label="Percent of" data={amountOptions(props.line.field)} />
  </div>
);

const roundings: { value: Ending | 'step'; label: string }[] = [
  { value: '.99', label: 'Ending .99' },
  { value: '.95', label: 'Ending .95' },
  { value: '.00', label: 'Ending .00' },
  { value: '9', label: 'Ending 9, no decimals' },
  { value: 'step', label: 'Multiple of …' },
];
const directions: { value: LineDraft['direction']; label: string }[] = [
  { value: 'nearest', label: 'To the nearest' },
  { value: 'up', label: 'Up' },
  { value: 'down', label: 'Down' },
];

const RoundInputs = (props: InputsProps) => (
  <div className={`grid gap-xs ${classes.pair}`}>
    <Chosen {...props} input="roundTo" label="Round to" data={roundings} />
    <Chosen {...props} input="direction" label="Direction" data={directions} />
    {props.line.roundTo === 'step' && (
      <Typed {...props} input="step" label="Multiple of" inputMode="decimal" placeholder="0.05" />
    )}
  </div>
);

const cases: { value: LineDraft['case']; label: string }[] = [
  { value: 'title', label: 'Title Case' },
  { value: 'upper', label: 'UPPER CASE' },
  { value: 'lower', label: 'lower case' },
];

type SourceProps = InputsProps &
  Pick<ComponentProps<typeof Select>, 'label' | 'placeholder' | 'data'> & {
    input: 'from' | 'column';
    name: string;
  };

const Source = ({ line, nth, input, name, problemOf, onLeave, onChange, ...props }: SourceProps) => (
  <Select
    className={`${classes.input} relative`}
    label={props.label}
    aria-label={`${name} (line ${nth})`}
    data-entry
    placeholder={props.placeholder}
    data={props.data}
    value={line[input]}
    searchable
    error={problemOf('source')}
    onBlur={() => onLeave('source')}
    onChange={(value) => onChange({ ...line, [input]: value })}
  />
);

const inputsOf: Partial<Record<Kind, (props: InputsProps) => ReactNode>> = {
  set: SetInputs,
  'percent-of': PercentOfInputs,
  round: RoundInputs,
  'add-tags': (props) => <TagsInputs {...props} label="Tags to add" />,
  'remove-tags': (props) => <TagsInputs {...props} label="Tags to remove" />,
  replace: ReplaceInputs,
  case: (props) => <Chosen {...props} input="case" label="Change to" data={cases} />,
  'copy-field': (props) => (
    <Source
      {...props}
      input="from"
      name="Copied field"
      label="Field"
      placeholder="Choose a field"
      data={sourceOptions(props.line.field)}
    />
  ),
  'copy-column': (props) => (
    <Source
      {...props}
      input="column"
      name="Copied column"
      label="Column of the file"
      placeholder="Choose a column"
      // A list cannot have the same entry twice; a column without a name cannot be named.
      data={[...new Set(props.headers)].filter((header) => header !== '')}
    />
  ),
  map: MapInputs,
};
