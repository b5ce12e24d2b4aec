import type { AiOfImport } from '@draftshelf/contract/ai';
import { privacyText } from '@draftshelf/domain/ai/privacy-text';
import { Anchor, Checkbox, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { type AskedField, isAsking, useAiOfImport, useAsking, useAskingStop } from '../../api/ask-ai.ts';
import { CallError } from '../../api/call.ts';
import type { ShownImport } from '../../api/imports.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { Button } from '../button.tsx';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { ReasonedButton } from '../reasoned-button.tsx';
import classes from './ask-ai.module.css';
import {
  askAllWords,
  askedCount,
  progressWords,
  refusedCount,
  refusedWords,
  resultWords,
  sampleOf,
} from './ask-words.ts';
import { useSlowly } from './use-slowly.ts';

const fieldNames: Record<AskedField, string> = {
  description: 'Description',
  type: 'Product type',
  vendor: 'Brand',
  tags: 'Tags',
  flags: 'Remarks on these',
};
const fieldsAtFirst: readonly AskedField[] = ['description', 'type', 'vendor', 'tags'];

type AskAiPanelProps = {
  record: ShownImport;
  /** Whether the operator has opened it, and gets the focus there. */
  isCalled: boolean;
  onClose: () => void;
};

/** Asks the AI service for proposals: fields, a sample first, costs before, during and after, and Stop. */
export function AskAiPanel({ record, isCalled, onClose }: AskAiPanelProps) {
  const [fields, setFields] = useState<readonly AskedField[]>(fieldsAtFirst);
  const reading = useAiOfImport(record.id, fields);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isCalled) heading.current?.focus();
  }, [isCalled]);
  const { data, error } = reading;
  return (
    <section className="panel" aria-labelledby="ask-ai">
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} id="ask-ai" tabIndex={-1} ref={heading}>
            Ask AI
          </Title>
          <Button size="compact-md" variant="subtle" color="gray" aria-label="Close Ask AI" onClick={onClose}>
            Close
          </Button>
        </Group>
        {data === undefined && error === null && <Skeleton height={180} aria-hidden />}
        {error !== null && (
          <ErrorPanel title="Couldn’t load what is asked." cause={error.message}>
            <Button onClick={() => void reading.refetch()}>Try Again</Button>
          </ErrorPanel>
        )}
        {data !== undefined && (
          <Asking importId={record.id} asking={data} fields={fields} onFields={setFields} />
        )}
      </Stack>
    </section>
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
  const announced = useSlowly(text, announcedMs);
  return (
    <>
      <div className="visually-hidden" role="status">
        {announced}
      </div>
      <Checkbox.Group
        label="Propose"
        value={[...fields]}
        onChange={(chosen) => onFields(chosen as AskedField[])}
      >
        <Group gap="sm" mt={4}>
          {(Object.keys(fieldNames) as AskedField[]).map((field) => (
            <Checkbox key={field} value={field} label={fieldNames[field]} disabled={isBusy} />
          ))}
        </Group>
      </Checkbox.Group>
      {text !== '' && (
        <Text size="sm" className="numbers">
          {text}
        </Text>
      )}
      <Refused refused={asking.refused} />
      {isBusy ? <StopButton importId={importId} /> : <Start {...{ importId, asking, fields }} />}
      <Privacy service={asking.service} />
    </>
  );
}

/** Screen readers hear of the progress at most this often. */
const announcedMs = 10_000;

/** The asking in one or two sentences; '': nothing was asked yet. */
function statusOf(asking: AiOfImport): string {
  const { state, reason, failed } = asking;
  if (state === 'asking') return progressWords(asking);
  if (state === 'waiting') return `${progressWords(asking)}. ${reason ?? 'Asking waits.'}`;
  if (askedCount(asking) === 0 && asking.requests === 0) return state === 'stopped' ? (reason ?? '') : '';
  const without = failed === 0 ? '' : ` ${countOf(failed, 'product')} had no answer that could be used.`;
  const because = state === 'stopped' && reason !== null ? ` ${reason}` : '';
  return `${resultWords(asking)}${without}${because}`;
}

/** The values that were dropped, by cause. */
function Refused({ refused }: Pick<AiOfImport, 'refused'>) {
  const count = refusedCount(refused);
  if (count === 0) return null;
  return (
    <details className={classes.details}>
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
  const stop = useAskingStop(importId);
  return (
    <>
      <Group>
        <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
          Stop
        </Button>
      </Group>
      {stop.isError && <ErrorPanel title="Couldn’t stop asking." cause={stop.error.message} />}
    </>
  );
}

/** The sample first, then all: so that the operator has seen proposals and their cost before. */
function Start({ importId, asking, fields }: Omit<AskingProps, 'onFields'>) {
  const ask = useAsking(importId);
  const { estimate, state } = asking;
  const off = state === 'off' ? asking.reason : null;
  const empty = fields.length === 0 ? 'Choose what to propose.' : null;
  const none = estimate.products === 0 ? 'No product lacks any of these.' : null;
  const reason = off ?? empty ?? none;
  const sample = sampleOf(asking);
  const wasAsked = askedCount(asking) > 0;
  const isAll = wasAsked && askedCount(asking) >= estimate.products;
  const start = (scope: 'sample' | 'all') => ask.mutate({ scope, fields: [...fields] });
  return (
    <>
      {off !== null && (
        <Text size="sm">
          {off}{' '}
          <Anchor component={Link} to="/settings" size="sm">
            Open Settings
          </Anchor>
        </Text>
      )}
      {off === null && !wasAsked && (
        <Text size="sm" className="numbers">
          {none ??
            `About ${countOf(estimate.products, 'product lacks', 'products lack')} one of these, or have a short description.`}
        </Text>
      )}
      {isAll && (
        <Text size="sm">All of these were asked. Asking again sends only products that have changed.</Text>
      )}
      <Group>
        {wasAsked || sample.products === estimate.products ? (
          <ReasonedButton
            variant={isAll ? 'default' : 'filled'}
            reason={reason}
            loading={ask.isPending}
            onClick={() => start('all')}
          >
            {reason === null ? (isAll ? 'Ask Again' : askAllWords(asking)) : 'Ask AI'}
          </ReasonedButton>
        ) : (
          <ReasonedButton reason={reason} loading={ask.isPending} onClick={() => start('sample')}>
            {reason === null ? `Ask about ${formatCount(sample.products)} first: ${sample.words}` : 'Ask AI'}
          </ReasonedButton>
        )}
      </Group>
      {ask.isError && (
        <ErrorPanel
          title={(ask.error instanceof CallError ? ask.error.serverMessage : null) ?? 'Couldn’t ask.'}
          cause={ask.error.message}
        />
      )}
    </>
  );
}

/** Where products go, and what is sent of them. */
function Privacy({ service }: Pick<AiOfImport, 'service'>) {
  if (service === null) return null;
  return (
    <details className={classes.details}>
      <summary>
        {service.simulated
          ? 'A simulated service answers; nothing leaves this machine.'
          : `${service.model} at ${service.host} answers. What is sent?`}
      </summary>
      <Text size="sm" c="dimmed">
        {privacyText(service).join(' ')}
      </Text>
    </details>
  );
}
