import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { Select } from '@mantine/core';
import classes from './bulk-dialog.module.css';
import type { Ending, LineDraft } from './operation-draft.ts';
import { amountOptions } from './operation-kinds.ts';
import { type InputsProps, Typed } from './typed-input.tsx';

export function PercentOfInputs(props: InputsProps) {
  const { line, nth, onChange } = props;
  return (
    <div className={classes.pair}>
      <Typed {...props} input="amount" label="Percent" inputMode="decimal" placeholder="180" unit="%" />
      <Select
        label="Of"
        aria-label={`Percent of (line ${nth})`}
        data={amountOptions(line.field)}
        value={line.of as string}
        allowDeselect={false}
        onChange={(of) => of !== null && onChange({ ...line, of: of as CanonicalField })}
      />
    </div>
  );
}

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

export function RoundInputs(props: InputsProps) {
  const { line, nth, onChange } = props;
  return (
    <div className={classes.pair}>
      <Select
        label="Round to"
        aria-label={`Round to (line ${nth})`}
        data={roundings}
        value={line.roundTo}
        allowDeselect={false}
        onChange={(roundTo) => roundTo !== null && onChange({ ...line, roundTo: roundTo as Ending })}
      />
      <Select
        label="Direction"
        aria-label={`Direction (line ${nth})`}
        data={directions}
        value={line.direction}
        allowDeselect={false}
        onChange={(to) => to !== null && onChange({ ...line, direction: to as LineDraft['direction'] })}
      />
      {line.roundTo === 'step' && (
        <Typed {...props} input="step" label="Multiple of" inputMode="decimal" placeholder="0.05" />
      )}
    </div>
  );
}
