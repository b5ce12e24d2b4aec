import type { AiOfImport } from '@draftshelf/contract/enrich/ai';
import { privacyText } from '@draftshelf/domain/enrich/ai/privacy-text';
import { Checkbox, Group, Skeleton, Stack } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { freshMs, pollMs, readOf } from '../../../api/read.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { PlainButton, SubtleButton } from '../../../ui/button.tsx';
import { Read } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { SaveFailure } from '../../../ui/form.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { BodyText, PageLink, QuietText } from '../../../ui/text.tsx';
import { TitledSection } from '../../../ui/titled-section.tsx';
import shared from '../import.module.css';
import type { ShownImport } from '../imports-api.ts';
import { fieldLabel } from '../mapping/mapping-words.ts';
import { useShowProposals } from '../use-details.ts';
import {
  aboveLimitWords,
  askAllWords,
  askedCount,
  isAskedAlready,
  progressWords,
  refusedCount,
  refusedWords,
  resultWords,
  sampleOf,
} from './ask-words.ts';
import classes from './proposals.module.css';

const proposable: readonly AskedField[] = ['description', 'type', 'vendor', 'tags'];
const choices: readonly AskedField[] = [...proposable, 'flags'];

/** Remarks are shown with the proposals of their product. */
const choiceLabel = (field: AskedField): string =>
  field === 'flags' ? 'Remarks about odd values' : fieldLabel(field);

export function AskAiPanel({ record }: { record: ShownImport }) {
  const [fields, setFields] = useState<readonly AskedField[]>(proposable);
  const reading = useAiOfImport(record.id, fields);
  return (
    <TitledSection id="ask-ai" title="Ask AI" gap="xs" headClass={shared.sectionHead}>
      <Read of={reading} what="the running request" meanwhile={<Skeleton height={180} aria-hidden />}>
        {(asking) => <Asking importId={record.id} asking={asking} fields={fields} onFields={setFields} />}
      </Read>
    </TitledSection>
  );
}

type AskingProps = {
  importId: string;
  asking: AiOfImport;
  fields: readonly AskedField[];
  onFields: (fields: readonly AskedField[]) => void;
};

function Asking({ importId, asking, fields, onFields }: AskingProps) {
  const isBusy = isAsking(asking);
  const text = statusOf(asking);
  const announced = useThrottledValue(text, announcedMs);
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
      {asking.proposals > 0 && <ToProposals />}
      {/* Stop and the button that asks replace each other. */}
      <Stack gap="sm" id="ask-actions" data-focus-next="#ask-actions button">
        {isBusy ? <StopButton importId={importId} /> : <Start {...{ importId, asking, fields }} />}
      </Stack>
      <Privacy service={asking.service} />
    </>
  );
}

/** Screen readers hear the progress at most this often. */
const announcedMs = 10_000;

/** '' if nothing was asked yet. */
function statusOf(asking: AiOfImport): string {
  const { state, reason, failed } = asking;
  if (state === 'asking') return progressWords(asking);
  if (state === 'waiting') return `${progressWords(asking)}. ${reason ?? 'Asking waits.'}`;
  if (askedCount(asking) === 0 && asking.requests === 0) return state === 'stopped' ? (reason ?? '') : '';
  const without = failed === 0 ? '' : ` ${countOf(failed, 'product')} had no answer that could be used.`;
  const because = state === 'stopped' && reason !== null ? ` ${reason}` : '';
  return `${resultWords(asking)}${without}${because}`;
}

function ToProposals() {
  const showProposals = useShowProposals();
  return (
    <Group>
      <SubtleButton size="compact-md" px={0} onClick={() => showProposals()}>
        Go to Proposals
      </SubtleButton>
    </Group>
  );
}

function Refused({ refused }: Pick<AiOfImport, 'refused'>) {
  const count = refusedCount(refused);
  if (count === 0) return null;
  return (
    <details className={`break-words ${classes.details} size-sm`}>
      <summary>{countOf(count, 'value wasn’t proposed', 'values weren’t proposed')}</summary>
      <ul>
        {refusedWords(refused).map((words) => (
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

/** Null: asking is possible. */
function reasonNotToAsk(
  { state, reason, estimate }: AiOfImport,
  fields: readonly AskedField[],
): string | null {
  if (state === 'off') return reason ?? 'Nothing can be asked now.';
  if (fields.length === 0) return 'Choose what to propose.';
  if (fields.every((field) => field === 'flags'))
    return 'Choose a field too: remarks are shown with proposals.';
  return estimate.products === 0 ? 'No product lacks any of these.' : null;
}

/** Asks about a sample first, so that the operator sees proposals and their cost before the rest. */
function Start({ importId, asking, fields }: Omit<AskingProps, 'onFields'>) {
  const ask = useCall('askAi', { params: { id: importId } });
  const { estimate } = asking;
  const reason = reasonNotToAsk(asking, fields);
  const sample = sampleOf(asking);
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
        <ReasonedButton
          variant={isAll ? 'default' : 'filled'}
          reason={reason}
          loading={ask.isPending}
          onClick={() => ask.mutate({ body: { scope: isSample ? 'sample' : 'all', fields: [...fields] } })}
        >
          {reason === null ? words : 'Ask AI'}
        </ReasonedButton>
      </Group>
      <SaveFailure error={ask.error} title="Couldn’t ask the AI service." />
    </>
  );
}

type BeforeAskingProps = { asking: AiOfImport; reason: string | null; isAll: boolean };

function BeforeAsking({ asking, reason, isAll }: BeforeAskingProps) {
  if (reason !== null) {
    return (
      <BodyText>
        {reason}{' '}
        {asking.state === 'off' && asking.isInSettings && (
          <PageLink to="/settings" size="sm">
            Open Settings
          </PageLink>
        )}
      </BodyText>
    );
  }
  if (isAll) {
    return <BodyText>All of these were asked. Asking again sends only products that have changed.</BodyText>;
  }
  const products = countOf(asking.estimate.products, 'product has', 'products have');
  const above = aboveLimitWords(asking);
  return (
    <>
      <BodyText className="numbers">
        {`About ${products} an empty field among these, or a short description.`}
      </BodyText>
      {above !== null && <BodyText>{above}</BodyText>}
    </>
  );
}

const Privacy = ({ service }: Pick<AiOfImport, 'service'>) =>
  service === null ? null : (
    <details className={`break-words ${classes.details} size-sm`}>
      <summary>
        {service.simulated
          ? 'A simulated service answers; nothing leaves this machine.'
          : `${service.model} at ${service.host} answers. What is sent?`}
      </summary>
      <QuietText>{privacyText(service).join(' ')}</QuietText>
    </details>
  );

type AskedField = AiOfImport['fields'][number];

/** Also true while asking waits. */
const isAsking = ({ state }: Pick<AiOfImport, 'state'>): boolean => state === 'asking' || state === 'waiting';

/** Includes an estimate for `fields`. */
function useAiOfImport(importId: string, fields: readonly AskedField[]) {
  const query = fields.length === 0 ? {} : { fields: fields.join(',') };
  return useQuery({
    ...readOf('readAiOfImport', { params: { id: importId }, query }),
    // Settings decide whether it is on.
    staleTime: freshMs,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isAsking(data) ? pollMs.asking : false),
    placeholderData: keepPreviousData,
  });
}
