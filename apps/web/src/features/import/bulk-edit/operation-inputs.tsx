import { findTextCharsMax } from '@draftshelf/domain/review/operations/operation';
import { Checkbox, Group, Select, TagsInput, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { BodyText, IconButton } from '../../../ui/basics.tsx';
import classes from './bulk-dialog.module.css';
import {
  createLine,
  type LineDraft,
  type LineInputsProps,
  type LineKind,
  listAllowedValues,
  listAmountOptions,
  listSourceOptions,
  type PriceEnding,
} from './operation-draft.ts';

function MapInputs({ line, nth, problemOf, onChange }: LineInputsProps) {
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

export function OperationInputs(props: LineInputsProps) {
  const Inputs = inputsOf[props.line.kind];
  return Inputs && <Inputs {...props} />;
}

type TypedLook = { unit?: string } & Pick<ComponentProps<typeof TextInput>, 'inputMode' | 'placeholder'>;
type TypedProps = LineInputsProps &
  TypedLook & { input: 'value' | 'find' | 'with' | 'amount' | 'step' | 'chars'; label: string };

/** A text input. After a preset is chosen, an input with `data-entry` may get the focus. */
const Typed = ({ line, input, nth, label, unit, problemOf, onLeave, onChange, ...props }: TypedProps) => (
  <TextInput
    className={`${classes.input} relative`}
    label={label}
    inputMode={props.inputMode}
    placeholder={props.placeholder}
    rightSection={unit === undefined ? undefined : <BodyText>{unit}</BodyText>}
    aria-label={`${label} (line ${nth})`}
    data-entry={input === 'step' ? undefined : true}
    // Gets the focus when the dialog opens, unless an earlier element has `data-autofocus` too.
    data-autofocus
    maxLength={input === 'find' ? findTextCharsMax : 5_000}
    error={problemOf(input)}
    value={line[input]}
    onBlur={() => onLeave(input)}
    onChange={({ currentTarget }) => onChange({ ...line, [input]: currentTarget.value })}
  />
);

type ChosenProps = LineInputsProps & {
  input: 'value' | 'of' | 'roundTo' | 'direction' | 'case' | 'from' | 'column';
  label: string;
  /** The accessible name. Default: the label. */
  name?: string;
  /** The name under which problems of this select are reported. Absent if the select is never empty. */
  problem?: 'value' | 'source';
} & Pick<ComponentProps<typeof Select>, 'data' | 'placeholder'>;

const Chosen = ({ line, nth, input, label, name = label, problem, ...props }: ChosenProps) => (
  <Select
    label={label}
    aria-label={`${name} (line ${nth})`}
    placeholder={props.placeholder}
    data={props.data}
    value={line[input] || null}
    onChange={(value) => {
      if (problem !== undefined) props.onChange({ ...line, [input]: value ?? createLine(line.id)[input] });
      else if (value !== null) props.onChange({ ...line, [input]: value });
    }}
    {...(problem !== undefined && {
      className: `${classes.input} relative`,
      'data-entry': true,
      searchable: problem === 'source',
      error: props.problemOf(problem),
      onBlur: () => props.onLeave(problem),
    })}
  />
);

function SetInputs(props: LineInputsProps) {
  const { field } = props.line;
  const choices = listAllowedValues(field);
  if (field === 'tags') return <TagsInputs {...props} label="Tags" asText />;
  if (choices === null) return <Typed {...props} input="value" label="Value" />;
  return <Chosen {...props} input="value" label="Value" problem="value" data={[...choices]} />;
}

const separators = [',', ';', '|', '\n'];

/** The tags of a line. With `asText`, they also become the line's value, joined by commas. */
function TagsInputs({
  line,
  nth,
  problemOf,
  onLeave,
  onChange,
  label,
  asText = false,
}: LineInputsProps & { label: string; asText?: boolean }) {
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

const roundings: { value: PriceEnding | 'step'; label: string }[] = [
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

const cases: { value: LineDraft['case']; label: string }[] = [
  { value: 'title', label: 'Title Case' },
  { value: 'upper', label: 'UPPER CASE' },
  { value: 'lower', label: 'lower case' },
];

const checks = { isWhole: 'Whole value only', matchesCase: 'Match case' };

const typed =
  (input: TypedProps['input'], label: string, look: TypedLook = {}) =>
  (props: LineInputsProps) => <Typed {...props} {...{ input, label }} {...look} />;
const decimal = (label: string, placeholder: string, unit?: string) =>
  typed('amount', label, { inputMode: 'decimal', placeholder, ...(unit && { unit }) });
const Factor = decimal('Number', '1.2');
const Amount = decimal('Amount', '4');
const PercentOf = decimal('Percent', '180', '%');

const inputsOf: Partial<Record<LineKind, (props: LineInputsProps) => ReactNode>> = {
  set: SetInputs,
  multiply: Factor,
  divide: Factor,
  add: Amount,
  subtract: Amount,
  percent: decimal('Percent', '-10', '%'),
  'percent-of': (props) => (
    <div className={`grid gap-xs ${classes.pair}`}>
      <PercentOf {...props} />
      <Chosen {...props} input="of" label="Of" name="Percent of" data={listAmountOptions(props.line.field)} />
    </div>
  ),
  margin: decimal('Margin', '40', '%'),
  round: (props) => (
    <div className={`grid gap-xs ${classes.pair}`}>
      <Chosen {...props} input="roundTo" label="Round to" data={roundings} />
      <Chosen {...props} input="direction" label="Direction" data={directions} />
      {props.line.roundTo === 'step' && (
        <Typed {...props} input="step" label="Multiple of" inputMode="decimal" placeholder="0.05" />
      )}
    </div>
  ),
  'add-tags': (props) => <TagsInputs {...props} label="Tags to add" />,
  'remove-tags': (props) => <TagsInputs {...props} label="Tags to remove" />,
  replace: (props) => (
    <>
      <div className={`grid gap-xs ${classes.pair}`}>
        <Typed {...props} input="find" label="Find" />
        <Typed {...props} input="with" label="Replace with" placeholder="Nothing" />
      </div>
      <Group gap="md">
        {(['isWhole', 'matchesCase'] as const).map((input) => (
          <Checkbox
            key={input}
            size="sm"
            label={checks[input]}
            checked={props.line[input]}
            onChange={({ currentTarget }) =>
              props.onChange({ ...props.line, [input]: currentTarget.checked })
            }
          />
        ))}
      </Group>
    </>
  ),
  prefix: typed('value', 'Text before'),
  suffix: typed('value', 'Text after'),
  cut: typed('chars', 'Characters at most', { inputMode: 'numeric', placeholder: '80' }),
  case: (props) => <Chosen {...props} input="case" label="Change to" data={cases} />,
  'copy-field': (props) => (
    <Chosen
      {...{ ...props, input: 'from', problem: 'source' }}
      name="Copied field"
      label="Field"
      placeholder="Choose a field"
      data={listSourceOptions(props.line.field)}
    />
  ),
  'copy-column': (props) => (
    <Chosen
      {...{ ...props, input: 'column', problem: 'source' }}
      name="Copied column"
      label="Column of the file"
      placeholder="Choose a column"
      // Removes duplicate headers, which a select cannot offer, and empty headers.
      data={[...new Set(props.headers)].filter((header) => header !== '')}
    />
  ),
  map: MapInputs,
};
