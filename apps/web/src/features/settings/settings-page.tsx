import { Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { connectionsRead } from '../../api/connections.ts';
import { loaderOf } from '../../api/loader.ts';
import { LeaveGuard } from '../../ui/feedback/leave-guard.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { later } from '../../ui/later.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import classes from '../../ui/sections.module.css';
import { mappingsRead } from '../import/index.ts';
import { GeneralTab } from './general-tab.tsx';
import { SaveBar } from './save-bar.tsx';
import { settingsRead } from './settings-api.ts';
import { useSettingsForm } from './use-settings-form.ts';

const loading = <Skeleton height={260} />;
const ConnectionsTab = later(
  () => import('./connections-tab.tsx').then((chunk) => chunk.ConnectionsTab),
  loading,
);
const CsvTab = later(() => import('./csv-tab.tsx').then((chunk) => chunk.CsvTab), loading);
const DebugTab = later(() => import('./debug-tab.tsx').then((chunk) => chunk.DebugTab), loading);
const OneDriveTab = later(() => import('./onedrive-tab.tsx').then((chunk) => chunk.OneDriveTab), loading);

const tabs = [
  { value: 'general', label: 'General' },
  { value: 'onedrive', label: 'OneDrive' },
  { value: 'connections', label: 'Connections' },
  { value: 'csv', label: 'CSV Processing' },
  { value: 'debug', label: 'Debug' },
] as const;
type TabName = (typeof tabs)[number]['value'];

function tabIn(search: URLSearchParams): TabName {
  const wanted = search.get('tab');
  return tabs.find((one) => one.value === wanted)?.value ?? 'general';
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
  const isBeside = useMediaQuery('(min-width: 64em)', undefined, { getInitialValueInEffect: false });
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
      {/* The router has one guard at a time. Another tab keeps the settings as they are edited, but not the rules. */}
      <LeaveGuard isDirty={unsaved !== ''} ofAddress={areRulesDirty} title="Discard unsaved changes?">
        <Text size="sm">Your changes to the {unsaved} haven’t been saved.</Text>
      </LeaveGuard>
      <Tabs
        value={tab}
        orientation={isBeside ? 'vertical' : 'horizontal'}
        className={classes.page ?? ''}
        onChange={(value) => setSearch(value === null || value === 'general' ? {} : { tab: value })}
        keepMounted={false}
      >
        <Tabs.List className={classes.tabs}>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className={`grow ${classes.content}`}>
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
            <CsvTab />
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
