import type { AiState } from '@draftshelf/contract/enrich/ai';
import { enteredCharsMax } from '@draftshelf/contract/wire';
import { batchSizes } from '@draftshelf/domain/access/settings';
import {
  aiLimitRanges,
  aiMoneyRange,
  currencyCharsMax,
  wishCharsMax,
} from '@draftshelf/domain/enrich/ai/limits';
import { privacyText } from '@draftshelf/domain/enrich/ai/privacy-text';
import { Badge, Group, Loader, Paper, Select, Stack, Switch } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { readOf } from '../../api/call.ts';
import { countOf, moneyWords } from '../../lib/intl.ts';
import { BodyText, PlainButton, QuietText, SmallText } from '../../ui/basics.tsx';
import { ErrorPanel, Read } from '../../ui/feedback/read.tsx';
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
  TestFailure,
  text,
  useForm,
} from '../../ui/form.tsx';
import { HelpTip, type HelpTopic, TitledSection } from '../../ui/hint.tsx';
import { overlay } from '../../ui/later.tsx';
import classes from '../../ui/sections.module.css';
import { LookBadge } from '../import/index.ts';
import { type SettingsForm, settingLabels } from './use-settings-form.ts';

const RulesEditor = overlay(() => import('../rules/rules-editor.tsx'), 'RulesEditor');

type GeneralTabProps = {
  form: SettingsForm;
  onSubmit: (event: FormEvent) => void;
  onRulesDirty: (isDirty: boolean) => void;
};

/** The AI service has its own forms, so it is inside none. */
export function GeneralTab({ form, onSubmit, onRulesDirty }: GeneralTabProps) {
  const { draftMode, batchSize } = form.values;
  const [areRulesOpen, setRulesOpen] = useState(false);
  return (
    <Stack gap="lg">
      <Stack component="form" gap="lg" onSubmit={onSubmit}>
        <Stack gap={4}>
          <Choice
            form={form}
            name="draftMode"
            topic="draft mode"
            description="Always create products as drafts, even if a row says otherwise. Applies from the next push."
          >
            <LookBadge
              look={safetyLooks[draftMode ? 'safe' : 'live']}
              word={draftMode ? 'Protected' : 'Live Upload'}
            />
          </Choice>
          {!draftMode && (
            <BodyText c="var(--text-warning)" role="status">
              Products go live on push if their status says so.
            </BodyText>
          )}
        </Stack>
        <Choice
          form={form}
          name="aiValidation"
          topic="AI validation"
          description="The default for new uploads. Each upload can change it."
        />
        <Choice
          form={form}
          name="upcLookup"
          topic="UPC lookup"
          description="The default for new uploads. Each upload can change it."
        />
        <Select
          label={settingLabels.batchSize}
          description="How many products are sent to the store at a time, from the next push on. A batch has at most 25 products, so 50 and 100 act as 25."
          w={{ base: '100%', sm: 300 }}
          data={batchSizes}
          value={batchSize}
          onChange={(size) => size !== null && form.set('batchSize', size)}
        />
        <Choice
          form={form}
          name="autoRetry"
          description="Retries a failed import after 5, 15 and 45 minutes. Short interruptions are always retried."
        />
      </Stack>
      <TitledSection id="ai-service" title="AI Service" gap="xs" folded>
        <AiServiceCard />
      </TitledSection>
      <TitledSection id="rules" title="Rules" gap="xs">
        <QuietText>Set type, collections and tags of products by their words, in every import.</QuietText>
        <div>
          <PlainButton onClick={() => setRulesOpen(true)}>Edit Rules</PlainButton>
        </div>
        <RulesEditor opened={areRulesOpen} onClose={() => setRulesOpen(false)} onDirty={onRulesDirty} />
      </TitledSection>
    </Stack>
  );
}

type ChoiceProps = {
  form: SettingsForm;
  name: 'draftMode' | 'aiValidation' | 'upcLookup' | 'autoRetry';
  description: string;
  topic?: HelpTopic;
  children?: ReactNode;
};

/** The description has its own line, so that it does not separate the parts of the label. */
function Choice({ form, name, description, topic, children }: ChoiceProps) {
  const described = useId();
  return (
    <div>
      <Group gap="xs">
        <Switch
          label={settingLabels[name]}
          aria-describedby={described}
          checked={form.values[name]}
          onChange={(event) => form.set(name, event.currentTarget.checked)}
        />
        {children}
        {topic !== undefined && <HelpTip topic={topic} />}
      </Group>
      <SmallText id={described} className={classes.description ?? ''}>
        {description}
      </SmallText>
    </div>
  );
}

const safetyLooks = {
  safe: { icon: IconShieldCheck, color: 'green', variant: 'light' },
  live: { icon: IconAlertTriangle, color: 'yellow', variant: 'light' },
} as const;

const AiServiceCard = () => (
  <Read of={useQuery(readOf('readAi'))} what="the AI service" meanwhile={<Loader size="sm" />}>
    {(ai) => (
      <Paper withBorder p="md">
        <Stack gap="md">
          <Summary ai={ai} />
          {ai.lockedBecause === null ? <AiAddressForm ai={ai} /> : <BodyText>{ai.lockedBecause}</BodyText>}
          <AiLimitsForm ai={ai} />
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

const badges: Record<AiState['state'], { color: string; children: string }> = {
  ok: { color: 'green', children: 'Ready' },
  waiting: { color: 'yellow', children: 'Waiting' },
  trouble: { color: 'red', children: 'Needs you' },
  off: { color: 'gray', children: 'Not set up' },
};

function Summary({ ai }: { ai: AiState }) {
  const { today, prices } = ai;
  const test = useCall('testAi', {
    done: ({ success, message }) => success && { title: 'AI service answers', text: message },
  });
  const removal = useCall('removeAiKey', {
    done: ({ message }) => ({ title: 'Key removed', text: message }),
  });
  const cost = today.cost === null || prices === null ? null : moneyWords(today.cost, prices.currency);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Badge variant="light" tt="none" {...badges[ai.state]} />
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
      {ai.configured && (
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
      )}
      {test.data?.success === false && <ErrorPanel title={test.data.message} />}
      {test.isError && <ErrorPanel title="Couldn’t test the AI service." cause={test.error.message} />}
      {removal.isError && <ErrorPanel title="Couldn’t remove the key." cause={removal.error.message} />}
    </Stack>
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

const initialOf = ({ limits, prices, language, tone }: AiState) => ({
  ...limits,
  language: language ?? '',
  tone: tone ?? '',
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

/** Products that were asked about in another style are asked about again. */
function AiLimitsForm({ ai }: { ai: AiState }) {
  const form = useForm({ fields: limitFields, initial: initialOf(ai), mistakesOf });
  const save = useCall('saveAi', {
    done: ({ message }) => ({ title: 'Limits and style saved', text: message }),
  });
  return (
    <Form
      form={form}
      label="Limits and style of the AI service"
      onSave={({ priceIn, priceOut, currency, language, tone, ...limits }) => {
        const prices =
          priceIn === null || priceOut === null ? null : { in: priceIn, out: priceOut, currency };
        save.mutate({ body: { limits, prices, language, tone } });
      }}
    >
      <InputRow form={form} names={['importRequests', 'importTokens', 'tokensPerDay', 'requestsPerMinute']} />
      <InputRow form={form} names={['priceIn', 'priceOut', 'currency']} />
      <InputRow form={form} names={['importCost', 'costPerDay']} />
      <InputRow form={form} names={['language', 'tone']} />
      <SaveFailure error={save.error} title="Couldn’t save the limits and the style." />
      <SubmitRow label="Save Limits and Style" isSaving={save.isPending} />
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
      <TestFailure
        refusal={save.data?.ok === false ? save.data : null}
        error={save.error}
        title="Couldn’t save the AI service."
      />
      <SubmitRow label="Test and Save" isSaving={save.isPending} />
    </Form>
  );
}
