import type { Connection } from '@draftshelf/contract/access/connections';
import { enteredCharsMax } from '@draftshelf/contract/wire';
import { Group, List, Stack } from '@mantine/core';
import { BodyText, PlainButton, QuietText, RelativeTime } from '../../ui/basics.tsx';
import { ConfirmedButton } from '../../ui/feedback/confirm.tsx';
import { ErrorPanel } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { choice, Form, FormInputs, SubmitRow, secret, TestFailure, text, useForm } from '../../ui/form.tsx';

type Info = NonNullable<Connection['details']['credentials']>;

/** Credentials are tested before they are saved, and are never shown again. */
export const CredentialsForm = ({ info }: { info: Info }) => (
  <Stack gap="sm" mt="sm" aria-label="Store credentials" component="section">
    {info.isDemo ? (
      <List type="ordered" size="sm">
        <List.Item>
          In Shopify’s Dev Dashboard, create an app with the scopes write_products, read_locations and
          write_inventory, and release it.
        </List.Item>
        <List.Item>Install the app on your store.</List.Item>
        <List.Item>
          Enter the app’s client ID and secret here. They are tested before they are saved.
        </List.Item>
      </List>
    ) : (
      <CurrentCredentials info={info} />
    )}
    {info.lockedBecause === null ? (
      <>
        <EntryForm info={info} />
        {info.source === 'saved' && !info.isDemo && <Removal />}
      </>
    ) : (
      <BodyText>{info.lockedBecause}</BodyText>
    )}
  </Stack>
);

const kindWords = { token: 'an access token', app: 'a client ID and secret' } as const;

const CurrentCredentials = ({ info: { source, kind, storeUrl, savedAt } }: { info: Info }) =>
  source === 'none' || kind === null ? null : (
    <QuietText className="break-words">
      {`${storeUrl} with ${kindWords[kind]}, ${source === 'server' ? 'set by the server' : 'saved '}`}
      {savedAt !== null && <RelativeTime time={savedAt} />}
    </QuietText>
  );

const needsApp = ({ kind }: Record<string, string | number>) => kind === 'app';

const ofApp = { charsMax: enteredCharsMax, isIn: needsApp };

const fields = {
  storeUrl: text({
    label: 'Store address',
    placeholder: 'my-store.myshopify.com',
    charsMax: enteredCharsMax,
    missing: 'Enter the address of the store.',
  }),
  kind: choice({
    label: 'Kind of credentials',
    options: { token: 'Access token', app: 'Client ID and secret' },
  }),
  accessToken: secret({
    label: 'Access token',
    charsMax: enteredCharsMax,
    missing: 'Enter the access token.',
    isIn: (entered) => !needsApp(entered),
  }),
  clientId: text({ ...ofApp, label: 'Client ID', missing: 'Enter the client ID.' }),
  clientSecret: secret({ ...ofApp, label: 'Client secret', missing: 'Enter the client secret.' }),
};

function EntryForm({ info }: { info: Info }) {
  const form = useForm({
    fields,
    initial: {
      storeUrl: info.isDemo ? '' : (info.storeUrl ?? ''),
      kind: info.isDemo ? 'app' : 'token',
      ...{ accessToken: '', clientId: '', clientSecret: '' },
    },
  });
  const save = useCall('saveCredentials', {
    done: ({ success, message }) => success && { title: 'Store connected', text: message },
  });
  return (
    <Form
      form={form}
      onSave={({ storeUrl, kind, accessToken, ...app }) =>
        save.mutate(
          { body: { storeUrl, ...(kind === 'token' ? { accessToken } : app) } },
          { onSuccess: ({ success }) => success && form.clear('accessToken', 'clientId', 'clientSecret') },
        )
      }
    >
      <FormInputs form={form} />
      <QuietText>The app needs the scopes write_products, read_locations and write_inventory.</QuietText>
      <TestFailure
        refusal={save.data?.success === false ? save.data : null}
        error={save.error}
        title="Couldn’t save the credentials."
      />
      <SubmitRow label="Test and Save" isSaving={save.isPending} isPrimary />
    </Form>
  );
}

function Removal() {
  const removal = useCall('removeCredentials');
  return (
    <>
      {removal.isError && (
        <ErrorPanel title="Couldn’t remove the credentials." cause={removal.error.message} />
      )}
      <ConfirmedButton
        button={(ask) => (
          <Group>
            <PlainButton loading={removal.isPending} onClick={ask}>
              Remove Credentials
            </PlainButton>
          </Group>
        )}
        title="Remove the store’s credentials?"
        confirm="Remove Credentials"
        keep="Keep Credentials"
        onConfirm={() => removal.mutate({})}
      >
        <BodyText>Nothing can be pushed until you connect a store. Running pushes fail.</BodyText>
      </ConfirmedButton>
    </>
  );
}
