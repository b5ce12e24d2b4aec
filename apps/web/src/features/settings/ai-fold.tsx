import type { AiState } from '@draftshelf/contract/enrich/ai';
import { enteredCharsMax } from '@draftshelf/contract/wire';
import {
  aiLimitRanges,
  aiMoneyRange,
  currencyCharsMax,
  wishCharsMax,
} from '@draftshelf/domain/enrich/ai/limits';
import { privacyText } from '@draftshelf/domain/enrich/ai/privacy-text';
import { Badge, Group, Loader, Paper, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readOf } from '../../api/read.ts';
import { countOf } from '../../lib/intl.ts';
import { PlainButton, TextButton } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import {
  amount,
  Form,
  InputRow,
  Inputs,
  number,
  SaveFailure,
  SubmitRow,
  secret,
  text,
  useForm,
} from '../../ui/form.tsx';
import { BodyText, QuietText } from '../../ui/text.tsx';
import { moneyWords } from '../import/index.ts';

/** Folded at first: few visits need it. */
export function AiFold() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack gap="xs" align="flex-start">
      <TextButton color="gray" px={0} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide AI Service' : 'AI Service'}
      </TextButton>
      {isOpen && <AiServiceCard />}
    </Stack>
  );
}

const AiServiceCard = () => (
  <Read of={useQuery(readOf('readAi'))} what="the AI service" meanwhile={<Loader size="sm" />}>
    {(ai) => (
      <Paper withBorder p="md" w="100%" component="section" aria-label="AI service">
        <Stack gap="md">
          <Summary ai={ai} />
          {ai.lockedBecause === null ? <AiAddressForm ai={ai} /> : <BodyText>{ai.lockedBecause}</BodyText>}
          <AiLimitsForm ai={ai} />
          <AiTextsForm ai={ai} />
          <QuietText>
            {privacyText({
              host: ai.host ?? 'the AI service',
              model: ai.model ?? 'of your choice',
            }).join(' ')}
          </QuietText>
        </Stack>
      </Paper>
    )}
  </Read>
);

const colors: Record<AiState['state'], string> = {
  ok: 'green',
  waiting: 'yellow',
  trouble: 'red',
  off: 'gray',
};
const words: Record<AiState['state'], string> = {
  ok: 'Ready',
  waiting: 'Waiting',
  trouble: 'Needs you',
  off: 'Not set up',
};
function Summary({ ai }: { ai: AiState }) {
  const { today, prices } = ai;
  const cost = today.cost === null || prices === null ? null : moneyWords(today.cost, prices.currency);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Badge color={colors[ai.state]} variant="light" tt="none">
          {words[ai.state]}
        </Badge>
        {ai.simulated && (
          <Badge color="gray" variant="light" tt="none">
            Simulated
          </Badge>
        )}
        {ai.host !== null && (
          <BodyText>{`Proposals come from the model ${ai.model} at ${ai.host}.`}</BodyText>
        )}
      </Group>
      <BodyText>{ai.sentence}</BodyText>
      {today.requests > 0 && (
        <QuietText>
          Last 24 hours:{' '}
          {[countOf(today.requests, 'request'), countOf(today.tokens, 'token'), cost ?? []]
            .flat()
            .join(' · ')}
        </QuietText>
      )}
      {ai.configured && <Actions ai={ai} />}
    </Stack>
  );
}

function Actions({ ai }: { ai: AiState }) {
  const test = useCall('testAi', {
    done: ({ success, message }) => success && { title: 'AI service answers', text: message },
  });
  const removal = useCall('removeAiKey', {
    done: ({ message }) => ({ title: 'Key removed', text: message }),
  });
  return (
    <>
      <Group>
        <PlainButton loading={test.isPending} onClick={() => test.mutate({})}>
          Test
        </PlainButton>
        {ai.keySaved && (
          <PlainButton loading={removal.isPending} onClick={() => removal.mutate({})}>
            Remove Key
          </PlainButton>
        )}
      </Group>
      {test.data?.success === false && <ErrorPanel title={test.data.message} />}
      {test.isError && <ErrorPanel title="Couldn’t test the AI service." cause={test.error.message} />}
      {removal.isError && <ErrorPanel title="Couldn’t remove the key." cause={removal.error.message} />}
    </>
  );
}

const basis = '9rem';
const cost = { ...aiMoneyRange, basis, placeholder: 'No limit' };
const price = { ...aiMoneyRange, basis };

const limitFields = {
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

function AiLimitsForm({ ai }: { ai: AiState }) {
  const form = useForm({ fields: limitFields, initial: initialOf(ai), mistakesOf });
  const save = useCall('saveAi', { done: ({ message }) => ({ title: 'Limits saved', text: message }) });
  return (
    <Form
      form={form}
      label="Limits of the AI service"
      onSave={({ priceIn, priceOut, currency, ...limits }) => {
        const prices =
          priceIn === null || priceOut === null ? null : { in: priceIn, out: priceOut, currency };
        save.mutate({ body: { limits, prices } });
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

const textFields = {
  language: text({
    label: 'Language of texts',
    description: 'Where a product has too few words to tell its language.',
    placeholder: 'German',
    charsMax: wishCharsMax,
    basis: '12rem',
  }),
  tone: text({
    label: 'Style of descriptions',
    description: 'Facts are checked in any style.',
    placeholder: 'Short and plain',
    charsMax: wishCharsMax,
    basis: '12rem',
  }),
};

/** Products that were asked about with other wishes are asked about again. */
function AiTextsForm({ ai }: { ai: AiState }) {
  const form = useForm({ fields: textFields, initial: { language: ai.language ?? '', tone: ai.tone ?? '' } });
  const save = useCall('saveAi', {
    done: ({ message }) => ({ title: 'Wishes for texts saved', text: message }),
  });
  return (
    <Form form={form} label="Wishes for texts" onSave={(wishes) => save.mutate({ body: wishes })}>
      <InputRow form={form} />
      <SaveFailure error={save.error} title="Couldn’t save the wishes." />
      <SubmitRow label="Save Style" isSaving={save.isPending} />
    </Form>
  );
}

const addressFieldsOf = ({ keySaved }: AiState) => ({
  baseUrl: text({
    label: 'Address',
    description:
      'Where the service answers, up to its version, like https://api.openai.com/v1. The service must understand requests in the form of OpenAI’s chat completions.',
    charsMax: enteredCharsMax,
    missing: 'Enter the address.',
  }),
  model: text({ label: 'Model', charsMax: enteredCharsMax, missing: 'Enter the model.' }),
  key: secret({
    label: 'Key',
    description: keySaved ? 'A key is saved. Leave this empty to keep it.' : 'If the service needs one.',
    charsMax: enteredCharsMax,
  }),
});

/** Tested before they are saved; the key is never shown again. */
function AiAddressForm({ ai }: { ai: AiState }) {
  const saved = ai.source === 'saved' ? ai : null;
  const form = useForm({
    fields: addressFieldsOf(ai),
    initial: { baseUrl: saved?.baseUrl ?? '', model: saved?.model ?? '', key: '' },
  });
  const save = useCall('saveAi', {
    done: ({ ok, message }) => ok && { title: 'AI service saved', text: message },
  });
  return (
    <Form
      form={form}
      label="AI service"
      onSave={({ key, ...address }) =>
        save.mutate(
          { body: key === '' ? address : { ...address, key } },
          { onSuccess: ({ ok }) => ok && form.clear('key') },
        )
      }
    >
      <Inputs form={form} />
      {save.data?.ok === false && <ErrorPanel title={save.data.message}>Nothing was saved.</ErrorPanel>}
      <SaveFailure error={save.error} title="Couldn’t save the AI service.">
        Nothing was saved.
      </SaveFailure>
      <SubmitRow label="Test and Save" isSaving={save.isPending} />
    </Form>
  );
}
