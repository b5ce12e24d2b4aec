import { Group, List, Skeleton, Stack, Tabs, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { connectionsQuery } from '../../api/connections.ts';
import { createLoader } from '../../api/query-client.ts';
import { formatCount } from '../../lib/intl.ts';
import { BodyText, Button, PlainButton, QuietText } from '../../ui/basics.tsx';
import { DifferencesTable, SaveConflict } from '../../ui/draft.tsx';
import { ConfirmDialog, LeaveGuard } from '../../ui/feedback/confirm.tsx';
import { ReadView } from '../../ui/feedback/read.tsx';
import { TitledSection } from '../../ui/hint.tsx';
import { useMedia } from '../../ui/hooks.ts';
import { later, lazyOverlay } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import classes from '../../ui/sections.module.css';
import { mappingsRead, RememberedMappings } from '../import/index.ts';
import { useFields } from '../operate/index.ts';
import { ConnectionsTab } from './connections-tab.tsx';
import { DebugTab } from './debug-tab.tsx';
import { GeneralTab } from './general-tab.tsx';
import { OneDriveTab } from './onedrive-tab.tsx';
import { settingsRead } from './settings-api.ts';
import { listSettingDifferences, type SettingsEdit, useSettingsForm } from './use-settings-form.ts';

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

/** Returns the reads of a tab's loader. Other reads start with the tab's chunk: they would enlarge the first load. */
const readsOf = (tab: TabName) =>
  tab === 'connections' ? [connectionsQuery()] : tab === 'csv' ? [mappingsRead()] : [];

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
    <ReadView of={query} what="the settings" meanwhile={loading}>
      {() => content}
    </ReadView>
  );
  return (
    <Stack gap="lg">
      <title>Settings · Draftshelf</title>
      <PageHeader title="Settings" />
      {/* One guard for rules and settings: the router allows only one. A change of tab loses rules but no settings. */}
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
            {formTab(<GeneralTab form={edit.form} onSubmit={submit} />)}
          </Tabs.Panel>
          <Tabs.Panel value="onedrive">
            {formTab(<OneDriveTab form={edit.form} onSubmit={submit} />)}
          </Tabs.Panel>
          <Tabs.Panel value="connections">
            <ConnectionsTab />
          </Tabs.Panel>
          <Tabs.Panel value="csv">
            <Stack gap="xl">
              <RulesSection onDirty={setRulesDirty} />
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

Component.loader = createLoader(({ request }) => [
  settingsRead(),
  ...readsOf(tabIn(new URL(request.url).searchParams)),
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
          <DifferencesTable
            head="Setting"
            differences={listSettingDifferences(edit.form.values, edit.conflict.settings)}
          />
        </SaveConflict>
      )}
      <ConfirmDialog
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
      </ConfirmDialog>
      <Group gap="sm">
        <Button variant={edit.isDirty ? 'filled' : 'default'} busy={edit.isSaving} onClick={edit.save}>
          {edit.isSaving ? 'Saving...' : 'Save Settings'}
        </Button>
        {edit.isDirty && (
          <PlainButton disabled={edit.isSaving} onClick={edit.discard}>
            Discard
          </PlainButton>
        )}
        <QuietText role="status">{edit.isDirty ? 'Unsaved changes' : 'All changes are saved.'}</QuietText>
      </Group>
    </Stack>
  );

const RulesEditor = lazyOverlay(() => import('../rules/rules-editor.tsx'), 'RulesEditor');

function RulesSection({ onDirty }: { onDirty: (isDirty: boolean) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <TitledSection
      id="rules"
      title="Rules"
      gap="xs"
      controls={<PlainButton onClick={() => setOpen(true)}>Edit Rules</PlainButton>}
    >
      <QuietText>
        In every import, rules set the type, collections and tags of a product by the words in it.
      </QuietText>
      <RulesEditor opened={isOpen} onClose={() => setOpen(false)} onDirty={onDirty} />
    </TitledSection>
  );
}

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
  <ReadView of={useFields()} what="the known headers" meanwhile={<Skeleton height={440} />}>
    {(fields) => (
      <TitledSection id="known-headers" title="Known headers">
        <QuietText>
          {`${formatCount(countOfNames(fields))} header names for ${formatCount(fields.length)} fields, with translations. Any other header is matched if it is at least 70% similar to one of them, or by the values in its column.`}
        </QuietText>
        {fields
          .filter(({ field }) => exampleFields.includes(field))
          .map(({ field, label, aliases }) => (
            <Stack key={field} gap={4} component="section" aria-label={`Headers for ${label}`}>
              <BodyText fw={550}>{label}</BodyText>
              <ul className="list row-wrap gap-tight">
                {aliases.slice(0, examplesMax).map((alias) => (
                  <li key={alias} className="tag size-sm">
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
  </ReadView>
);
