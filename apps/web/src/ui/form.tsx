import {
  Group,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type ChangeEvent, type ReactNode, useState } from 'react';
import { serverMessageOf } from '../api/call.ts';
import { formatCount } from '../lib/intl.ts';
import { Button } from './basics.tsx';
import { ErrorPanel } from './feedback/read.tsx';
import classes from './sections.module.css';

type Words = {
  label: string;
  description?: string;
  placeholder?: string;
  /** Minimum width in an `InputRow`. */
  basis?: string;
  /** Returns whether the field is part of the form, given the other values. If absent, the field is always part. */
  isIn?: (entered: Entered) => boolean;
};
type Text = Words & {
  charsMax: number;
  /** The message if the field is empty. Without a message, the field is optional. */
  missing?: string;
};
type Range = Words & { min: number; max: number };

type TextField = Text & { kind: 'text' | 'secret' | 'area' };
type NumberField = Range & { kind: 'number' };
type AmountField = Range & { kind: 'amount' };
type ChoiceField<Option extends string> = Words & { kind: 'choice'; options: Record<Option, string> };
type Field = TextField | NumberField | AmountField | ChoiceField<string>;
type Fields = Record<string, Field>;

export const text = (of: Text): TextField => ({ kind: 'text', ...of });
/** A secret, which is never shown. */
export const secret = (of: Text): TextField => ({ kind: 'secret', ...of });
/** A text of several lines. */
export const area = (of: Text): TextField => ({ kind: 'area', ...of });
/** A whole number. */
export const number = (of: Range): NumberField => ({ kind: 'number', ...of });
/** An optional number with decimals. */
export const amount = (of: Range): AmountField => ({ kind: 'amount', ...of });
export const choice = <Option extends string>(
  of: Words & { options: Record<Option, string> },
): ChoiceField<Option> => ({ kind: 'choice', ...of });

/** Entered values by field name. */
type Entered = Record<string, string | number>;
type Value<Of extends Field> = Of extends NumberField
  ? number
  : Of extends AmountField
    ? number | null
    : Of extends ChoiceField<infer Option>
      ? Option
      : string;
type Values<Of extends Fields> = { [Name in keyof Of]: Value<Of[Name]> };
type Name<Of extends Fields> = keyof Of & string;
type Mistakes<Of extends Fields> = Partial<Record<Name<Of>, string>>;

const numberIn = (entered: string | number | undefined): number | null =>
  entered === undefined || entered === '' ? null : Number(entered);

function mistakeIn(field: Field, entered: string | number | undefined): string | null {
  if (field.kind === 'choice') return null;
  if ('charsMax' in field) return String(entered).trim() === '' ? (field.missing ?? null) : null;
  const { min, max } = field;
  const value = numberIn(entered);
  if (value === null && field.kind === 'amount') return null;
  const isIn = value !== null && value >= min && value <= max;
  return isIn ? null : `Enter a number from ${formatCount(min)} to ${formatCount(max)}.`;
}

/** Returns the mistakes of the fields that are part of the form. */
export function findMistakes<Of extends Fields>(fields: Of, entered: Entered): Mistakes<Of> {
  const found = Object.entries(fields).flatMap(([name, field]) => {
    const mistake = field.isIn?.(entered) === false ? null : mistakeIn(field, entered[name]);
    return mistake === null ? [] : [[name, mistake]];
  });
  return Object.fromEntries(found);
}

/** Returns the values, with trimmed texts. An amount is null if none was entered. */
export function readValues<Of extends Fields>(fields: Of, entered: Entered): Values<Of> {
  const values = Object.entries(fields).map(([name, { kind }]) => {
    const isNumber = kind === 'number' || kind === 'amount';
    return [name, isNumber ? numberIn(entered[name]) : String(entered[name]).trim()];
  });
  return Object.fromEntries(values);
}

export type FormState<Of extends Fields> = {
  fields: Of;
  entered: Entered;
  /** Empty before the first attempt to save. */
  mistakes: Mistakes<Of>;
  enter: (name: Name<Of>, value: string | number) => void;
  /** Empties fields after a save. */
  clear: (...names: Name<Of>[]) => void;
  /** Returns the values; null if there are mistakes, which the form shows from then on. */
  check: () => Values<Of> | null;
};

type FormOf<Of extends Fields> = {
  fields: Of;
  initial: { [Name in keyof Of]: string | number };
  /** Finds mistakes that concern several fields. */
  mistakesOf?: (values: Values<Of>) => Mistakes<Of>;
};

export function useForm<Of extends Fields>({ fields, initial, mistakesOf }: FormOf<Of>): FormState<Of> {
  const [entered, setEntered] = useState<Entered>(initial);
  const [isChecked, setChecked] = useState(false);
  const values = readValues(fields, entered);
  const mistakes = { ...mistakesOf?.(values), ...findMistakes(fields, entered) };
  return {
    fields,
    entered,
    mistakes: isChecked ? mistakes : {},
    enter: (name, value) => setEntered((now) => ({ ...now, [name]: value })),
    clear: (...names) => {
      setEntered((now) => ({ ...now, ...Object.fromEntries(names.map((name) => [name, ''])) }));
      setChecked(false);
    },
    check: () => {
      setChecked(true);
      return Object.keys(mistakes).length > 0 ? null : values;
    },
  };
}

type FormProps<Of extends Fields> = {
  form: FormState<Of>;
  /** Name of the form, if a screen has several. */
  label?: string;
  onSave: (values: Values<Of>) => void;
  children: ReactNode;
};

export const Form = <Of extends Fields>({ form, label, onSave, children }: FormProps<Of>) => (
  <form
    noValidate
    aria-label={label}
    onSubmit={(event) => {
      event.preventDefault();
      const values = form.check();
      if (values !== null) onSave(values);
    }}
  >
    <Stack gap="sm">{children}</Stack>
  </form>
);

type InputsProps<Of extends Fields> = {
  form: FormState<Of>;
  /** Fields to show. Default: all. */
  names?: readonly Name<Of>[];
};

export const FormInputs = <Of extends Fields>({ form, names = Object.keys(form.fields) }: InputsProps<Of>) =>
  names.map((name) => <Input key={name} form={form} name={name} />);

type InputRowProps<Of extends Fields> = InputsProps<Of> & {
  align?: 'flex-start' | 'flex-end';
  children?: ReactNode;
};

/** Inputs in a row, which wraps. */
export const InputRow = <Of extends Fields>({ align = 'flex-start', children, ...of }: InputRowProps<Of>) => (
  <Group gap="sm" align={align}>
    <FormInputs {...of} />
    {children}
  </Group>
);

/** A line of a settings list with one Mantine input: label and description on one side, the control on the other. */
export const Setting = ({ beside, children }: { beside?: ReactNode; children: ReactNode }) => (
  <div className={`${classes.setting} grid gap-x-xs center relative`}>
    {children}
    <Group gap="xs" style={{ gridArea: '1 / 2' }}>
      {beside}
    </Group>
  </div>
);

const areaRows = 4;

function Input<Of extends Fields>({ form, name }: { form: FormState<Of>; name: Name<Of> }) {
  const field: Field | undefined = form.fields[name];
  if (field === undefined || field.isIn?.(form.entered) === false) return null;
  const { label, description, placeholder, basis } = field;
  const value = form.entered[name] ?? '';
  const enter = (entered: string | number) => form.enter(name, entered);
  if (field.kind === 'choice') {
    const data = Object.entries(field.options).map(([option, words]) => ({ value: option, label: words }));
    return <SegmentedControl aria-label={label} data={data} value={String(value)} onChange={enter} />;
  }
  const shared = {
    ...{ label, description, placeholder, value },
    error: form.mistakes[name],
    style: basis === undefined ? {} : { flex: `1 1 ${basis}` },
  };
  if (field.kind === 'number' || field.kind === 'amount') {
    return (
      <NumberInput
        {...shared}
        min={field.min}
        max={field.max}
        clampBehavior="none"
        thousandSeparator=","
        allowDecimal={field.kind === 'amount'}
        allowNegative={false}
        onChange={enter}
      />
    );
  }
  const own = {
    ...{ ...shared, maxLength: field.charsMax, autoComplete: 'off' },
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      enter(currentTarget.value),
  };
  if (field.kind === 'area') return <Textarea {...own} rows={areaRows} />;
  return field.kind === 'secret' ? <PasswordInput {...own} /> : <TextInput {...own} />;
}

type SubmitRowProps = {
  label: string;
  isSaving: boolean;
  /** Whether it is the screen's primary action. */
  isPrimary?: boolean;
  className?: string | undefined;
  children?: ReactNode;
};

export const SubmitRow = ({ label, isSaving, isPrimary = false, className, children }: SubmitRowProps) => (
  <Group {...(className !== undefined && { className })}>
    <Button type="submit" variant={isPrimary ? 'filled' : 'default'} loading={isSaving}>
      {label}
    </Button>
    {children}
  </Group>
);

type SaveFailureProps = {
  error: Error | null;
  /** Shown if the server gives no reason. */
  title: string;
  children?: ReactNode;
};

type TestFailureProps = Pick<SaveFailureProps, 'error' | 'title'> & {
  /** Null if the values have passed the test, or if there was no test. */
  refusal: { message: string; cause?: string | null } | null;
};

/** The reason why values were not saved: they have not passed a test, or the call failed. */
export const TestFailure = ({ refusal, ...failure }: TestFailureProps) => (
  <>
    {refusal !== null && (
      <ErrorPanel title={refusal.message} cause={refusal.cause ?? null}>
        Nothing was saved.
      </ErrorPanel>
    )}
    <SaveFailure {...failure}>Nothing was saved.</SaveFailure>
  </>
);

export function SaveFailure({ error, title, children }: SaveFailureProps) {
  if (error === null) return null;
  const sentence = serverMessageOf(error);
  return (
    <ErrorPanel title={sentence ?? title} cause={error.message}>
      {children}
    </ErrorPanel>
  );
}
