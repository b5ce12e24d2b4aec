import type { SourceState } from '@draftshelf/contract/enrich/sources';
import { enteredCharsMax } from '@draftshelf/contract/wire';
import { type KeyedSource, quotaRange } from '@draftshelf/domain/enrich/sources';
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/feedback/confirm.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import {
  Form,
  InputRow,
  Inputs,
  number,
  SaveFailure,
  SubmitRow,
  secret,
  useForm,
} from '../../../ui/form.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { useSourcesChange } from './sources-api.ts';

/** The key of a source and its quota. The key is tested before it is saved, and never shown again. */
export function SourceSettings({ source }: { source: SourceState }) {
  return (
    <Stack gap="sm" mt="sm">
      {source.key !== null && <KeySettings source={source} info={source.key} />}
      <QuotaForm source={source} />
    </Stack>
  );
}

type KeyProps = { source: SourceState; info: NonNullable<SourceState['key']> };

function KeySettings({ source, info }: KeyProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {info.source === 'none' && 'No key is saved.'}
        {info.source === 'server' && 'The key is set by the server.'}
        {info.savedAt !== null && (
          <>
            The key was saved <RelativeTime time={info.savedAt} />.
          </>
        )}
      </Text>
      {info.lockedBecause !== null && <Text size="sm">{info.lockedBecause}</Text>}
      {info.lockedBecause === null && <KeyForm source={source} isSaved={info.source === 'saved'} />}
      {info.source !== 'none' && (
        <Text size="sm" c="dimmed">
          Enter the quota of your plan below.
        </Text>
      )}
    </>
  );
}

const nameOf = ({ name }: SourceState) => name as KeyedSource;

const keyFieldsOf = ({ label }: SourceState) => ({
  key: secret({ label: `Key of ${label}`, charsMax: enteredCharsMax, missing: 'Enter the key.' }),
});

function KeyForm({ source, isSaved }: { source: SourceState; isSaved: boolean }) {
  const form = useForm({ fields: keyFieldsOf(source), initial: { key: '' } });
  const save = useCall('saveSourceKey', { params: { name: source.name } });
  const toast = useToast();
  return (
    <Form
      form={form}
      onSave={({ key }) =>
        save.mutate(
          { body: { key } },
          {
            onSuccess: ({ success, message }) => {
              if (!success) return;
              form.clear('key');
              toast({ title: 'Key saved', text: message });
            },
          },
        )
      }
    >
      <Inputs form={form} />
      {source.simulated && (
        <Text size="sm" c="dimmed">
          The simulated sources are used now. With a key, real ones replace them.
        </Text>
      )}
      {save.data?.success === false && (
        <ErrorPanel title={save.data.message} cause={save.data.cause}>
          Nothing was saved.
        </ErrorPanel>
      )}
      <SaveFailure error={save.error} title="Couldn’t save the key.">
        Nothing was saved.
      </SaveFailure>
      <SubmitRow label="Test and Save" isSaving={save.isPending}>
        <KeyRemoval source={source} isSaved={isSaved} />
      </SubmitRow>
    </Form>
  );
}

/** Stays mounted after removal; an unmounted mutation would not run `onSuccess`. */
function KeyRemoval({ source, isSaved }: { source: SourceState; isSaved: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const removal = useCall('removeSourceKey', { params: { name: source.name } });
  const toast = useToast();
  const remove = () =>
    removal.mutate({}, { onSuccess: ({ message }) => toast({ title: 'Key removed', text: message }) });
  return (
    <>
      {removal.isError && <ErrorPanel title="Couldn’t remove the key." cause={removal.error.message} />}
      {isSaved && (
        <Button variant="default" loading={removal.isPending} onClick={() => setAsking(true)}>
          Remove Key
        </Button>
      )}
      <Confirm
        opened={isAsking}
        title={`Remove the key of ${source.label}?`}
        confirm="Remove Key"
        keep="Keep Key"
        onConfirm={remove}
        onClose={() => setAsking(false)}
      >
        <Text size="sm">Values already found are kept.</Text>
      </Confirm>
    </>
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

/** The plan's quota: a paid one allows more than the free one that is set at first. */
function QuotaForm({ source }: { source: SourceState }) {
  const { perWindow, perDay } = source.quota;
  const form = useForm({ fields: quotaFieldsOf(source), initial: { perWindow, perDay } });
  const change = useSourcesChange();
  const toast = useToast();
  return (
    <Form
      form={form}
      label={`Quota of ${source.label}`}
      onSave={(quota) =>
        change.mutate(
          { body: { sources: [{ name: nameOf(source), ...quota }] } },
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
