import { Stack, Tabs, Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { connectionsRead } from '../../api/connections.ts';
import { loaderOf } from '../../api/loader.ts';
import { mappingsRead } from '../../api/mapping.ts';
import { settingsRead } from '../../api/settings.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PageLink } from '../../components/placeholder-page.tsx';
import { ConnectionsTab } from './connections-tab.tsx';
import { GeneralTab } from './general-tab.tsx';
import classes from './settings.module.css';

const tabs = [
  { value: 'general', label: 'General' },
  { value: 'onedrive', label: 'OneDrive' },
  { value: 'connections', label: 'Connections' },
  { value: 'csv', label: 'CSV Processing' },
  { value: 'debug', label: 'Debug' },
] as const;

function tabIn(search: URLSearchParams): (typeof tabs)[number]['value'] {
  const wanted = search.get('tab');
  return tabs.find((one) => one.value === wanted)?.value ?? 'general';
}

export const loader = loaderOf(({ request }) => {
  const tab = tabIn(new URL(request.url).searchParams);
  if (tab === 'general') return [settingsRead(), mappingsRead()];
  return tab === 'connections' ? [connectionsRead()] : [];
});

export function Component() {
  const [search, setSearch] = useSearchParams();
  const tab = tabIn(search);
  return (
    <Stack gap="lg">
      <title>Settings · Draftshelf</title>
      <PageHeader title="Settings" />
      <Tabs
        value={tab}
        onChange={(value) => setSearch(value === null || value === 'general' ? {} : { tab: value })}
        keepMounted={false}
      >
        <Tabs.List mb="lg" className={classes.tabs}>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="general">
          <GeneralTab />
        </Tabs.Panel>
        <Tabs.Panel value="onedrive">
          <Text maw="var(--form-width-max)">
            Coming soon. For now, <PageLink path="/upload">upload a CSV</PageLink>.
          </Text>
        </Tabs.Panel>
        <Tabs.Panel value="connections">
          <ConnectionsTab />
        </Tabs.Panel>
        <Tabs.Panel value="csv">
          <Text maw="var(--form-width-max)">
            Coming soon. For now, the preview on <PageLink path="/upload">Upload CSV</PageLink> shows how
            columns are matched.
          </Text>
        </Tabs.Panel>
        <Tabs.Panel value="debug">
          <Text maw="var(--form-width-max)">
            Coming soon. For now, /api/ready shows the status of all services.
          </Text>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
