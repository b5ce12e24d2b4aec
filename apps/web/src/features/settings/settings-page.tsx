import { Group, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { connectionsRead } from '../../api/connections.ts';
import { loaderOf } from '../../api/loader.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/feedback/confirm.tsx';
import { LeaveGuard } from '../../ui/feedback/leave-guard.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import classes from '../../ui/sections.module.css';
import { mappingsRead } from '../import/index.ts';
import { ConnectionsTab } from './connections-tab.tsx';
import { CsvTab } from './csv-tab.tsx';
import { DebugTab } from './debug-tab.tsx';
import { GeneralTab } from './general-tab.tsx';
import { OneDriveTab } from './onedrive-tab.tsx';
import { settingsRead } from './settings-api.ts';
import { Conflict } from './settings-conflict.tsx';
import { type SettingsEdit, useSettingsForm } from './use-settings-form.ts';

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
        <Tabs.List className={classes.tabs}>{tabNames}</Tabs.List>
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

/** One save for all tabs, and both values of what somebody else changed meanwhile. */
function SaveBar({ edit, always }: { edit: SettingsEdit; always: boolean }) {
  if (!always && !edit.isDirty && edit.conflict === null) return null;
  return (
    <Stack gap="sm" className={classes.saveBar}>
      {edit.conflict !== null && <Conflict edit={edit} />}
      <Confirm
        opened={edit.isAsking}
        title="Push new files by themselves?"
        confirm="Use Full Auto"
        keep="Keep Editing"
        onConfirm={edit.confirm}
        onClose={edit.stopAsking}
      >
        <Text size="sm">
          Full auto pushes new files without a review, as drafts. Files with unsure columns or many problems
          still wait for you. Products that the store has already are skipped, updated or created again, as
          chosen in Shopify Integration.
        </Text>
      </Confirm>
      <Group gap="sm">
        <Button variant={edit.isDirty ? 'filled' : 'default'} busy={edit.isSaving} onClick={edit.save}>
          {edit.isSaving ? 'Saving...' : 'Save Settings'}
        </Button>
        {edit.isDirty && (
          <>
            <Button variant="default" disabled={edit.isSaving} onClick={edit.discard}>
              Discard
            </Button>
            <Text size="sm" c="dimmed" role="status">
              Unsaved changes
            </Text>
          </>
        )}
      </Group>
    </Stack>
  );
}
