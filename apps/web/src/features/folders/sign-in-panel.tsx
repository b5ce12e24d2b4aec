import type { Folder, SignIn } from '@draftshelf/contract/folders/folders';
import { enteredCharsMax, registrationCharsMax } from '@draftshelf/contract/wire';
import type { Settings } from '@draftshelf/domain/access/settings';
import { CopyButton, Group, SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { type CallRequest, toCacheKey } from '../../api/call.ts';
import { BodyText, Button, NewTabLink, PlainButton, QuietText } from '../../ui/basics.tsx';
import { ConfirmedButton } from '../../ui/feedback/confirm.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import {
  choice,
  Form,
  FormInputs,
  type FormState,
  SaveFailure,
  SubmitRow,
  secret,
  text,
  useForm,
} from '../../ui/form.tsx';
import { useNow } from '../../ui/hooks.ts';
import classes from '../../ui/sections.module.css';
import { describeRights, describeSignIn, describeTimeLeft } from './folder-status.tsx';
import { isOpen } from './folders-api.ts';

type SignInPanelProps = {
  folder: Folder;
  /** The settings for files determine which rights Microsoft is asked to grant. */
  settings: Settings;
  /** The sign-in that runs or has just ended. */
  signIn: SignIn | undefined;
  /** The method of the latest sign-in; undefined if that sign-in failed, or if there was none. */
  signedInBy: SignIn['way'] | undefined;
  onBegun: (id: string) => void;
  onDisconnected: () => void;
};

/** Focuses an element only if its ancestor or the heading has the focus, so that no other control loses the focus. */
function takeFocus(element: HTMLElement | null): void {
  const focused = document.activeElement;
  if (element !== null && (focused?.contains(element) || focused?.tagName === 'H1')) element.focus();
}

export function SignInPanel(props: SignInPanelProps) {
  const { folder, settings, signIn, signedInBy, onBegun, onDisconnected } = props;
  const isUnderWay = signIn !== undefined && isOpen(signIn);
  const who = describeSignIn(folder, signedInBy);
  // Stored here, so that the form is unchanged when it appears again after a failed sign-in.
  const [way, setWay] = useState<SignIn['way']>('code');
  const app = useForm({ fields: appFields, initial: noApp });
  const disconnect = useCall('disconnectOneDrive', { failed: 'Couldn’t disconnect' });
  return (
    // The button that opened this section has disappeared, so the section takes the focus.
    <Stack
      component="section"
      className="panel"
      gap="sm"
      aria-label="Configure OneDrive"
      tabIndex={-1}
      ref={takeFocus}
    >
      <BodyText
        fw={550}
        component="div"
        role="status"
        tabIndex={-1}
        id={announcementId}
        className={`break-words ${classes.announcement} ${signIn?.state === 'failed' ? 'bad' : ''}`}
      >
        {signIn === undefined
          ? disconnect.isSuccess && !folder.isSignedIn
            ? 'OneDrive is disconnected.'
            : ''
          : stateWords(signIn)}
      </BodyText>
      {isUnderWay ? (
        <UnderWay signIn={signIn} settings={settings} />
      ) : (
        <>
          {folder.isSignedIn && (
            <Group justify="space-between" gap="sm" {...focusNext}>
              <BodyText className="break-words">
                {/* Not shown if the announcement above has the same text. */}
                {signIn !== undefined && stateWords(signIn) === who ? null : who}
              </BodyText>
              <ConfirmedButton
                button={(ask) => (
                  <PlainButton loading={disconnect.isPending} onClick={ask}>
                    Disconnect
                  </PlainButton>
                )}
                title="Disconnect OneDrive?"
                confirm="Disconnect"
                keep="Stay Connected"
                onConfirm={() => disconnect.mutate({}, { onSuccess: onDisconnected })}
              >
                <BodyText>New files are no longer imported. Earlier imports stay.</BodyText>
              </ConfirmedButton>
            </Group>
          )}
          <Ways {...{ settings, way, app, onBegun }} isAgain={folder.isSignedIn} onChange={setWay} />
        </>
      )}
    </Stack>
  );
}

const stateWords = ({ state, message, way }: SignIn): string => {
  if (state === 'asked')
    return way === 'code' ? 'Asking Microsoft for a code.' : 'Trying the app registration.';
  if (state === 'code') return 'Enter this code at Microsoft:';
  // With an app registration no user signs in, so this sentence names no account. The account is shown below.
  if (state === 'done' && way === 'app') return 'OneDrive is connected.';
  if (message !== null) return message;
  return state === 'done' ? 'OneDrive is connected.' : 'The sign-in has ended.';
};

const announcementId = 'sign-in-state';
/** Gives the focus to the announcement of the sign-in's end if the focused control disappears. */
const focusNext = { 'data-focus-next': `#${announcementId}` };

function UnderWay({ signIn, settings }: { signIn: SignIn; settings: Settings }) {
  const cancel = useCall('cancelSignIn', {
    params: { id: signIn.id },
    failed: 'Couldn’t cancel the sign-in',
  });
  return (
    <>
      {signIn.userCode !== null && <Code signIn={signIn} code={signIn.userCode} settings={settings} />}
      <Group {...focusNext}>
        <PlainButton loading={cancel.isPending} onClick={() => cancel.mutate({})}>
          Cancel
        </PlainButton>
      </Group>
    </>
  );
}

const tickMs = 10_000;

/** The code to enter at Microsoft. It takes the focus unless the operator uses another part of the screen. */
function Code({ signIn, code, settings }: { signIn: SignIn; code: string; settings: Settings }) {
  const nowMs = useNow(tickMs);
  const { verificationUrl, expiresAt } = signIn;
  return (
    <>
      <Group gap="sm" {...focusNext}>
        <div className={`${classes.code} framed figure fit surface-quiet`} tabIndex={-1} ref={takeFocus}>
          {code}
        </div>
        <CopyButton value={code}>
          {({ copied, copy }) => <PlainButton onClick={copy}>{copied ? 'Copied' : 'Copy'}</PlainButton>}
        </CopyButton>
      </Group>
      {verificationUrl !== null && (
        <NewTabLink href={verificationUrl} size="sm" underline="always">
          {verificationUrl}
        </NewTabLink>
      )}
      <BodyText className="numbers">
        {expiresAt !== null && `${describeTimeLeft(expiresAt, nowMs)} `}
        {`Microsoft will ask you to allow: ${describeRights(settings)}.`}
      </BodyText>
      <QuietText>
        If Microsoft refuses the code, your organization blocks this way of signing in. Use an app
        registration instead.
      </QuietText>
    </>
  );
}

type WaysProps = {
  settings: Settings;
  isAgain: boolean;
  way: SignIn['way'];
  onChange: (way: SignIn['way']) => void;
  app: FormState<typeof appFields>;
  onBegun: (id: string) => void;
};

type SignInBody = NonNullable<CallRequest<'beginSignIn'>['body']>;

const begun = (id: string, body: SignInBody | undefined): SignIn => ({
  ...{ id, way: body?.way ?? 'code', state: 'asked', message: null },
  ...{ userCode: null, verificationUrl: null, expiresAt: null },
});

function Ways({ settings, isAgain, way, onChange, app, onBegun }: WaysProps) {
  // Puts the sign-in into the cache, so that the screen shows it before the first read.
  const start = useCall('beginSignIn', {
    onSuccess: ({ id }, { body }, client) =>
      client.setQueryData(toCacheKey('getSignIn', { id }), begun(id, body)),
  });
  const begin = (body: SignInBody) =>
    start.mutate(
      { body },
      {
        onSuccess: ({ id }) => {
          app.clear('clientSecret');
          onBegun(id);
        },
      },
    );
  return (
    <>
      <SegmentedControl
        aria-label="Way of signing in"
        data={[
          { value: 'code', label: 'Code' },
          { value: 'app', label: 'App registration' },
        ]}
        value={way}
        onChange={(next) => {
          app.clear('clientSecret');
          onChange(next);
        }}
      />
      {way === 'code' ? (
        <>
          <BodyText>
            You get a code and enter it at Microsoft, on any device.{' '}
            {`Microsoft will ask you to allow: ${describeRights(settings)}.`}
          </BodyText>
          <Group>
            <Button loading={start.isPending} onClick={() => begin({ way: 'code' })}>
              {isAgain ? 'Sign In Again' : 'Get Code'}
            </Button>
          </Group>
        </>
      ) : (
        // A sign-in by app registration stays valid after a change of the user's password.
        <Form
          form={app}
          onSave={({ kind, user, site, ...registration }) =>
            begin({ way: 'app', ...registration, drive: kind === 'user' ? { user } : { site } })
          }
        >
          <BodyText>
            An administrator must approve the app once; docs/ONEDRIVE.md has the steps. The secret is stored
            encrypted and never shown again.
          </BodyText>
          <FormInputs form={app} />
          <SubmitRow label="Connect" isSaving={start.isPending} isPrimary />
        </Form>
      )}
      <SaveFailure error={start.error} title="Couldn’t start the sign-in." />
    </>
  );
}

const isOfSite = ({ kind }: Record<string, string | number>) => kind === 'site';

const appFields = {
  tenant: text({
    label: 'Directory (tenant) ID',
    charsMax: registrationCharsMax,
    missing: 'Enter the directory (tenant) ID.',
  }),
  clientId: text({
    label: 'Application (client) ID',
    charsMax: registrationCharsMax,
    missing: 'Enter the application (client) ID.',
  }),
  clientSecret: secret({
    label: 'Client secret',
    charsMax: enteredCharsMax,
    missing: 'Enter the client secret.',
  }),
  kind: choice({ label: 'Whose drive', options: { user: 'Drive of a user', site: 'SharePoint site' } }),
  user: text({
    label: 'The user’s email address',
    placeholder: 'ada@example.com',
    charsMax: registrationCharsMax,
    missing: 'Enter the user’s email address.',
    isIn: (entered) => !isOfSite(entered),
  }),
  site: text({
    label: 'Address of the site',
    placeholder: 'https://example.sharepoint.com/sites/prices',
    charsMax: registrationCharsMax,
    missing: 'Enter the address of the site.',
    isIn: isOfSite,
  }),
};

const noApp = { tenant: '', clientId: '', clientSecret: '', kind: 'user', user: '', site: '' };
