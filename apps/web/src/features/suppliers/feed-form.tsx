import type { Feed, FeedSignIn, FeedTest } from '@draftshelf/contract/suppliers/feeds';
import { supplierNameCharsMax } from '@draftshelf/domain/suppliers/list';
import { listAddressCharsMax, signInCharsMax } from '@draftshelf/domain/suppliers/list-address';
import { Group, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallRequest, pollMs, readOf } from '../../api/call.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { BodyText, PlainButton, QuietText } from '../../ui/basics.tsx';
import { CallFailure, ErrorPanel } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { area, choice, Form, FormInputs, SubmitRow, secret, text, useForm } from '../../ui/form.tsx';
import { RecordTable } from '../../ui/table/record-table.tsx';
import { fieldLabel } from '../import/index.ts';

type Preview = NonNullable<FeedTest['preview']>;
type Timing = Pick<CallRequest<'keepFeed'>['body'] & object, 'schedule' | 'zone'>;

export const readTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const usualTiming = (): Timing => ({ schedule: { every: 'day', at: '07:00' }, zone: readTimeZone() });

type SignInKind = FeedSignIn['kind'];

/** Returns an optional field that only these kinds of sign-in have. */
const ofKinds = (label: string, ...kinds: SignInKind[]) => ({
  ...{ label, charsMax: signInCharsMax },
  isIn: ({ kind }: Record<string, string | number>) => kinds.some((one) => one === kind),
});

const neededOf = (label: string, ...kinds: SignInKind[]) => ({
  ...ofKinds(label, ...kinds),
  missing: `Enter the ${label.toLowerCase()}.`,
});

const fieldsOf = (feed: Feed | null) => ({
  address: text({
    label: 'Address of the list',
    description: 'https or sftp, or the share link of a Google Sheet.',
    placeholder: feed?.address ?? 'https://',
    charsMax: listAddressCharsMax,
    missing: 'Enter the address.',
  }),
  kind: choice<SignInKind>({
    label: 'Sign-in',
    options: {
      ...(feed !== null && feed.signIn !== 'none' && { saved: 'As saved' }),
      ...{ none: 'No sign-in', password: 'Password', header: 'Header', key: 'Key (sftp)' },
    } as Record<SignInKind, string>,
  }),
  user: text(neededOf('User', 'password', 'key')),
  password: secret(neededOf('Password', 'password')),
  name: text(neededOf('Header', 'header')),
  value: secret(neededOf('Value', 'header')),
  privateKey: area(neededOf('Private key', 'key')),
  passphrase: secret(ofKinds('Passphrase, if it has one', 'key')),
});

type FeedFormProps = {
  /** The supplier whose last list is compared with the tested list; null for a new supplier. */
  supplier: number | null;
  /** The saved address, which the new address would replace. Null if there is none. */
  feed: Feed | null;
  onKept: (supplier: number) => void;
};

/** A form for the address of a list and the sign-in there. Both can be saved after a successful test. */
export function FeedForm({ supplier, feed, onKept }: FeedFormProps) {
  const form = useForm({
    fields: fieldsOf(feed),
    initial: {
      kind: feed === null || feed.signIn === 'none' ? 'none' : 'saved',
      ...{ address: '', user: '', password: '', privateKey: '', passphrase: '' },
      ...{ name: 'Authorization', value: '' },
    },
  });
  const { entered } = form;
  const [tested, setTested] = useState<{ id: string; entered: typeof entered } | null>(null);
  // A test counts only for the entries that were tested.
  const test = tested?.entered === entered ? tested.id : null;
  const testing = useCall('testFeed');
  const reading = useQuery({
    ...readOf('getFeedTest', { params: { id: test ?? '' } }),
    enabled: test !== null,
    refetchInterval: ({ state }) => state.data?.isRunning !== false && pollMs.preview,
  });
  const found = test === null ? undefined : reading.data;
  const isTesting = testing.isPending || (test !== null && found?.isRunning !== false && !reading.isError);
  const start = (hostKey: string | null) => {
    const values = form.check();
    if (values === null || isTesting) return;
    const { address, kind, user, password, name, value, privateKey, passphrase } = values;
    const signIn: Record<SignInKind, FeedSignIn> = {
      ...{ none: { kind: 'none' }, saved: { kind: 'saved' }, password: { kind: 'password', user, password } },
      ...{ header: { kind: 'header', name, value }, key: { kind: 'key', user, privateKey, passphrase } },
    };
    testing.mutate(
      { body: { address, signIn: signIn[kind], supplier, hostKey } },
      { onSuccess: ({ id }) => setTested({ id, entered }) },
    );
  };
  return (
    <div className="stack gap-sm">
      <Form form={form} onSave={() => start(null)}>
        <FormInputs form={form} />
        <SubmitRow label="Test" isSaving={isTesting} />
      </Form>
      <CallFailure
        error={testing.error ?? (test === null ? null : reading.error)}
        title="Couldn’t test the address"
      />
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
          <KeepForm
            key={test}
            test={test}
            {...{ supplier, feed, onKept }}
            filename={found.preview.filename}
          />
        </>
      )}
    </div>
  );
}

type KeepFormProps = FeedFormProps & { test: string; filename: string };

/** Saves a tested address, for an existing supplier or for a new one with a name. */
function KeepForm({ supplier, feed, onKept, test, filename }: KeepFormProps) {
  const [timing, setTiming] = useState<Timing>(feed ?? usualTiming);
  const keeping = useCall('keepFeed', { params: { id: test }, failed: 'Couldn’t save the address' });
  const form = useForm({
    fields: {
      name: text({
        label: 'Supplier',
        description: 'Lists from this address belong to this supplier.',
        charsMax: supplierNameCharsMax,
        missing: 'Enter the supplier’s name.',
        isIn: () => supplier === null,
      }),
    },
    initial: { name: filename.replace(/\.[a-z0-9]+$/i, '') },
  });
  const keep = (name: string) =>
    keeping.mutate(
      { body: { of: supplier ?? name, schedule: timing.schedule, zone: timing.zone } },
      { onSuccess: (kept) => onKept(kept.supplier) },
    );
  return (
    <Form form={form} onSave={({ name }) => keep(name)}>
      <FormInputs form={form} />
      <TimingFields value={timing} onChange={setTiming} />
      <SubmitRow label="Save and Fetch" isSaving={keeping.isPending} isPrimary />
    </Form>
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
          The server’s key is {hostKey}. Ask the supplier whether this key is right. If the key changes later,
          fetching stops.
        </QuietText>
      )}
    </section>
  );
}

function comparedWords(compared: Preview['compared']): string {
  if (compared === null) return 'There is no earlier list to compare this one with.';
  const parts = (['new', 'dearer', 'cheaper', 'missing'] as const).map(
    (change) => `${formatCount(compared[change])} ${change}`,
  );
  return `Compared with the last list: ${parts.join(', ')}.`;
}

type TimingProps = { value: Timing; onChange: (value: Timing) => void };

const everyLabels = [
  { value: 'never', label: 'Only when you ask' },
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'weekday', label: 'Monday to Friday' },
];

/** Fields for the times at which the list is fetched, in the operator's time zone. */
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
