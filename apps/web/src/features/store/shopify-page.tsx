import { Group, Skeleton, Stack, Tabs, Title } from '@mantine/core';
import { IconCircleCheck, IconCloudUpload, IconPlugConnected, IconRefresh } from '@tabler/icons-react';
import { Link, useSearchParams } from 'react-router';
import { connectionsRead, useConnections } from '../../api/connections.ts';
import { loaderOf } from '../../api/loader.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { Button, PlainButton } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { HelpTip } from '../../ui/hint.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import sections from '../../ui/sections.module.css';
import { BodyText, PageLink } from '../../ui/text.tsx';
import { TitledSection } from '../../ui/titled-section.tsx';
import { preferencesRead } from '../settings/index.ts';
import { BatchTab } from './batch-tab.tsx';
import { OverviewTab, type StoreTabProps } from './overview-tab.tsx';
import { ProductsTab } from './products-tab.tsx';
import classes from './shopify.module.css';
import {
  completedRead,
  distribution,
  storeProductsRead,
  storeRead,
  useCompleted,
  useInventorySync,
  useStore,
  useStoreProducts,
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
  const refresh = useCall('testStore');
  const adminUrl = useAdminUrl(store.data?.myshopify_domain ?? null);
  const tab = tabs.find(({ value }) => value === search.get('tab'))?.value ?? 'overview';
  const cause = store.isError ? store.error.message : (store.data?.connected.message ?? null);
  const hasFailed = store.isError || (store.data !== undefined && store.data.connected.status !== 'success');
  const test = () => refresh.mutate({});
  const content = { store: store.data, products: products.data, imports: imports.data, adminUrl };
  return (
    <Stack gap="lg">
      <title>Shopify Integration · Draftshelf</title>
      <PageHeader title="Shopify Integration" subtitle="Manage your store connection and product uploads">
        <PlainButton
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          loading={refresh.isPending}
          onClick={test}
        >
          Test Connection
        </PlainButton>
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
            <OverviewTab {...content} />
          </Tabs.Panel>
          <Tabs.Panel value="products">
            <ProductsTab {...content} />
          </Tabs.Panel>
          <Tabs.Panel value="batch">
            <BatchTab imports={imports} pace={store.data?.push_pace ?? null} />
          </Tabs.Panel>
          <Tabs.Panel value="analytics">
            <AnalyticsTab {...content} />
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

const ConnectionErrorView = (props: { cause: string | null; isTesting: boolean; onTest: () => void }) => (
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
        <PlainButton component={Link} to="/settings?tab=connections">
          Configure Credentials
        </PlainButton>
      </Group>
    </ErrorPanel>
  </>
);

/** The simulator's admin is not below its myshopify domain. */
function useAdminUrl(domain: string | null): string | null {
  const connections = useConnections().data ?? [];
  const savedUrl = connections.find(({ service }) => service === 'shopify')?.details.adminUrl;
  return savedUrl ?? (domain === null ? null : `https://${domain}/admin`);
}

function SyncButton() {
  const { sync, progress } = useInventorySync('Couldn’t sync the inventory');
  const toast = useToast();
  const start = () =>
    sync.mutate(undefined, {
      onSuccess: ({ synced }) =>
        toast({ title: 'Inventory Sync Complete', text: `Synced ${countOf(synced, 'product')}` }),
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

/** The specification's number. */
const recentImportsMax = 3;

const statusNames = { active: 'Active', draft: 'Draft', archived: 'Archived' } as const;

const AnalyticsTab = ({ products, imports, store }: StoreTabProps) => (
  <div className={`${classes.overview} grid gap-xl`}>
    <TitledSection id="distribution" title="Product distribution">
      {products === undefined ? (
        <Skeleton height={120} />
      ) : (
        <Stack component="ul" gap="sm" className="list">
          {distribution(products.products).map(({ status, count, percent }) => (
            <li key={status}>
              <Group justify="space-between" gap="xs" fz="sm">
                <span>{statusNames[status]}</span>
                <span className="numbers">{`${formatCount(count)} · ${percent} %`}</span>
              </Group>
              <div className={`${classes.track} surface-quiet`}>
                <div className={classes.bar} data-status={status} style={{ width: `${percent}%` }} />
              </div>
            </li>
          ))}
        </Stack>
      )}
    </TitledSection>
    <TitledSection id="recent-activity" title="Recent Activity">
      <ul className={'list'}>
        {store?.connected.status === 'success' && (
          <li className="marked pad-y-tight" data-tone="good">
            <IconCircleCheck size={16} aria-hidden />
            <BodyText>Connection verified</BodyText>
          </li>
        )}
        {imports?.slice(0, recentImportsMax).map(({ id, filename }) => (
          <li key={id} className="marked pad-y-tight" data-tone="good">
            <IconCloudUpload size={16} aria-hidden />
            <BodyText className="break-words">
              <PageLink to={importPath(id)} inherit>
                {filename}
              </PageLink>
              {' ready for upload'}
            </BodyText>
          </li>
        ))}
      </ul>
    </TitledSection>
  </div>
);
