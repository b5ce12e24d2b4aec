import type { AiState } from '@draftshelf/contract/enrich/ai';
import { aiLimitRanges, aiMoneyRange, currencyCharsMax } from '@draftshelf/domain/enrich/ai/limits';
import { useToast } from '../../ui/feedback/toast.tsx';
import { amount, Form, InputRow, number, SaveFailure, SubmitRow, text, useForm } from '../../ui/form.tsx';
import { useAiSave } from './ai-api.ts';

const basis = '9rem';
const cost = { ...aiMoneyRange, basis, placeholder: 'No limit' };
const price = { ...aiMoneyRange, basis };

const fields = {
  importRequests: number({ label: 'Requests for an import', basis, ...aiLimitRanges.importRequests }),
  importTokens: number({ label: 'Tokens for an import', basis, ...aiLimitRanges.importTokens }),
  tokensPerDay: number({ label: 'Tokens in a day', basis, ...aiLimitRanges.tokensPerDay }),
  requestsPerMinute: number({ label: 'Requests in a minute', basis, ...aiLimitRanges.requestsPerMinute }),
  priceIn: amount({ label: 'Price of 1M input tokens', ...price }),
  priceOut: amount({ label: 'Price of 1M output tokens', ...price }),
  currency: text({ label: 'Currency', charsMax: currencyCharsMax, basis: '6rem' }),
  importCost: amount({ label: 'Cost for an import', ...cost }),
  costPerDay: amount({ label: 'Cost in a day', ...cost }),
};

const initialOf = ({ limits, prices }: AiState) => ({
  ...limits,
  importCost: limits.importCost ?? '',
  costPerDay: limits.costPerDay ?? '',
  priceIn: prices?.in ?? '',
  priceOut: prices?.out ?? '',
  currency: prices?.currency ?? 'USD',
});

type Amounts = Record<'priceIn' | 'priceOut' | 'importCost' | 'costPerDay', number | null>;

/** Costs are only known with both prices and their currency. */
function mistakesOf({ currency, ...amounts }: Amounts & { currency: string }) {
  const { priceIn, priceOut, importCost, costPerDay } = amounts;
  const isPriced = [priceIn, priceOut, importCost, costPerDay].some((entered) => entered !== null);
  const missing = 'Enter both prices: without them costs aren’t known.';
  return {
    ...(isPriced && priceIn === null && { priceIn: missing }),
    ...(isPriced && priceOut === null && { priceOut: missing }),
    ...(priceIn !== null && currency === '' && { currency: 'Enter the currency of the prices.' }),
  };
}

/** Limits and prices. Without prices costs are not known, and only tokens are limited. */
export function AiLimitsForm({ ai }: { ai: AiState }) {
  const form = useForm({ fields, initial: initialOf(ai), mistakesOf });
  const save = useAiSave();
  const toast = useToast();
  return (
    <Form
      form={form}
      label="Limits of the AI service"
      onSave={({ priceIn, priceOut, currency, ...limits }) => {
        const prices =
          priceIn === null || priceOut === null ? null : { in: priceIn, out: priceOut, currency };
        save.mutate(
          { limits, prices },
          { onSuccess: ({ message }) => toast({ title: 'Limits saved', text: message }) },
        );
      }}
    >
      <InputRow form={form} names={['importRequests', 'importTokens', 'tokensPerDay', 'requestsPerMinute']} />
      <InputRow form={form} names={['priceIn', 'priceOut', 'currency']} />
      <InputRow form={form} names={['importCost', 'costPerDay']} />
      <SaveFailure error={save.error} title="Couldn’t save the limits." />
      <SubmitRow label="Save Limits" isSaving={save.isPending} />
    </Form>
  );
}
