import type { AiState } from '@draftshelf/contract/ai';
import { Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAiSave } from '../../api/ai.ts';
import { CallError } from '../../api/call.ts';
import { Button } from '../../components/button.tsx';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { useToast } from '../../components/feedback/toast.tsx';

const labels = {
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

const counts: readonly Name[] = ['importRequests', 'importTokens', 'tokensPerDay'];
const money: readonly Name[] = ['priceIn', 'priceOut', 'importCost', 'costPerDay'];

const fieldsOf = ({ limits, prices }: AiState): Entered => ({
  ...{ importRequests: limits.importRequests, importTokens: limits.importTokens },
  ...{ tokensPerDay: limits.tokensPerDay, importCost: limits.importCost ?? '' },
  ...{ costPerDay: limits.costPerDay ?? '', priceIn: prices?.in ?? '', priceOut: prices?.out ?? '' },
});

const orNull = (value: number | string) => (typeof value === 'number' ? value : null);

/** Limits and prices. Without prices costs are not known, and only tokens are limited. */
export function AiLimitsForm({ ai }: { ai: AiState }) {
  const [entered, setEntered] = useState(fieldsOf(ai));
  const [currency, setCurrency] = useState(ai.prices?.currency ?? 'USD');
  const save = useAiSave();
  const toast = useToast();
  const isWrong = (name: Name) =>
    counts.includes(name) && (typeof entered[name] !== 'number' || Number(entered[name]) < 1);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (counts.some(isWrong)) return;
    const { priceIn, priceOut, importCost, costPerDay, ...rest } = entered;
    const [costIn, costOut] = [orNull(priceIn), orNull(priceOut)];
    const prices = costIn === null || costOut === null ? null : { in: costIn, out: costOut, currency };
    const limits = {
      ...{ importRequests: Number(rest.importRequests), importTokens: Number(rest.importTokens) },
      ...{ tokensPerDay: Number(rest.tokensPerDay) },
      ...{ importCost: orNull(importCost), costPerDay: orNull(costPerDay) },
    };
    save.mutate(
      { limits, prices },
      { onSuccess: ({ message }) => toast({ title: 'Limits Saved', text: message }) },
    );
  };
  const field = (name: Name) => (
    <NumberInput
      key={name}
      label={labels[name]}
      value={entered[name]}
      min={counts.includes(name) ? 1 : 0}
      allowDecimal={!counts.includes(name)}
      error={isWrong(name) ? 'Enter a number.' : undefined}
      style={{ flex: '1 1 9rem' }}
      onChange={(value) => setEntered({ ...entered, [name]: value })}
    />
  );
  return (
    <form onSubmit={submit} noValidate aria-label="Limits of the AI service">
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          {counts.map(field)}
        </Group>
        <Group gap="sm" align="flex-end">
          {money.map(field)}
          <TextInput
            label="Currency"
            value={currency}
            maxLength={10}
            style={{ flex: '1 1 6rem' }}
            onChange={(event) => setCurrency(event.currentTarget.value)}
          />
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
