import type { SourceState } from '@draftshelf/contract/enrich/sources';
import { enteredCharsMax } from '@draftshelf/contract/wire';
import { type KeyedSource, quotaRange } from '@draftshelf/domain/enrich/sources';
import { Group, Progress, Skeleton, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { showChange } from '../../../api/assume.ts';
import { type CallRequest, type Reply, readOf, toCacheKey } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import {
  BodyText,
  ClockTime,
  PlainButton,
  QuietText,
  RelativeTime,
  SmallButton,
} from '../../../ui/basics.tsx';
import { ConfirmedButton } from '../../../ui/feedback/confirm.tsx';
import { ErrorPanel, ReadView } from '../../../ui/feedback/read.tsx';
import { toast } from '../../../ui/feedback/toast-state.ts';
import { useCall } from '../../../ui/feedback/use-call.ts';
import {
  Form,
  FormInputs,
  InputRow,
  number,
  SaveFailure,
  Setting,
  SubmitRow,
  secret,
  TestFailure,
  useForm,
} from '../../../ui/form.tsx';
import { blockedSourceWords, quotaWords } from './lookup-words.ts';

export function SourceQuotas() {
  const change = useSourcesChange('Couldn’t change the service');
  const save = (sources: SourceChanges) => change.mutate({ body: { sources } });
  const moveUp = (all: readonly SourceState[], at: number) => {
    const [lower, upper] = [all[at], all[at - 1]];
    if (!lower || !upper) return;
    const order = all.with(at - 1, lower).with(at, upper);
    save(order.map(({ name }, position) => ({ name: name as NameOf, position })));
  };
  return (
    <ReadView
      of={useQuery(readOf('listSources'))}
      what="the UPC services"
      meanwhile={<Skeleton height={160} />}
    >
      {(all) => (
        <div>
          <ul className="list" aria-label="UPC services">
            {all.map((source, at) => (
              <SourceLine
                key={source.name}
                source={source}
                busy={change.isPending}
                onSwitch={(enabled) => save([{ name: source.name as NameOf, enabled }])}
                onUp={at === 0 ? null : () => moveUp(all, at)}
              />
            ))}
          </ul>
          <ForgetButton />
        </div>
      )}
    </ReadView>
  );
}

type SourceChanges = NonNullable<CallRequest<'changeSources'>['body']>['sources'];
type NameOf = SourceChanges[number]['name'];

type SourceLineProps = {
  source: SourceState;
  busy: boolean;
  onSwitch: (enabled: boolean) => void;
  onUp: (() => void) | null;
};

function SourceLine({ source, busy, onSwitch, onUp }: SourceLineProps) {
  const { quota, label } = source;
  const [isOpen, setOpen] = useState(false);
  const left = Math.max(0, quota.perDay - quota.day);
  return (
    <li className="line-above">
      <Setting
        beside={
          <div className="row to-the-end">
            {onUp !== null && (
              <SmallButton busy={busy} onClick={onUp} aria-label={`Move Up: ask ${label} earlier`}>
                Move Up
              </SmallButton>
            )}
            <SmallButton
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              aria-label={`${source.key === null ? 'Quota' : 'Key and quota'} of ${label}`}
            >
              {source.key === null ? 'Quota' : 'Key and Quota'}
            </SmallButton>
          </div>
        }
      >
        <Switch
          label={label}
          checked={source.enabled}
          disabled={busy || source.keyMissing}
          description={descriptionOf(source)}
          onChange={(event) => onSwitch(event.currentTarget.checked)}
        />
      </Setting>
      {source.enabled && (
        <Stack gap={4} pb="sm">
          <Progress
            value={(100 * quota.day) / quota.perDay}
            aria-label={`Calls to ${label} in a day`}
            size="sm"
          />
          <QuietText className="numbers">
            {`${quotaWords(quota)}. ${formatCount(quota.day)} of ${countOf(quota.perDay, 'call')} used, ${formatCount(left)} left. `}
            {quota.freeAt !== null && (
              <>
                Calls are free again from <ClockTime time={quota.freeAt} />.
              </>
            )}
          </QuietText>
          {source.blockedUntil !== null && (
            <BodyText role="status">
              {blockedSourceWords(source.blockedBecause, { ...quota, left })}{' '}
              <ClockTime time={source.blockedUntil} />.
            </BodyText>
          )}
        </Stack>
      )}
      {isOpen && <SourceSettings source={source} />}
    </li>
  );
}

function descriptionOf({ keyMissing, simulated }: SourceState): string | null {
  if (keyMissing) return 'Needs a key.';
  return simulated ? 'Simulated until you connect a real store or save a key.' : null;
}

function ForgetButton() {
  const forget = useCall('forgetAnswers', {
    failed: 'Couldn’t forget the answers',
    done: ({ forgotten }) => ({
      title: 'Answers forgotten',
      text: `${countOf(forgotten, 'answer')} forgotten. Products keep their values.`,
    }),
  });
  return (
    <Group justify="space-between" pt="sm" className="line-above">
      <QuietText>Answers are kept for 180 days, so no code is looked up twice.</QuietText>
      <PlainButton loading={forget.isPending} onClick={() => forget.mutate({ body: {} })}>
        Forget Answers
      </PlainButton>
    </Group>
  );
}

/** The key and the quota of a source. The server tests a key before it saves the key, and never returns the key. */
function SourceSettings({ source }: { source: SourceState }) {
  const { key } = source;
  return (
    <Stack gap="sm" pb="md">
      {key !== null && (
        <>
          <QuietText>
            {key.source === 'none' && 'No key is saved.'}
            {key.source === 'server' && 'The key is set by the server.'}
            {key.savedAt !== null && (
              <>
                The key was saved <RelativeTime time={key.savedAt} />.
              </>
            )}
          </QuietText>
          {key.lockedBecause !== null && <BodyText>{key.lockedBecause}</BodyText>}
          {key.lockedBecause === null && <KeyForm source={source} isSaved={key.source === 'saved'} />}
          {key.source !== 'none' && <QuietText>Enter the quota of your plan below.</QuietText>}
        </>
      )}
      <QuotaForm source={source} />
    </Stack>
  );
}

function KeyForm({ source, isSaved }: { source: SourceState; isSaved: boolean }) {
  const form = useForm({
    fields: {
      key: secret({ label: `Key of ${source.label}`, charsMax: enteredCharsMax, missing: 'Enter the key.' }),
    },
    initial: { key: '' },
  });
  const save = useCall('saveSourceKey', {
    params: { name: source.name },
    done: ({ success, message }) => success && { title: 'Key saved', text: message },
    onSuccess: ({ success }) => success && form.clear('key'),
  });
  const removal = useCall('removeSourceKey', {
    params: { name: source.name },
    done: ({ message }) => ({ title: 'Key removed', text: message }),
  });
  return (
    <Form form={form} onSave={({ key }) => save.mutate({ body: { key } })}>
      <FormInputs form={form} />
      {source.simulated && (
        <QuietText>The simulated sources are used now. With a key, real ones replace them.</QuietText>
      )}
      <TestFailure
        refusal={save.data?.success === false ? save.data : null}
        error={save.error}
        title="Couldn’t save the key."
      />
      <SubmitRow label="Test and Save" isSaving={save.isPending}>
        {removal.isError && <ErrorPanel title="Couldn’t remove the key." cause={removal.error.message} />}
        <ConfirmedButton
          button={(ask) =>
            isSaved && (
              <PlainButton loading={removal.isPending} onClick={ask}>
                Remove Key
              </PlainButton>
            )
          }
          title={`Remove the key of ${source.label}?`}
          confirm="Remove Key"
          keep="Keep Key"
          onConfirm={() => removal.mutate({})}
        >
          <BodyText>Values already found are kept.</BodyText>
        </ConfirmedButton>
      </SubmitRow>
    </Form>
  );
}

const quotaFieldsOf = ({ quota }: SourceState) => ({
  perWindow: number({
    label: quota.windowMs === 60_000 ? 'Calls in a minute' : 'Calls in a window',
    basis: '9rem',
    ...quotaRange,
  }),
  perDay: number({ label: 'Calls in a day', basis: '9rem', ...quotaRange }),
});

function QuotaForm({ source }: { source: SourceState }) {
  const { perWindow, perDay } = source.quota;
  const form = useForm({ fields: quotaFieldsOf(source), initial: { perWindow, perDay } });
  const change = useSourcesChange();
  return (
    <Form
      form={form}
      label={`Quota of ${source.label}`}
      onSave={(quota) =>
        change.mutate(
          { body: { sources: [{ name: source.name as KeyedSource, ...quota }] } },
          {
            onSuccess: () =>
              toast({ title: 'Quota saved', text: `Up to ${countOf(quota.perDay, 'call')} in a day.` }),
          },
        )
      }
    >
      <InputRow form={form} align="flex-end">
        <SubmitRow label="Save Quota" isSaving={change.isPending} />
      </InputRow>
      <SaveFailure error={change.error} title="Couldn’t save the quota." />
    </Form>
  );
}

const useSourcesChange = (failed?: string) =>
  useCall('changeSources', {
    failed,
    assume: (client, { body }) =>
      showChange<Reply<'listSources'>>(client, { queryKey: toCacheKey('listSources') }, (sources) =>
        changedSources(sources, body?.sources ?? []),
      ),
    onSuccess: (sources, _request, client) => client.setQueryData(toCacheKey('listSources'), sources),
  });

/** Applies changed switches and positions before the server's reply. Quotas are shown only after the reply. */
function changedSources(sources: Reply<'listSources'>, changes: SourceChanges): Reply<'listSources'> {
  const switched = sources.map((source) => {
    const change = changes.find(({ name }) => name === source.name);
    return change?.enabled === undefined ? source : { ...source, enabled: change.enabled };
  });
  const places = changes.flatMap(({ name, position }) =>
    position === undefined ? [] : [{ name, position }],
  );
  const moved = switched.filter(({ name }) => places.every((place) => place.name !== name));
  for (const { name, position } of places.toSorted((a, b) => a.position - b.position)) {
    moved.splice(position, 0, ...switched.filter((source) => source.name === name));
  }
  return moved;
}
