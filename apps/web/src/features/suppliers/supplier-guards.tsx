import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import {
  type Guards,
  guardChangeMax,
  guardColumnCharsMax,
  guardCostMax,
} from '@draftshelf/domain/products/guards';
import { NumberInput, type NumberInputProps, Select, Text, Title } from '@mantine/core';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { useAnswers } from './suppliers-api.ts';

/** Limits for the prices in lists of a supplier. They hold full auto, and change nothing. */
export function SupplierGuards({ supplier: { id, answers, signs } }: { supplier: SupplierDetails }) {
  const answering = useAnswers(id);
  const failure = useFailureToast();
  const say = <Name extends keyof Guards>(of: Name, value: Guards[Name]) => {
    if (value === answers[of]) return;
    answering.mutate(
      { set: { [of]: value }, from: { [of]: answers[of] } },
      { onError: (error) => failure.show('Couldn’t save the guard', error.message) },
    );
  };
  const columns = [...signs.flatMap((sign) => sign.columns ?? []), answers.guardColumn ?? '']
    .map((column) => column.trim())
    .filter((column) => column !== '' && column.length <= guardColumnCharsMax);
  /** It is saved when the input is left, or by Enter. */
  const limit = (of: 'guardCost' | 'guardChange', max: number, input: NumberInputProps) => (
    <NumberInput
      key={`${of} ${answers[of]}`}
      {...input}
      {...{ min: 0, allowNegative: false, hideControls: true, placeholder: 'No guard' }}
      defaultValue={answers[of] ?? ''}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
      onBlur={({ currentTarget: { value } }) => {
        const amount = Number.parseFloat(value);
        say(of, amount > 0 ? Math.min(amount, max) : null);
      }}
    />
  );
  return (
    <section className="stack" aria-labelledby="guards">
      <Title order={2} id="guards">
        Guards
      </Title>
      <Text size="sm" c="dimmed">
        Prices beyond a guard are counted before a push, and full auto leaves the list to you. No price is
        changed.
      </Text>
      {limit('guardCost', guardCostMax, {
        label: 'Price at least the cost ×',
        description: 'Rows without a cost aren’t compared.',
        decimalScale: 2,
      })}
      <Select
        label="Never below the column"
        placeholder="No guard"
        data={[...new Set(columns)]}
        value={answers.guardColumn}
        onChange={(value) => say('guardColumn', value)}
        searchable
        clearable
      />
      {limit('guardChange', guardChangeMax, {
        label: 'Price changed by at most',
        description: 'From one list to the next, before your own changes.',
        suffix: ' %',
        allowDecimal: false,
      })}
    </section>
  );
}
