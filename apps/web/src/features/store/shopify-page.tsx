import { Group, Stack, Tabs, Title } from '@mantine/core';
import { IconPlugConnected, IconRefresh } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { connectionsRead, useConnections } from '../../api/connections.ts';
import { loaderOf } from '../../api/loader.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { useFailureToast, useToast } from '../../ui/feedback/toast.tsx';
import { HelpTip } from '../../ui/help/help-tip.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import sections from '../../ui/sections.module.css';
import { preferencesRead } from '../settings/index.ts';
import { AnalyticsTab } from './analytics-tab.tsx';
import { BatchTab } from './batch-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { ProductsTab } from './products-tab.tsx';
import {
  completedRead,
  storeProductsRead,
  storeRead,
  useCompleted,
  useInventorySync,
  useStore,
  useStoreProducts,
  useStoreRefresh,
} from './store-api.ts';

const tabs = [
  { value: 'overview', label: 'Store Overview' },
  { value: 'products', label: 'Products' },
  { value: 'batch', label: 'Batch Push' },
  { value: 'analytics', label: 'Analytics' },
] as const;

export function Component() {
  const [search, setSearch] = useSearchParams();
  const store = useStore();
  const products = useStoreProducts();
  const imports = useCompleted();
  const refresh = useStoreRefresh();
  const adminUrl = useAdminUrl(store.data?.myshopify_domain ?? null);
  const tab = tabs.find(({ value }) => value === search.get('tab'))?.value ?? 'overview';
  const cause = store.isError ? store.error.message : (store.data?.connected.message ?? null);
  const hasFailed = store.isError || (store.data !== undefined && store.data.connected.status !== 'success');
  const test = () => refresh.mutate();
  const shown = { store: store.data, products: products.data, imports: imports.data, adminUrl };
  return (
    <Stack gap="lg">
      <title>Shopify Integration · Draftshelf</title>
      <PageHeader title="Shopify Integration" subtitle="Manage your store connection and product uploads">
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          loading={refresh.isPending}
          onClick={test}
        >
          Test Connection
        </Button>
        <SyncButton />
        <HelpTip topic="inventory sync" />
      </PageHeader>
      {hasFailed ? (
        <ConnectionErrorView cause={cause} isTesting={refresh.isPending} onTest={test} />
      ) : (
        <Tabs
          value={tab}
          onChange={(value) => setSearch(value === null || value === 'overview' ? {} : { tab: value })}
          keepMounted={false}
        >
          <Tabs.List className={sections.tabs}>
            {tabs.map(({ value, label }) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="overview">
            <OverviewTab {...shown} />
          </Tabs.Panel>
          <Tabs.Panel value="products">
            <ProductsTab {...shown} />
          </Tabs.Panel>
          <Tabs.Panel value="batch">
            <BatchTab imports={imports} pace={store.data?.push_pace ?? null} />
          </Tabs.Panel>
          <Tabs.Panel value="analytics">
            <AnalyticsTab {...shown} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Stack>
  );
}

Component.loader = loaderOf(() => [
  storeRead(),
  storeProductsRead(),
  completedRead(),
  connectionsRead(),
  preferencesRead(),
]);

/** Replaces the tabs while the store does not answer. */
function ConnectionErrorView(props: { cause: string | null; isTesting: boolean; onTest: () => void }) {
  return (
    <>
      <Title order={2}>Connection Error</Title>
      <ErrorPanel
        title="Unable to connect to your Shopify store. Please check your credentials and try again."
        cause={props.cause}
      >
        <Group gap="sm">
          <Button loading={props.isTesting} onClick={props.onTest}>
            Test Connection
          </Button>
          <Button variant="default" component={Link} to="/settings?tab=connections">
            Configure Credentials
          </Button>
        </Group>
      </ErrorPanel>
    </>
  );
}

/** The URL of the store's admin. The simulator's is not below its myshopify domain. */
function useAdminUrl(domain: string | null): string | null {
  const connections = useConnections().data ?? [];
  const known = connections.find(({ service }) => service === 'shopify')?.details.adminUrl;
  return known ?? (domain === null ? null : `https://${domain}/admin`);
}

function SyncButton() {
  const { sync, progress } = useInventorySync();
  const toast = useToast();
  const failure = useFailureToast();
  const start = () =>
    sync.mutate(undefined, {
      onSuccess: ({ synced }) =>
        toast({ title: 'Inventory Sync Complete', text: `Synced ${countOf(synced, 'product')}` }),
      onError: (error) => failure.show('Inventory Sync Failed', error.message),
    });
  const ofTotal = progress?.total == null ? '' : ` of ${formatCount(progress.total)}`;
  return (
    <Button
      leftSection={<IconRefresh size={16} aria-hidden />}
      busy={sync.isPending}
      className="numbers"
      onClick={start}
    >
      {sync.isPending ? `Syncing ${formatCount(progress?.synced ?? 0)}${ofTotal}…` : 'Sync Inventory'}
    </Button>
  );
}
