import type { AiState } from '@draftshelf/contract/enrich/ai';
import { Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { formatCount } from '../../lib/intl.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { useAiSave } from './ai-api.ts';

const labels = {
  requestsPerMinute: 'Requests in a minute',
  importRequests: 'Requests for an import',
  importTokens: 'Tokens for an import',
  tokensPerDay: 'Tokens in a day',
  importCost: 'Cost for an import',
  costPerDay: 'Cost in a day',
  priceIn: 'Price of 1M input tokens',
  priceOut: 'Price of 1M output tokens',
} as const;
type Name = keyof typeof labels;
type Entered = Record<Name, number | string>;

const counts: readonly Name[] = ['importRequests', 'importTokens', 'tokensPerDay', 'requestsPerMinute'];
const priceNames: readonly Name[] = ['priceIn', 'priceOut'];
const costNames: readonly Name[] = ['importCost', 'costPerDay'];
const money: readonly Name[] = [...priceNames, ...costNames];
/** The largest values that the server takes. */
const countMax: Partial<Record<Name, number>> = {
  ...{ importRequests: 100_000, importTokens: 1_000_000_000 },
  ...{ tokensPerDay: 1_000_000_000, requestsPerMinute: 10_000 },
};
const moneyMax = 1_000_000;

const fieldsOf = ({ limits, prices }: AiState): Entered => ({
  ...{ importRequests: limits.importRequests, importTokens: limits.importTokens },
  ...{ tokensPerDay: limits.tokensPerDay, requestsPerMinute: limits.requestsPerMinute },
  importCost: limits.importCost ?? '',
  ...{ costPerDay: limits.costPerDay ?? '', priceIn: prices?.in ?? '', priceOut: prices?.out ?? '' },
});

const orNull = (value: number | string) => (typeof value === 'number' ? value : null);

function bodyOf(entered: Entered, currency: string) {
  const { priceIn, priceOut, importCost, costPerDay, ...rest } = entered;
  const [costIn, costOut] = [orNull(priceIn), orNull(priceOut)];
  const prices = costIn === null || costOut === null ? null : { in: costIn, out: costOut, currency };
  const limits = {
    ...{ importRequests: Number(rest.importRequests), importTokens: Number(rest.importTokens) },
    ...{ tokensPerDay: Number(rest.tokensPerDay), requestsPerMinute: Number(rest.requestsPerMinute) },
    ...{ importCost: orNull(importCost), costPerDay: orNull(costPerDay) },
  };
  return { limits, prices };
}

/** The mistake in a field; null: none. */
function mistakeIn(name: Name, entered: Entered): string | null {
  const value = entered[name];
  const max = countMax[name];
  if (max !== undefined) {
    const isFine = typeof value === 'number' && value >= 1 && value <= max;
    return isFine ? null : `Enter a number from 1 to ${formatCount(max)}.`;
  }
  if (typeof value === 'number' && value > moneyMax) return `Enter at most ${formatCount(moneyMax)}.`;
  if (typeof value === 'number') return null;
  const needsPrices = money.some((one) => typeof entered[one] === 'number');
  return priceNames.includes(name) && needsPrices
    ? 'Enter both prices: without them costs aren’t known.'
    : null;
}

/** Limits and prices. Without prices costs are not known, and only tokens are limited. */
export function AiLimitsForm({ ai }: { ai: AiState }) {
  const [entered, setEntered] = useState(fieldsOf(ai));
  const [currency, setCurrency] = useState(ai.prices?.currency ?? 'USD');
  const save = useAiSave();
  const toast = useToast();
  const [isChecked, setIsChecked] = useState(false);
  const names = [...counts, ...money];
  const needsCurrency = currency.trim() === '' && typeof entered.priceIn === 'number';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (needsCurrency || names.some((name) => mistakeIn(name, entered) !== null)) return;
    save.mutate(bodyOf(entered, currency.trim()), {
      onSuccess: ({ message }) => toast({ title: 'Limits Saved', text: message }),
    });
  };
  const field = (name: Name) => (
    <NumberInput
      key={name}
      label={labels[name]}
      value={entered[name]}
      min={0}
      thousandSeparator=","
      placeholder={costNames.includes(name) ? 'No limit' : undefined}
      allowDecimal={!counts.includes(name)}
      error={isChecked ? mistakeIn(name, entered) : null}
      style={{ flex: '1 1 9rem' }}
      onChange={(value) => setEntered({ ...entered, [name]: value })}
    />
  );
  return (
    <form onSubmit={submit} noValidate aria-label="Limits of the AI service">
      <Stack gap="sm">
        <Group gap="sm" align="flex-start">
          {counts.map(field)}
        </Group>
        <Group gap="sm" align="flex-start">
          {priceNames.map(field)}
          <TextInput
            label="Currency"
            value={currency}
            maxLength={10}
            error={isChecked && needsCurrency ? 'Enter the currency of the prices.' : null}
            style={{ flex: '1 1 6rem' }}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
        </Group>
        <Group gap="sm" align="flex-start">
          {costNames.map(field)}
        </Group>
        {save.isError && (
          <ErrorPanel
            title={
              (save.error instanceof CallError ? save.error.serverMessage : null) ??
              'Couldn’t save the limits.'
            }
            cause={save.error.message}
          />
        )}
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            Save Limits
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
