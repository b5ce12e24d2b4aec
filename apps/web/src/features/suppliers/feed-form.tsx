import type { Feed, FeedSignIn, FeedTest } from '@draftshelf/contract/suppliers/feeds';
import { Group, Select, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type CallRequest, pollMs, readOf, serverMessageOf } from '../../api/call.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { BodyText, PlainButton, QuietText } from '../../ui/basics.tsx';
import { CallFailure, ErrorPanel } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { PlainReasonedButton } from '../../ui/hint.tsx';
import { RecordTable } from '../../ui/table/record-table.tsx';
import { fieldLabel } from '../import/index.ts';

type Preview = NonNullable<FeedTest['preview']>;
export type Timing = Pick<CallRequest<'addFeed'>['body'] & object, 'schedule' | 'zone'>;

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
export const usualTiming = (): Timing => ({ schedule: { every: 'day', at: '07:00' }, zone: ownZone() });

type FeedFormProps = {
  /** Whose last list it is compared with; null: a new supplier's. */
  supplier: number | null;
  /** The address that it would replace. */
  feed: Feed | null;
  /** Drawn once a test has succeeded. */
  children: (tested: { id: string; preview: Preview }) => ReactNode;
};

/** The address of a list, how to sign in to its server, and its test, which stores nothing that counts. */
export function FeedForm({ supplier, feed, children }: FeedFormProps) {
  const [address, setAddress] = useState('');
  const [signIn, setSignIn] = useState<FeedSignIn>(feed === null ? { kind: 'none' } : savedSignIn(feed));
  const [test, setTest] = useState<string | null>(null);
  const testing = useCall('testFeed', { onSuccess: ({ id }) => setTest(id) });
  const reading = useQuery({
    ...readOf('getFeedTest', { params: { id: test ?? '' } }),
    enabled: test !== null,
    refetchInterval: ({ state }) => state.data?.isRunning !== false && pollMs.preview,
  });
  const found = test === null ? undefined : reading.data;
  const isTesting = testing.isPending || (test !== null && found?.isRunning !== false && !reading.isError);
  const reason = address.trim() === '' ? 'Enter the address first.' : null;
  const start = (hostKey: string | null) => {
    if (reason !== null || isTesting) return;
    setTest(null);
    testing.mutate({ body: { address: address.trim(), signIn, supplier, hostKey } });
  };
  const change = <T,>(set: (value: T) => void) => {
    return (value: T) => {
      set(value);
      setTest(null);
      testing.reset();
    };
  };
  return (
    <div className="stack gap-sm">
      <TextInput
        label="Address of the list"
        description="https or sftp, or the share link of a Google Sheet."
        placeholder={feed?.address ?? 'https://'}
        value={address}
        type="text"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        error={testing.error && serverMessageOf(testing.error)}
        onChange={({ currentTarget }) => change(setAddress)(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && start(null)}
      />
      <SignInFields value={signIn} feed={feed} onChange={change(setSignIn)} />
      <div>
        <PlainReasonedButton reason={reason} loading={isTesting} onClick={() => start(null)}>
          Test
        </PlainReasonedButton>
      </div>
      {serverMessageOf(testing.error) === null && (
        <CallFailure error={testing.error} title="Couldn’t test the address" />
      )}
      <CallFailure error={test === null ? null : reading.error} title="Couldn’t test the address" />
      <div role="status">{isTesting && <QuietText>Fetching the list…</QuietText>}</div>
      {found?.trouble && (
        <ErrorPanel title={found.trouble.sentence} cause={found.trouble.cause}>
          {found.trouble.kind === 'host key' && (
            <PlainButton onClick={() => start(found.trouble?.cause ?? null)}>Trust the New Key</PlainButton>
          )}
        </ErrorPanel>
      )}
      {test !== null && found?.preview && (
        <>
          <PreviewedList preview={found.preview} />
          {children({ id: test, preview: found.preview })}
        </>
      )}
    </div>
  );
}

const savedSignIn = ({ signIn }: Feed): FeedSignIn =>
  signIn === 'none' ? { kind: 'none' } : { kind: 'saved' };

const blank = {
  none: { kind: 'none' },
  saved: { kind: 'saved' },
  password: { kind: 'password', user: '', password: '' },
  header: { kind: 'header', name: 'Authorization', value: '' },
  key: { kind: 'key', user: '', privateKey: '', passphrase: '' },
} as const satisfies Record<FeedSignIn['kind'], FeedSignIn>;

const signInLabels = {
  none: 'None',
  password: 'User and password',
  header: 'Header with a token',
  key: 'User and private key (sftp)',
} as const;

type SignInProps = { value: FeedSignIn; feed: Feed | null; onChange: (value: FeedSignIn) => void };

function SignInFields({ value, feed, onChange }: SignInProps) {
  const kinds = Object.entries(signInLabels).map(([kind, label]) => ({ value: kind, label }));
  const saved = feed !== null && feed.signIn !== 'none' ? [{ value: 'saved', label: 'As saved' }] : [];
  const text = <Of extends FeedSignIn, Name extends keyof Of & string>(
    of: Of,
    name: Name,
    label: string,
    props: TextInputProps = { autoComplete: 'off', spellCheck: false },
  ) => (
    <TextInput
      label={label}
      value={String(of[name])}
      dir="ltr"
      {...props}
      onChange={({ currentTarget }) => onChange({ ...of, [name]: currentTarget.value })}
    />
  );
  const secret: typeof text = (of, name, label) =>
    text(of, name, label, { type: 'password', autoComplete: 'new-password' });
  return (
    <>
      <Select
        label="Sign-in"
        data={[...saved, ...kinds]}
        value={value.kind}
        allowDeselect={false}
        onChange={(kind) => kind !== null && onChange(blank[kind as FeedSignIn['kind']])}
      />
      {value.kind === 'password' && (
        <>
          {text(value, 'user', 'User')}
          {secret(value, 'password', 'Password')}
        </>
      )}
      {value.kind === 'header' && (
        <>
          {text(value, 'name', 'Header')}
          {secret(value, 'value', 'Value')}
        </>
      )}
      {value.kind === 'key' && (
        <>
          {text(value, 'user', 'User')}
          <Textarea
            label="Private key"
            value={value.privateKey}
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            rows={4}
            onChange={({ currentTarget }) => onChange({ ...value, privateKey: currentTarget.value })}
          />
          {secret(value, 'passphrase', 'Passphrase, if it has one')}
        </>
      )}
    </>
  );
}

function PreviewedList({ preview }: { preview: Preview }) {
  const { filename, rows, products, columns, records, compared, hostKey } = preview;
  return (
    <section className="stack gap-xs" aria-label="What was found">
      <BodyText className="numbers break-words">
        {filename}: {countOf(rows, 'row')}, {countOf(products, 'product')}. {comparedWords(compared)}
      </BodyText>
      <RecordTable
        label="First rows, as they would be read"
        records={records.map((cells, at) => ({ cells, at }))}
        keyOf={({ at }) => at}
        columns={columns.map(({ header, field }, at) => ({
          head: header === fieldLabel(field) ? header : `${fieldLabel(field)} (${header})`,
          cell: ({ cells }: { cells: string[] }) => cells[at] ?? '',
        }))}
      />
      {hostKey !== null && (
        <QuietText className="break-words">
          The server’s key is {hostKey}. Compare it with what the supplier says; another key later stops the
          fetching.
        </QuietText>
      )}
    </section>
  );
}

function comparedWords(compared: Preview['compared']): string {
  if (compared === null) return 'There is no earlier list to compare it with.';
  const { missing, dearer, cheaper } = compared;
  const parts = [
    `${formatCount(compared.new)} new`,
    `${formatCount(dearer)} dearer`,
    `${formatCount(cheaper)} cheaper`,
    `${formatCount(missing)} missing`,
  ];
  return `Compared with the last list: ${parts.join(', ')}.`;
}

type TimingProps = { value: Timing; onChange: (value: Timing) => void };

const everyLabels = [
  { value: 'never', label: 'Only when you ask' },
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'weekday', label: 'Monday to Friday' },
];

/** When the list is fetched. A time is that of the operator's zone. */
export function TimingFields({ value: { schedule, zone }, onChange }: TimingProps) {
  const say = (next: Timing['schedule']) => onChange({ schedule: next, zone });
  const at = schedule !== null && schedule.every !== 'hour' ? schedule.at : '07:00';
  return (
    <Group gap="sm" align="flex-end">
      <Select
        label="Fetch it"
        data={everyLabels}
        value={schedule?.every ?? 'never'}
        allowDeselect={false}
        onChange={(every) => {
          if (every === 'day' || every === 'weekday') say({ every, at });
          else say(every === 'hour' ? { every } : null);
        }}
      />
      {schedule !== null && schedule.every !== 'hour' && (
        <TextInput
          key={schedule.at}
          label={`At (${zone})`}
          type="time"
          defaultValue={schedule.at}
          onBlur={({ currentTarget: { value } }) =>
            value !== '' && value !== schedule.at && say({ ...schedule, at: value })
          }
        />
      )}
    </Group>
  );
}
