import type { ImportAiState } from '@draftshelf/contract/enrich/ai';
import { privacySentences } from '@draftshelf/domain/enrich/ai/privacy-text';
import { Checkbox, Group, Skeleton, Stack } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { freshMs, pollMs, readOf } from '../../../api/call.ts';
import { capitalize, countOf, formatCount, moneyWords } from '../../../lib/intl.ts';
import { connectionsPath } from '../../../lib/paths.ts';
import { BodyText, PageLink, PlainButton, QuietText, SubtleButton } from '../../../ui/basics.tsx';
import { ReadView } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { SaveFailure } from '../../../ui/form.tsx';
import { HintedButton, TitledSection } from '../../../ui/hint.tsx';
import shared from '../import.module.css';
import type { ShownImport } from '../imports-api.ts';
import { fieldLabel } from '../mapping/mapping-words.ts';
import { useShowProposals } from '../rows-address.ts';
import classes from './proposals.module.css';

const proposable: readonly AskedField[] = ['description', 'type', 'vendor', 'tags'];
const choices: readonly AskedField[] = [...proposable, 'flags'];

/** The label of a field to ask about. Answers about 'flags' are remarks, shown with the product's proposals. */
const choiceLabel = (field: AskedField): string =>
  field === 'flags' ? 'Remarks about odd values' : fieldLabel(field);

export function AskAiPanel({ record }: { record: ShownImport }) {
  const [fields, setFields] = useState<readonly AskedField[]>(proposable);
  const reading = useAiOfImport(record.id, fields);
  return (
    <TitledSection id="ask-ai" title="Ask AI" gap="xs" headClass={shared.sectionHead}>
      <ReadView of={reading} what="the running request" meanwhile={<Skeleton height={180} aria-hidden />}>
        {(asking) => <Asking importId={record.id} asking={asking} fields={fields} onFields={setFields} />}
      </ReadView>
    </TitledSection>
  );
}

type AskingProps = {
  importId: string;
  asking: ImportAiState;
  fields: readonly AskedField[];
  onFields: (fields: readonly AskedField[]) => void;
};

function Asking({ importId, asking, fields, onFields }: AskingProps) {
  const isBusy = isAsking(asking);
  const text = statusOf(asking);
  const announced = useThrottledValue(text, announcedMs);
  const showProposals = useShowProposals();
  return (
    <>
      <div className="visually-hidden" role="status">
        {announced}
      </div>
      <Checkbox.Group
        label="Propose"
        value={[...fields]}
        onChange={(values) => onFields(values as AskedField[])}
      >
        <Group gap="sm" mt={4}>
          {choices.map((field) => (
            <Checkbox key={field} value={field} label={choiceLabel(field)} disabled={isBusy} />
          ))}
        </Group>
      </Checkbox.Group>
      {text !== '' && <BodyText className="numbers">{text}</BodyText>}
      <Refused refused={asking.refused} />
      {asking.proposals > 0 && (
        <Group>
          <SubtleButton size="compact-md" px={0} onClick={() => showProposals()}>
            Go to Proposals
          </SubtleButton>
        </Group>
      )}
      {/* The Stop button and the button that asks replace each other, so the focus moves between them. */}
      <Stack gap="sm" id="ask-actions" data-focus-next="#ask-actions button">
        {isBusy ? <StopButton importId={importId} /> : <Start {...{ importId, asking, fields }} />}
      </Stack>
      {asking.service === null ? null : (
        <details className={`break-words ${classes.details} size-sm`}>
          <summary>
            {asking.service.simulated
              ? 'A simulated service answers; nothing leaves this machine.'
              : `${asking.service.model} at ${asking.service.host} answers. What is sent?`}
          </summary>
          <QuietText>{privacySentences(asking.service).join(' ')}</QuietText>
        </details>
      )}
    </>
  );
}

/** Minimum time between announcements of the progress to screen readers. */
const announcedMs = 10_000;

/** Describes the state of the request. Returns '' if nothing has been asked yet. */
function statusOf(asking: ImportAiState): string {
  const { state, reason, failed } = asking;
  if (state === 'asking') return progressWords(asking);
  if (state === 'waiting') return `${progressWords(asking)}. ${reason ?? 'Asking waits.'}`;
  if (askedCount(asking) === 0 && asking.requests === 0) return state === 'stopped' ? (reason ?? '') : '';
  const without = failed === 0 ? '' : ` ${countOf(failed, 'product')} got no usable answer.`;
  const because = state === 'stopped' && reason !== null ? ` ${reason}` : '';
  return `${aiResultWords(asking)}${without}${because}`;
}

function Refused({ refused }: Pick<ImportAiState, 'refused'>) {
  const count = Object.values(refused).reduce((sum, count) => sum + count, 0);
  if (count === 0) return null;
  return (
    <details className={`break-words ${classes.details} size-sm`}>
      <summary>{countOf(count, 'value wasn’t proposed', 'values weren’t proposed')}</summary>
      <ul>
        {listRefusalCauses(refused).map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </details>
  );
}

function StopButton({ importId }: { importId: string }) {
  const stop = useCall('stopAi', { params: { id: importId } });
  return (
    <>
      <Group>
        <PlainButton loading={stop.isPending} onClick={() => stop.mutate({})}>
          Stop
        </PlainButton>
      </Group>
      <SaveFailure error={stop.error} title="Couldn’t stop asking." />
    </>
  );
}

function reasonNotToAsk(
  { state, reason, estimate }: ImportAiState,
  fields: readonly AskedField[],
): string | null {
  if (state === 'off') return reason ?? 'AI can’t be asked now.';
  if (fields.length === 0) return 'Choose what to propose.';
  if (fields.every((field) => field === 'flags'))
    return 'Also choose a field: remarks are shown only with proposals.';
  return estimate.products === 0 ? 'No product lacks any of these values.' : null;
}

/** The button that asks the AI, first about a sample, so that the operator sees the proposals and their cost. */
function Start({ importId, asking, fields }: Omit<AskingProps, 'onFields'>) {
  const ask = useCall('askAi', { params: { id: importId } });
  const { estimate } = asking;
  const reason = reasonNotToAsk(asking, fields);
  const sample = estimateSample(asking);
  const isAll = isAskedAlready(asking, [...fields]);
  const isSample = askedCount(asking) === 0 && sample.products < estimate.products;
  const words = isSample
    ? `Ask about ${formatCount(sample.products)} first: ${sample.words}`
    : isAll
      ? 'Ask Again'
      : askAllWords(asking);
  return (
    <>
      <BeforeAsking {...{ asking, reason, isAll }} />
      <Group>
        <HintedButton
          variant={isAll ? 'default' : 'filled'}
          reason={reason}
          loading={ask.isPending}
          onClick={() => ask.mutate({ body: { scope: isSample ? 'sample' : 'all', fields: [...fields] } })}
        >
          {reason === null ? words : 'Ask AI'}
        </HintedButton>
      </Group>
      <SaveFailure error={ask.error} title="Couldn’t ask the AI service." />
    </>
  );
}

type BeforeAskingProps = { asking: ImportAiState; reason: string | null; isAll: boolean };

function BeforeAsking({ asking, reason, isAll }: BeforeAskingProps) {
  if (reason !== null) {
    return (
      <BodyText>
        {reason}{' '}
        {asking.state === 'off' && asking.isInSettings && (
          <PageLink to={connectionsPath} size="sm">
            Open Settings
          </PageLink>
        )}
      </BodyText>
    );
  }
  if (isAll) {
    return (
      <BodyText>
        AI was asked about all of these products. If you ask again, only changed products are sent.
      </BodyText>
    );
  }
  const products = countOf(asking.estimate.products, 'product has', 'products have');
  const above = aboveLimitWords(asking);
  return (
    <>
      <BodyText className="numbers">
        {`About ${products} a short description or no value in one of these fields.`}
      </BodyText>
      {above !== null && <BodyText>{above}</BodyText>}
    </>
  );
}

type AskedField = ImportAiState['fields'][number];

/** True while the request runs or waits to continue. */
const isAsking = ({ state }: Pick<ImportAiState, 'state'>): boolean =>
  state === 'asking' || state === 'waiting';

/** Reads the state of the request, with an estimate for `fields`. */
function useAiOfImport(importId: string, fields: readonly AskedField[]) {
  const query = fields.length === 0 ? {} : { fields: fields.join(',') };
  return useQuery({
    ...readOf('readAiOfImport', { params: { id: importId }, query }),
    // Read again at this age, because a change of the settings may turn AI on or off.
    staleTime: freshMs,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isAsking(data) ? pollMs.asking : false),
    placeholderData: keepPreviousData,
  });
}

type Cost = { cost: number | null; currency: string | null };

/** Example: 'about $0.60', or 'about 1,200,000 tokens' if the prices of tokens are unknown. */
export function estimatedCostWords({ tokens, cost, currency }: Cost & { tokens: number }): string {
  if (cost === null) return `about ${countOf(tokens, 'token')}`;
  const words = moneyWords(cost, currency);
  return words.startsWith('under ') ? words : `about ${words}`;
}

const askedCount = ({ answered, failed }: Pick<ImportAiState, 'answered' | 'failed'>): number =>
  answered + failed;

export function progressWords(asking: ImportAiState): string {
  const askedWords = `${formatCount(askedCount(asking))} of ${formatCount(asking.expected)} asked`;
  return [askedWords, ...usageWords(asking)].join(' · ');
}

export function aiResultWords(asking: ImportAiState): string {
  const proposals = asking.proposals === 0 ? 'no proposals' : countOf(asking.proposals, 'proposal');
  const use = asking.requests === 0 ? 'Nothing was sent' : usageWords(asking).join(', ');
  return `${countOf(askedCount(asking), 'product')} asked; ${proposals}. ${capitalize(use)}.`;
}

/** Returns the tokens and the cost so far, with the limit of an import. */
function usageWords({ tokens, cost, currency, isAtMost, limits }: ImportAiState): string[] {
  const most = isAtMost ? 'at most ' : '';
  if (cost === null) return [`${most}${formatCount(tokens)} of ${countOf(limits.importTokens, 'token')}`];
  const limit = limits.importCost === null ? '' : ` of ${moneyWords(limits.importCost, currency)}`;
  const money = moneyWords(cost, currency);
  return [`${most}${countOf(tokens, 'token')}`, `${money.startsWith('under ') ? '' : most}${money}${limit}`];
}

export function askAllWords({ estimate, currency }: Pick<ImportAiState, 'estimate' | 'currency'>): string {
  const { products } = estimate;
  const which = products === 1 ? '1 product' : `all ${formatCount(products)}`;
  return `Ask about ${which}: ${estimatedCostWords({ ...estimate, currency })}`;
}

/** Null if the estimate does not exceed the limits of an import. */
export function aboveLimitWords({ tokens, cost, currency, estimate, limits }: ImportAiState): string | null {
  const { importTokens, importCost } = limits;
  const sentence = (limit: string) =>
    `That’s above the limit of ${limit} for an import, so asking will stop at the limit. You can raise the limit in Settings.`;
  const isAboveCost = importCost !== null && (cost ?? 0) + (estimate.cost ?? 0) > importCost;
  if (isAboveCost) return sentence(moneyWords(importCost, currency));
  return tokens + estimate.tokens > importTokens ? sentence(countOf(importTokens, 'token')) : null;
}

/** True if all products were asked about exactly these fields. Any other set of fields would be sent again. */
export function isAskedAlready(asking: ImportAiState, fields: ImportAiState['fields']): boolean {
  const count = askedCount(asking);
  const isSame =
    fields.length === asking.fields.length && fields.every((field) => asking.fields.includes(field));
  return isSame && count > 0 && count >= asking.estimate.products;
}

const sampleMax = 5;

export function estimateSample({ estimate, currency }: Pick<ImportAiState, 'estimate' | 'currency'>) {
  const products = Math.min(sampleMax, estimate.products);
  const share = estimate.products === 0 ? 0 : products / estimate.products;
  const cost = estimate.cost === null ? null : estimate.cost * share;
  return {
    products,
    words: estimatedCostWords({ tokens: Math.ceil(estimate.tokens * share), cost, currency }),
  };
}

const causes: Record<keyof ImportAiState['refused'], string> = {
  malformed: 'no answer in the right form',
  facts: 'facts that the row doesn’t have',
  length: 'too short or too long',
  html: 'markup that isn’t allowed',
  other: 'addresses, prices or other texts that don’t belong there',
};

/** Returns the causes of refused answers, most frequent first. Example: '12: facts that the row doesn’t have'. */
export const listRefusalCauses = (refused: ImportAiState['refused']): string[] =>
  (Object.keys(causes) as (keyof typeof causes)[])
    .filter((cause) => refused[cause] > 0)
    .sort((a, b) => refused[b] - refused[a])
    .map((cause) => `${formatCount(refused[cause])}: ${causes[cause]}`);
