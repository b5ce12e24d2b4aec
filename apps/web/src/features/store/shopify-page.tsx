import { Group, Skeleton, Stack, Tabs, TextInput, Title } from '@mantine/core';
import {
  IconArchive,
  IconCircleCheck,
  IconCloudUpload,
  IconPencil,
  IconPhoto,
  IconPlugConnected,
  IconRefresh,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { connectionsQuery, findStore, useConnections } from '../../api/connections.ts';
import { createLoader } from '../../api/query-client.ts';
import { capitalize, countOf, formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { rememberStoreSeen } from '../../lib/storage.ts';
import {
  BodyText,
  Button,
  ClockTime,
  NewTabLink,
  PageLink,
  PlainButton,
  QuietText,
  SubtleButton,
} from '../../ui/basics.tsx';
import { ErrorPanel } from '../../ui/feedback/read.tsx';
import { toast } from '../../ui/feedback/toast-state.ts';
import { useCall } from '../../ui/feedback/use-call.ts';
import { HelpTip, TitledSection } from '../../ui/hint.tsx';
import { searchFieldMark } from '../../ui/keys.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { Picture } from '../../ui/picture.tsx';
import sections from '../../ui/sections.module.css';
import { type Column, RecordList } from '../../ui/table/record-table.tsx';
import { countOpenQuestions, type Look, LookBadge, statusLook } from '../import/index.ts';
import { preferencesRead } from '../settings/index.ts';
import { BatchTab } from './batch-tab.tsx';
import { OverviewTab, type StoreTabProps } from './overview-tab.tsx';
import classes from './shopify.module.css';
import {
  completedImportsRead,
  distribution,
  priceWords,
  productsShownMax,
  readInventory,
  type StoreProduct,
  type StoreStatus,
  searchProducts,
  storeProductsRead,
  storeRead,
  useCompletedImports,
  useInventorySync,
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
  const store = useQuery(storeRead());
  const products = useStoreProducts();
  const imports = useCompletedImports();
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
        <PlainButton icon={IconPlugConnected} loading={refresh.isPending} onClick={test}>
          Test Connection
        </PlainButton>
        <SyncButton />
        <HelpTip topic="inventory sync" />
      </PageHeader>
      {hasFailed ? (
        <>
          <Title order={2}>Connection Error</Title>
          <ErrorPanel
            title="Unable to connect to your Shopify store. Please check your credentials and try again."
            cause={cause}
          >
            <Group gap="sm">
              <Button loading={refresh.isPending} onClick={test}>
                Test Connection
              </Button>
              <PlainButton component={Link} to="/settings?tab=connections">
                Configure Credentials
              </PlainButton>
            </Group>
          </ErrorPanel>
        </>
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

Component.loader = createLoader(() => [
  storeRead(),
  storeProductsRead(),
  completedImportsRead(),
  connectionsQuery(),
  preferencesRead(),
]);

/** Returns the URL of the store's admin: the saved URL of a simulated store, else `/admin` at the store's domain. */
function useAdminUrl(domain: string | null): string | null {
  const savedUrl = findStore(useConnections().data)?.details.adminUrl;
  return savedUrl ?? (domain === null ? null : `https://${domain}/admin`);
}

function SyncButton() {
  const { sync, progressWords } = useInventorySync('Couldn’t sync the inventory');
  const start = () =>
    sync.mutate(undefined, {
      onSuccess: ({ synced }) =>
        toast({ title: 'Inventory Sync Complete', text: `Synced ${countOf(synced, 'product')}` }),
    });
  return (
    <Button icon={IconRefresh} busy={sync.isPending} className="numbers" onClick={start}>
      {sync.isPending ? `Syncing ${progressWords}` : 'Sync Inventory'}
    </Button>
  );
}

/** The requirements prescribe this number. */
const recentImportsMax = 3;

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
                <span>{capitalize(status)}</span>
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
      <ul className="list">
        {store?.connected.status === 'success' && (
          <li className="marked pad-y-tight" data-tone="good">
            <IconCircleCheck size={16} aria-hidden />
            <BodyText>Connection verified</BodyText>
          </li>
        )}
        {imports?.slice(0, recentImportsMax).map((record) => {
          const questions = countOpenQuestions(record);
          return (
            <li
              key={record.id}
              className="marked pad-y-tight"
              data-tone={questions === 0 ? 'good' : 'question'}
            >
              <IconCloudUpload size={16} aria-hidden />
              <BodyText className="break-words">
                <PageLink to={importPath(record.id)} inherit>
                  {record.filename}
                </PageLink>{' '}
                {questions === 0 ? 'ready for upload' : `needs ${countOf(questions, 'answer')}`}
              </BodyText>
            </li>
          );
        })}
      </ul>
    </TitledSection>
  </div>
);

/** Lists the products that were changed last, and searches them. */
function ProductsTab({ products, store, adminUrl }: StoreTabProps) {
  const [search, setSearch] = useState('');
  if (products === undefined) return <Skeleton height={320} />;
  const all = products.products;
  const matches = searchProducts(all, search);
  const isFiltered = search.trim() !== '';
  const count = isFiltered
    ? `${formatCount(matches.length)} of ${countOf(all.length, 'product')}`
    : countOf(all.length, 'product');
  const isCut = matches.length > productsShownMax;
  return (
    <Stack gap="sm">
      {products.problem !== null && (
        <ErrorPanel title="Couldn’t load the store’s products." cause={products.problem}>
          Test the connection, then open this page again.
        </ErrorPanel>
      )}
      <TextInput
        aria-label="Search products"
        placeholder="Search products..."
        maw={360}
        maxLength={200}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        {...searchFieldMark}
      />
      <QuietText className="numbers" role="status">
        {count}
        {isCut && ` · first ${productsShownMax} shown`}
      </QuietText>
      {all.some(({ variants }) => variants.length > 1) && (
        <QuietText>Price and inventory are those of a product’s first variant.</QuietText>
      )}
      {matches.length === 0 ? (
        isFiltered ? (
          <Stack gap="xs" align="flex-start">
            <BodyText className="break-words">{`No products found matching "${search}"`}</BodyText>
            <SubtleButton px={0} onClick={() => setSearch('')}>
              Clear search
            </SubtleButton>
          </Stack>
        ) : (
          <BodyText>No products found in your Shopify store</BodyText>
        )
      ) : (
        <ProductList
          products={matches.slice(0, productsShownMax)}
          currency={store?.currency ?? null}
          adminUrl={adminUrl}
        />
      )}
    </Stack>
  );
}

const tableRem = 48;

type ListProps = { products: readonly StoreProduct[]; currency: string | null; adminUrl: string | null };

const imageOf = ({ images: [image] }: StoreProduct) => (
  <Picture
    className={`${classes.image} center-grid dim surface-quiet`}
    src={image?.src}
    alt={image?.alt ?? ''}
    fallback={
      <div className={`${classes.image} center-grid dim surface-quiet`} aria-hidden>
        <IconPhoto size={16} stroke={1.5} />
      </div>
    }
  />
);
const statusOf = ({ status }: StoreProduct) => <StoreStatusBadge status={status} />;
const updatedOf = (product: StoreProduct) => <ClockTime time={product.updated_at} />;

const columnsOf = ({ currency, adminUrl }: Omit<ListProps, 'products'>): Column<StoreProduct>[] => [
  { head: 'Image', rem: 4, cell: imageOf },
  {
    head: 'Product',
    className: 'break-words',
    cell: ({ title, vendor }) => (
      <>
        <BodyText fw={550}>{title}</BodyText>
        <QuietText>{vendor}</QuietText>
      </>
    ),
  },
  { head: 'Status', rem: 7.5, cell: statusOf },
  { head: 'Price', rem: 7.5, align: 'right', cell: (product) => priceWords(product, currency) },
  { head: 'Inventory', rem: 6, align: 'right', cell: (product) => formatCount(readInventory(product)) },
  { head: 'Updated', rem: 9.5, cell: updatedOf },
  {
    head: 'Link',
    isHeadHidden: true,
    rem: 4,
    cell: (product) => <ViewLink product={product} adminUrl={adminUrl} />,
  },
];

const ProductList = ({ products, currency, adminUrl }: ListProps) => (
  <RecordList
    label="Store products"
    isOneStop
    className={classes.products}
    columns={columnsOf({ currency, adminUrl })}
    records={products}
    tableRem={tableRem}
    card={(product) => (
      <li key={product.id} className={`${classes.card} row gap-sm pad-y-xs line-below relative`}>
        {imageOf(product)}
        <div className="grow">
          <div className="row between">
            <BodyText fw={550} title={product.title} className="ellipsis">
              {product.title}
            </BodyText>
            {statusOf(product)}
          </div>
          <div className="row between">
            <QuietText className="ellipsis numbers">{cardWords(product, currency)}</QuietText>
            <QuietText className="rigid to-the-end numbers">{updatedOf(product)}</QuietText>
            <ViewLink product={product} adminUrl={adminUrl} />
          </div>
        </div>
      </li>
    )}
  />
);

function cardWords(product: StoreProduct, currency: string | null): string {
  const stock = `${formatCount(readInventory(product))} in stock`;
  return [priceWords(product, currency), stock, product.vendor].filter(Boolean).join(' · ');
}

const ViewLink = ({ product, adminUrl }: { product: StoreProduct; adminUrl: string | null }) =>
  adminUrl === null ? null : (
    <NewTabLink
      size="sm"
      href={`${adminUrl}/products/${product.id}`}
      underline="always"
      aria-label={`View ${product.title}`}
      className={`${classes.view} inline-flex center`}
      onClick={rememberStoreSeen}
    >
      View
    </NewTabLink>
  );

const storeLooks: Record<StoreStatus, Look> = {
  active: { icon: IconCircleCheck, color: 'green', variant: 'light' },
  draft: { icon: IconPencil, color: 'yellow', variant: 'light' },
  archived: { icon: IconArchive, color: 'gray', variant: 'light' },
};

/** Unknown statuses are shown as they are. */
function StoreStatusBadge({ status }: { status: string }) {
  const look = Object.hasOwn(storeLooks, status) ? storeLooks[status as StoreStatus] : statusLook(status);
  return <LookBadge look={look} word={capitalize(status)} />;
}
