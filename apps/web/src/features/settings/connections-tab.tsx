import type { AiState } from '@draftshelf/contract/enrich/ai';
import { enteredCharsMax } from '@draftshelf/contract/wire';
import {
  aiLimitRanges,
  aiMoneyRange,
  currencyCharsMax,
  textPreferenceCharsMax,
} from '@draftshelf/domain/enrich/ai/limits';
import { privacySentences } from '@draftshelf/domain/enrich/ai/privacy-text';
import { Badge, Group, Skeleton, Stack } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { readOf } from '../../api/call.ts';
import { findStoreName, isDemoStore, type ShownConnection, useConnections } from '../../api/connections.ts';
import { capitalize, countOf, formatClock, moneyWords } from '../../lib/intl.ts';
import { oneDrivePath, storePath } from '../../lib/paths.ts';
import { BodyText, Button, PageLink, PlainButton, QuietText } from '../../ui/basics.tsx';
import { ErrorPanel, FoldedText, ReadView } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import {
  amount,
  Form,
  FormInputs,
  InputRow,
  number,
  SaveFailure,
  SubmitRow,
  secret,
  TestFailure,
  text,
  useForm,
} from '../../ui/form.tsx';
import { TitledSection } from '../../ui/hint.tsx';
import { FolderBadge } from '../folders/index.ts';
import { LookBadge, SourceQuotas } from '../import/index.ts';
import { CredentialsForm } from '../store/index.ts';

const serviceNames: Record<ShownConnection['service'], string> = {
  shopify: 'Shopify',
  onedrive: 'OneDrive',
  upc_services: 'UPC services',
};

export function ConnectionsTab() {
  const connections = useConnections();
  const ai = useQuery(readOf('readAi'));
  const sources = useQuery(readOf('listSources'));
  return (
    <Stack gap="md">
      <ReadView of={connections} what="the connections" meanwhile={<Skeleton height={180} />}>
        {(list) => list.map((one) => <ConnectionCard key={one.service} connection={one} />)}
      </ReadView>
      {/* This section waits for the reads of the sections above, whose results would move it. */}
      {!connections.isPending && !sources.isPending && (
        <ReadView of={ai} what="the AI service" meanwhile={<Skeleton height={128} />}>
          {(state) => <AiService ai={state} />}
        </ReadView>
      )}
    </Stack>
  );
}

function subtitleOf(connection: ShownConnection): string {
  const { service, details } = connection;
  if (service === 'shopify') return findStoreName([connection]) ?? 'No store set up';
  if (service === 'onedrive') return 'Automatic file detection';
  return `${(details.services ?? []).filter(({ active }) => active).length} services active`;
}

const looks = {
  on: { icon: IconCircleCheck, color: 'green', variant: 'light' },
  off: { icon: IconCircleX, color: 'gray', variant: 'light' },
} as const;

function ConnectionCard({ connection }: { connection: ShownConnection }) {
  const { service, details } = connection;
  const [formShown, setFormShown] = useState(false);
  const { test, start, measured } = useConnectionTest(connection);
  const isConnected = connection.status === 'connected';
  const isStore = service === 'shopify';
  const isDemo = isDemoStore([connection]);
  const message = test.data?.message ?? (test.isError ? test.error.message : details.message);
  return (
    <TitledSection
      id={service}
      title={serviceNames[service]}
      {...(isStore && { help: 'store integration' })}
      className="panel"
      gap="xs"
      controls={
        <>
          {details.badge === undefined ? (
            <LookBadge look={isConnected ? looks.on : looks.off} word={capitalize(connection.status)} />
          ) : (
            <FolderBadge badge={details.badge} />
          )}
          <PlainButton
            loading={test.isPending}
            onClick={() => {
              if (isStore && !isConnected) setFormShown(true);
              start();
            }}
          >
            {isConnected ? 'Test' : 'Configure'}
          </PlainButton>
        </>
      }
    >
      <QuietText className="break-words">{subtitleOf(connection)}</QuietText>
      <BodyText role="status">
        {message === undefined ? '' : `${message}${measured}`}
        {isDemo && ' A simulation on this machine. What you push stays here.'}
      </BodyText>
      {details.cause && <FoldedText text={details.cause} />}
      {isStore && (
        <Group gap="sm">
          {isConnected && (
            <Button
              variant={isDemo && !formShown ? 'filled' : 'default'}
              aria-expanded={formShown}
              onClick={() => setFormShown(!formShown)}
            >
              {formShown ? 'Hide Credentials' : isDemo ? 'Connect Your Store…' : 'Show Credentials'}
            </Button>
          )}
          <PageLink to={storePath} size="sm" className="target">
            Open Shopify Integration
          </PageLink>
        </Group>
      )}
      {isStore && formShown && details.credentials !== undefined && (
        <CredentialsForm info={details.credentials} />
      )}
      {service === 'upc_services' && <SourceQuotas />}
    </TitledSection>
  );
}

/** `start` tests the connection. If OneDrive is not connected, `start` opens the tab of OneDrive instead. */
function useConnectionTest({ service, status }: ShownConnection) {
  const test = useCall('testConnection', {
    params: { service },
    done: () => ({ title: 'Connection Test', text: 'Connection test completed successfully' }),
  });
  const [took, setTook] = useState<{ ms: number; at: number } | null>(null);
  const navigate = useNavigate();
  const start = () => {
    if (service === 'onedrive' && status !== 'connected') {
      navigate(oneDrivePath);
      return;
    }
    const begunAt = performance.now();
    test.mutate(
      {},
      { onSuccess: () => setTook({ ms: Math.round(performance.now() - begunAt), at: Date.now() }) },
    );
  };
  const measured = took === null ? '' : ` Tested in ${took.ms} ms, ${formatClock(took.at)}.`;
  return { test, start, measured };
}

/** The AI settings are folded at first, because they are longer than the list of connections. */
function AiService({ ai }: { ai: AiState }) {
  const { today, prices } = ai;
  const [areSettingsShown, setSettingsShown] = useState(false);
  const test = useCall('testAi', {
    done: ({ success, message }) => success && { title: 'AI service answers', text: message },
  });
  const removal = useCall('removeAiKey', {
    done: ({ message }) => ({ title: 'Key removed', text: message }),
  });
  const cost = today.cost === null || prices === null ? null : moneyWords(today.cost, prices.currency);
  return (
    <TitledSection
      id="ai-service"
      title="AI service"
      className="panel"
      gap="xs"
      controls={
        <>
          {ai.simulated && (
            <Badge color="gray" variant="light" tt="none">
              Simulated
            </Badge>
          )}
          <Badge variant="light" tt="none" {...badges[ai.state]} />
          {ai.configured && (
            <PlainButton loading={test.isPending} onClick={() => test.mutate({})}>
              Test
            </PlainButton>
          )}
        </>
      }
    >
      <QuietText>{ai.sentence}</QuietText>
      {ai.host !== null && <BodyText>{`Proposals come from the model ${ai.model} at ${ai.host}.`}</BodyText>}
      {today.requests > 0 && (
        <QuietText>
          Last 24 hours:{' '}
          {[countOf(today.requests, 'request'), countOf(today.tokens, 'token'), cost ?? []]
            .flat()
            .join(' · ')}
        </QuietText>
      )}
      <Group gap="sm">
        <PlainButton aria-expanded={areSettingsShown} onClick={() => setSettingsShown(!areSettingsShown)}>
          {areSettingsShown ? 'Hide Settings' : 'Show Settings'}
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
      {areSettingsShown && (
        <Stack gap="md" mt="xs">
          {ai.lockedBecause === null ? <AiAddressForm ai={ai} /> : <BodyText>{ai.lockedBecause}</BodyText>}
          <AiLimitsForm ai={ai} />
          <QuietText>
            {privacySentences({
              host: ai.host ?? 'the AI service',
              model: ai.model ?? 'of your choice',
            }).join(' ')}
          </QuietText>
        </Stack>
      )}
    </TitledSection>
  );
}

const badges: Record<AiState['state'], { color: string; children: string }> = {
  ok: { color: 'green', children: 'Ready' },
  waiting: { color: 'yellow', children: 'Waiting' },
  trouble: { color: 'red', children: 'Needs you' },
  off: { color: 'gray', children: 'Not set up' },
};

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
    description: 'Used if a product has too few words to detect its language.',
    placeholder: 'German',
    charsMax: textPreferenceCharsMax,
    basis: '12rem',
  }),
  tone: text({
    label: 'Style of descriptions',
    description: 'Facts are checked in every style.',
    placeholder: 'Short and plain',
    charsMax: textPreferenceCharsMax,
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

/** Returns the mistakes. Costs can be calculated only with both prices and their currency. */
function mistakesOf({ currency, ...amounts }: Amounts & { currency: string }) {
  const { priceIn, priceOut, importCost, costPerDay } = amounts;
  const isPriced = [priceIn, priceOut, importCost, costPerDay].some((entered) => entered !== null);
  const missing = 'Enter both prices, so that costs can be calculated.';
  return {
    ...(isPriced && priceIn === null && { priceIn: missing }),
    ...(isPriced && priceOut === null && { priceOut: missing }),
    ...(priceIn !== null && currency === '' && { currency: 'Enter the currency of the prices.' }),
  };
}

/** After a change of the style, AI is asked again about products for which it has already answered. */
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
      'The address of the service up to its version, like https://api.openai.com/v1. The service must understand requests in the form of OpenAI’s chat completions.',
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

/** The entries are tested before they are saved. The key is never shown again. */
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
      <FormInputs form={form} />
      <TestFailure
        refusal={save.data?.ok === false ? save.data : null}
        error={save.error}
        title="Couldn’t save the AI service."
      />
      <SubmitRow label="Test and Save" isSaving={save.isPending} />
    </Form>
  );
}
