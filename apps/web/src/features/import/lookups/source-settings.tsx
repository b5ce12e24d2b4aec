import type { SourceState } from '@draftshelf/contract/enrich/sources';
import type { KeyedSource } from '@draftshelf/domain/enrich/sources';
import { Group, NumberInput, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CallError } from '../../../api/call.ts';
import { countOf } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/feedback/confirm.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { RelativeTime } from '../../../ui/time.tsx';
import { useSourceKeyRemoval, useSourceKeySave, useSourcesChange } from './sources-api.ts';

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

function KeyForm({ source, isSaved }: { source: SourceState; isSaved: boolean }) {
  const [key, setKey] = useState('');
  const [missing, setMissing] = useState(false);
  const save = useSourceKeySave();
  const toast = useToast();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(key.trim() === '');
    if (key.trim() === '') return;
    save.mutate(
      { name: nameOf(source), key: key.trim() },
      {
        onSuccess: ({ success, message }) => {
          if (!success) return;
          setKey('');
          toast({ title: 'Key Saved', text: message });
        },
      },
    );
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <PasswordInput
          label={`Key of ${source.label}`}
          value={key}
          error={missing ? 'Enter the key.' : undefined}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setKey(event.currentTarget.value)}
        />
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
        {save.isError && <SaveError error={save.error} />}
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            Test and Save
          </Button>
          <KeyRemoval source={source} isSaved={isSaved} />
        </Group>
      </Stack>
    </form>
  );
}

function SaveError({ error }: { error: Error }) {
  const sentence = error instanceof CallError ? error.serverMessage : null;
  return (
    <ErrorPanel title={sentence ?? 'Couldn’t save the key.'} cause={error.message}>
      Nothing was saved.
    </ErrorPanel>
  );
}

/** Stays mounted after removal; an unmounted mutation would not run `onSuccess`. */
function KeyRemoval({ source, isSaved }: { source: SourceState; isSaved: boolean }) {
  const [asking, setAsking] = useState(false);
  const removal = useSourceKeyRemoval();
  const toast = useToast();
  const remove = () =>
    removal.mutate(nameOf(source), {
      onSuccess: ({ message }) => toast({ title: 'Key Removed', text: message }),
    });
  return (
    <>
      {removal.isError && <ErrorPanel title="Couldn’t remove the key." cause={removal.error.message} />}
      {isSaved && (
        <Button variant="default" loading={removal.isPending} onClick={() => setAsking(true)}>
          Remove Key
        </Button>
      )}
      <Confirm
        opened={asking}
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

const callsMax = 1_000_000;

/** The plan's quota: a paid one allows more than the free one that is set at first. */
function QuotaForm({ source: { name, label, quota } }: { source: SourceState }) {
  const [perWindow, setPerWindow] = useState<number | string>(quota.perWindow);
  const [perDay, setPerDay] = useState<number | string>(quota.perDay);
  const change = useSourcesChange();
  const toast = useToast();
  const isCount = (entered: number | string) => typeof entered === 'number' && entered >= 1;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isCount(perWindow) || !isCount(perDay)) return;
    change.mutate([{ name: name as KeyedSource, perWindow: Number(perWindow), perDay: Number(perDay) }], {
      onSuccess: () =>
        toast({ title: 'Quota Saved', text: `Up to ${countOf(Number(perDay), 'call')} in a day.` }),
    });
  };
  const field = (value: number | string, onChange: (entered: number | string) => void) => ({
    ...{ value, onChange, min: 1, max: callsMax, allowDecimal: false, clampBehavior: 'strict' as const },
    error: isCount(value) ? undefined : 'Enter a number.',
    style: { flex: '1 1 9rem' },
  });
  return (
    <form onSubmit={submit} noValidate aria-label={`Quota of ${label}`}>
      <Group gap="sm" align="flex-end">
        <NumberInput
          label={quota.windowMs === 60_000 ? 'Calls in a minute' : 'Calls in a window'}
          {...field(perWindow, setPerWindow)}
        />
        <NumberInput label="Calls in a day" {...field(perDay, setPerDay)} />
        <Button type="submit" variant="default" loading={change.isPending}>
          Save Quota
        </Button>
      </Group>
      {change.isError && <ErrorPanel title="Couldn’t save the quota." cause={change.error.message} />}
    </form>
  );
}
