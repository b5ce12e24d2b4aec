import type { Connection } from '@draftshelf/contract/access/connections';
import { Group, List, PasswordInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { useCredentialsRemoval, useCredentialsSave } from '../../api/connections.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/feedback/confirm.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { credentialsOf, type Entered, noneEntered } from './entered-credentials.ts';

type Info = NonNullable<Connection['details']['credentials']>;

/** The store's address and credentials. They are tested before they are saved, and never shown again. */
export function CredentialsForm({ info }: { info: Info }) {
  return (
    <Stack gap="sm" mt="sm" aria-label="Store credentials" component="section">
      {info.isDemo ? <ConnectSteps /> : <CurrentCredentials info={info} />}
      {info.lockedBecause === null ? (
        <>
          <EntryForm info={info} />
          {info.source === 'saved' && !info.isDemo && <Removal />}
        </>
      ) : (
        <Text size="sm">{info.lockedBecause}</Text>
      )}
    </Stack>
  );
}

/** The way to a store of one's own; docs/STORE.md goes through it. */
function ConnectSteps() {
  return (
    <List type="ordered" size="sm">
      <List.Item>
        In Shopify’s Dev Dashboard, create an app with the scopes write_products, read_locations and
        write_inventory, and release it.
      </List.Item>
      <List.Item>Install the app on your store.</List.Item>
      <List.Item>Enter the app’s client ID and secret here. They are tested before they are saved.</List.Item>
    </List>
  );
}

const kindWords = { token: 'an access token', app: 'a client ID and secret' } as const;

function CurrentCredentials({ info: { source, kind, storeUrl, savedAt } }: { info: Info }) {
  if (source === 'none' || kind === null) return null;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {`${storeUrl} with ${kindWords[kind]}, ${source === 'server' ? 'set by the server' : 'saved '}`}
      {savedAt !== null && <RelativeTime time={savedAt} />}
    </Text>
  );
}

function EntryForm({ info }: { info: Info }) {
  const [entered, setEntered] = useState<Entered>(
    info.isDemo ? { ...noneEntered, kind: 'app' } : { ...noneEntered, storeUrl: info.storeUrl ?? '' },
  );
  const [missing, setMissing] = useState<Partial<Record<keyof Entered, string>>>({});
  const save = useCredentialsSave();
  const toast = useToast();
  const set = (change: Partial<Entered>) => setEntered({ ...entered, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = credentialsOf(entered);
    setMissing(read.missing);
    if (read.credentials === null) return;
    save.mutate(read.credentials, {
      onSuccess: ({ success, message }) => {
        if (!success) return;
        setEntered({ ...noneEntered, storeUrl: entered.storeUrl });
        toast({ title: 'Store Connected', text: message });
      },
    });
  };
  const field = (name: keyof Entered) => ({
    value: entered[name],
    error: missing[name],
    maxLength: 500,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput label="Store address" placeholder="my-store.myshopify.com" {...field('storeUrl')} />
        <SegmentedControl
          aria-label="Kind of credentials"
          data={[
            { value: 'token', label: 'Access token' },
            { value: 'app', label: 'Client ID and secret' },
          ]}
          value={entered.kind}
          onChange={(kind) => set({ kind: kind === 'app' ? 'app' : 'token' })}
        />
        {entered.kind === 'token' ? (
          <PasswordInput label="Access token" {...field('accessToken')} />
        ) : (
          <>
            <TextInput label="Client ID" {...field('clientId')} />
            <PasswordInput label="Client secret" {...field('clientSecret')} />
          </>
        )}
        <Text size="sm" c="dimmed">
          The app needs the scopes write_products, read_locations and write_inventory.
        </Text>
        {save.data?.success === false && (
          <ErrorPanel title={save.data.message} cause={save.data.cause}>
            Nothing was saved.
          </ErrorPanel>
        )}
        {save.isError && <SaveError error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            Test and Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function SaveError({ error }: { error: Error }) {
  const sentence = error instanceof CallError ? error.serverMessage : null;
  return (
    <ErrorPanel title={sentence ?? 'Couldn’t save the credentials.'} cause={error.message}>
      Nothing was saved.
    </ErrorPanel>
  );
}

function Removal() {
  const [asking, setAsking] = useState(false);
  const removal = useCredentialsRemoval();
  return (
    <>
      {removal.isError && (
        <ErrorPanel title="Couldn’t remove the credentials." cause={removal.error.message} />
      )}
      <Group>
        <Button variant="default" loading={removal.isPending} onClick={() => setAsking(true)}>
          Remove Credentials
        </Button>
      </Group>
      <Confirm
        opened={asking}
        title="Remove the store’s credentials?"
        confirm="Remove Credentials"
        keep="Keep Credentials"
        onConfirm={() => removal.mutate()}
        onClose={() => setAsking(false)}
      >
        <Text size="sm">Nothing can be pushed until you connect a store. Running pushes fail.</Text>
      </Confirm>
    </>
  );
}
