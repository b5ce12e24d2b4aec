import { Group, List, Skeleton, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import {
  connectionsRead,
  isDemoStore,
  type ShownConnection,
  storeName,
  useConnections,
} from '../../api/connections.ts';
import { loaderOf } from '../../api/query-client.ts';
import { capitalized, formatClock, formatCount } from '../../lib/intl.ts';
import { oneDrivePath, storePath } from '../../lib/paths.ts';
import { BodyText, Button, PageLink, PlainButton, QuietText } from '../../ui/basics.tsx';
import { BothValues, SaveConflict } from '../../ui/draft.tsx';
import { Confirm, LeaveGuard } from '../../ui/feedback/confirm.tsx';
import { FoldOut, Read } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { HelpTip, TitledSection } from '../../ui/hint.tsx';
import { useMedia } from '../../ui/hooks.ts';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import classes from '../../ui/sections.module.css';
import { LookBadge, mappingsRead, RememberedMappings, SourceQuotas } from '../import/index.ts';
import { useFields } from '../operate/index.ts';
import { CredentialsForm } from '../store/index.ts';
import { DebugTab } from './debug-tab.tsx';
import { GeneralTab } from './general-tab.tsx';
import { OneDriveTab } from './onedrive-tab.tsx';
import { settingsRead } from './settings-api.ts';
import { differences, type SettingsEdit, useSettingsForm } from './use-settings-form.ts';

const loading = <Skeleton height={260} />;

const tabs = [
  { value: 'general', label: 'General' },
  { value: 'onedrive', label: 'OneDrive' },
  { value: 'connections', label: 'Connections' },
  { value: 'csv', label: 'CSV Processing' },
  { value: 'debug', label: 'Debug' },
] as const;
const tabNames = tabs.map(({ value, label }) => (
  <Tabs.Tab key={value} value={value}>
    {label}
  </Tabs.Tab>
));
type TabName = (typeof tabs)[number]['value'];

function tabIn(search: URLSearchParams): TabName {
  const name = search.get('tab');
  return tabs.find(({ value }) => value === name)?.value ?? 'general';
}

/** Other reads start with the chunk of their tab: their contracts would be in the first load of every tab. */
const readsOf = {
  general: () => [],
  onedrive: () => [],
  connections: () => [connectionsRead()],
  csv: () => [mappingsRead()],
  debug: () => [],
} satisfies Record<TabName, () => unknown[]>;

export function Component() {
  const [search, setSearch] = useSearchParams();
  const tab = tabIn(search);
  const isBeside = useMedia('(min-width: 64em)');
  const { query, edit } = useSettingsForm(() => {
    if (tab !== 'onedrive') setSearch({ tab: 'onedrive' });
  });
  const [areRulesDirty, setRulesDirty] = useState(false);
  const unsaved = [edit.isDirty && 'settings', areRulesDirty && 'rules'].filter(Boolean).join(' and ');
  const isForm = tab === 'general' || tab === 'onedrive';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    edit.save();
  };
  const formTab = (content: ReactNode) => (
    <Read of={query} what="the settings" meanwhile={loading}>
      {() => content}
    </Read>
  );
  return (
    <Stack gap="lg">
      <title>Settings · Draftshelf</title>
      <PageHeader title="Settings" />
      {/* The router has one guard at a time. Another tab keeps edited settings, but not rules. */}
      <LeaveGuard isDirty={unsaved !== ''} ofAddress={areRulesDirty} title="Discard unsaved changes?">
        <BodyText>Your changes to the {unsaved} haven’t been saved.</BodyText>
      </LeaveGuard>
      <Tabs
        value={tab}
        orientation={isBeside ? 'vertical' : 'horizontal'}
        className={classes.page ?? ''}
        onChange={(value) => setSearch(value === null || value === 'general' ? {} : { tab: value })}
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs}>{tabNames}</Tabs.List>
        <div className="grow form-width">
          <Tabs.Panel value="general">
            {formTab(<GeneralTab form={edit.form} onSubmit={submit} onRulesDirty={setRulesDirty} />)}
          </Tabs.Panel>
          <Tabs.Panel value="onedrive">
            {formTab(<OneDriveTab form={edit.form} onSubmit={submit} />)}
          </Tabs.Panel>
          <Tabs.Panel value="connections">
            <ConnectionsTab />
          </Tabs.Panel>
          <Tabs.Panel value="csv">
            <Stack gap="xl">
              <TitledSection id="header-matching" title="Header matching" gap="xs">
                <List size="sm">
                  <List.Item>Fuzzy header matching with a 70%+ similarity threshold</List.Item>
                  <List.Item>120+ field variations</List.Item>
                  <List.Item>Levenshtein scoring</List.Item>
                </List>
                <TryHeader />
              </TitledSection>
              <KnownHeaders />
              <RememberedMappings />
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="debug">
            <DebugTab />
          </Tabs.Panel>
          <SaveBar edit={edit} always={isForm && query.data !== undefined} />
        </div>
      </Tabs>
    </Stack>
  );
}

Component.loader = loaderOf(({ request }) => [
  settingsRead(),
  ...readsOf[tabIn(new URL(request.url).searchParams)](),
]);

const SaveBar = ({ edit, always }: { edit: SettingsEdit; always: boolean }) =>
  !always && !edit.isDirty && edit.conflict === null ? null : (
    <Stack gap="sm" className={`${classes.saveBar} pad-y-sm above-lg line-above`}>
      {edit.conflict !== null && (
        <SaveConflict
          title="Somebody else has changed the settings. Nothing was saved."
          isSaving={edit.isSaving}
          onSaveMine={edit.saveMine}
          onUseTheirs={edit.useTheirs}
        >
          <BothValues head="Setting" differences={differences(edit.form.values, edit.conflict.settings)} />
        </SaveConflict>
      )}
      <Confirm
        opened={edit.isAsking}
        title="Push new files by themselves?"
        confirm="Use Full Auto"
        keep="Keep Editing"
        onConfirm={edit.confirm}
        onClose={edit.stopAsking}
      >
        <BodyText>
          Full auto pushes new files without a review, as drafts. Files with unsure columns or many problems
          still wait for you. Products that the store has already are skipped, updated or created again, as
          chosen in Shopify Integration.
        </BodyText>
      </Confirm>
      <Group gap="sm">
        <Button variant={edit.isDirty ? 'filled' : 'default'} busy={edit.isSaving} onClick={edit.save}>
          {edit.isSaving ? 'Saving...' : 'Save Settings'}
        </Button>
        {edit.isDirty && (
          <>
            <PlainButton disabled={edit.isSaving} onClick={edit.discard}>
              Discard
            </PlainButton>
            <QuietText role="status">Unsaved changes</QuietText>
          </>
        )}
      </Group>
    </Stack>
  );

// The header names are 30 kB, needed only once a header is typed.
const HeaderMatch = later(() => import('../import/mapping/header-match.tsx'), 'HeaderMatch');

function TryHeader() {
  const [header, setHeader] = useState('');
  return (
    <Stack gap={4}>
      <TextInput
        label="Try a header"
        description="Type a column header to see which field it means."
        placeholder="Artikelbezeichnung"
        maxLength={200}
        value={header}
        onChange={(event) => setHeader(event.currentTarget.value)}
      />
      <BodyText component="div" mih="1.5rem" role="status">
        {header.trim() !== '' && <HeaderMatch header={header} />}
      </BodyText>
    </Stack>
  );
}

const exampleFields = ['title', 'price', 'upc', 'quantity'];
const examplesMax = 12;

const countOfNames = (fields: readonly { aliases: readonly string[] }[]) =>
  new Set(fields.flatMap(({ aliases }) => aliases)).size;

const KnownHeaders = () => (
  <Read of={useFields()} what="the known headers" meanwhile={<Skeleton height={440} />}>
    {(fields) => (
      <TitledSection id="known-headers" title="Known headers">
        <QuietText>
          {`${formatCount(countOfNames(fields))} header names for ${formatCount(fields.length)} fields, and their translations. A header that isn’t listed is matched from a similarity of 70%, or by the values in its column.`}
        </QuietText>
        {fields
          .filter(({ field }) => exampleFields.includes(field))
          .map(({ field, label, aliases }) => (
            <Stack key={field} gap={4} component="section" aria-label={`Headers for ${label}`}>
              <BodyText fw={550}>{label}</BodyText>
              <ul className="list row-wrap gap-tight">
                {aliases.slice(0, examplesMax).map((alias) => (
                  <li key={alias} className={`${classes.alias} framed size-sm surface-quiet`}>
                    {alias}
                  </li>
                ))}
                {aliases.length > examplesMax && (
                  <li className="quiet">{`and ${formatCount(aliases.length - examplesMax)} more`}</li>
                )}
              </ul>
            </Stack>
          ))}
      </TitledSection>
    )}
  </Read>
);

const serviceNames: Record<ShownConnection['service'], string> = {
  shopify: 'Shopify',
  onedrive: 'OneDrive',
  upc_services: 'UPC services',
};

const ConnectionsTab = () => (
  <Stack gap="sm">
    <Read of={useConnections()} what="the connections" meanwhile={<Skeleton height={180} />}>
      {(connections) =>
        connections.map((connection) => <ConnectionLine key={connection.service} connection={connection} />)
      }
    </Read>
  </Stack>
);

function subtitleOf(connection: ShownConnection): string {
  const { service, details } = connection;
  if (service === 'shopify') return storeName([connection]) ?? 'No store set up';
  if (service === 'onedrive') return 'Automatic file detection';
  return `${(details.services ?? []).filter(({ active }) => active).length} services active`;
}

function ConnectionLine({ connection }: { connection: ShownConnection }) {
  const [formShown, setFormShown] = useState(false);
  const isConnected = connection.status === 'connected';
  const isStore = connection.service === 'shopify';
  const isDemo = isDemoStore([connection]);
  return (
    <section className="panel" aria-label={serviceNames[connection.service]}>
      <Group justify="space-between" gap="sm">
        <Stack gap={0} flex="1 1 12rem">
          <Group gap={4}>
            <Text fw={600}>{serviceNames[connection.service]}</Text>
            {isStore && <HelpTip topic="store integration" />}
          </Group>
          <QuietText className="break-words">{subtitleOf(connection)}</QuietText>
        </Stack>
        <TestButton connection={connection} onStart={() => isStore && !isConnected && setFormShown(true)} />
      </Group>
      {isDemo && <BodyText mt={4}>A simulation on this machine. What you push stays here.</BodyText>}
      {isStore && (
        <PageLink
          to={storePath}
          size="sm"
          mt={4}
          display="flex"
          w="fit-content"
          mih="var(--target-size, 0)"
          style={{ alignItems: 'center' }}
        >
          Open Shopify Integration
        </PageLink>
      )}
      {isStore && isConnected && (
        <Button
          variant={isDemo && !formShown ? 'filled' : 'subtle'}
          px={isDemo && !formShown ? undefined : 0}
          mt={4}
          aria-expanded={formShown}
          onClick={() => setFormShown(!formShown)}
        >
          {formShown ? 'Hide Credentials' : isDemo ? 'Connect Your Store…' : 'Show Credentials'}
        </Button>
      )}
      {isStore && formShown && connection.details.credentials !== undefined && (
        <CredentialsForm info={connection.details.credentials} />
      )}
      {connection.service === 'upc_services' && <SourceQuotas />}
    </section>
  );
}

/** The same button configures a service that is not connected. OneDrive has its own tab for that. */
function TestButton({ connection, onStart }: { connection: ShownConnection; onStart: () => void }) {
  const test = useCall('testConnection', {
    params: { service: connection.service },
    done: () => ({ title: 'Connection Test', text: 'Connection test completed successfully' }),
  });
  const [took, setTook] = useState<{ ms: number; at: number } | null>(null);
  const navigate = useNavigate();
  const isConnected = connection.status === 'connected';
  const start = () => {
    if (connection.service === 'onedrive' && !isConnected) {
      navigate(oneDrivePath);
      return;
    }
    const begunAt = performance.now();
    onStart();
    test.mutate(
      {},
      { onSuccess: () => setTook({ ms: Math.round(performance.now() - begunAt), at: Date.now() }) },
    );
  };
  const word = capitalized(connection.status);
  const message = test.data?.message ?? (test.isError ? test.error.message : connection.details.message);
  const measured = took === null ? '' : ` Tested in ${took.ms} ms, ${formatClock(took.at)}.`;
  return (
    <>
      <Group gap="sm" wrap="nowrap">
        <LookBadge
          look={{
            icon: isConnected ? IconCircleCheck : IconCircleX,
            color: isConnected ? 'green' : 'gray',
            variant: 'light',
          }}
          word={word}
        />
        <PlainButton loading={test.isPending} onClick={start}>
          {isConnected ? 'Test' : 'Configure'}
        </PlainButton>
      </Group>
      <Stack gap={4} w="100%" align="flex-start">
        <BodyText role="status">{message === undefined ? '' : `${message}${measured}`}</BodyText>
        {connection.details.cause && <FoldOut text={connection.details.cause} />}
      </Stack>
    </>
  );
}
