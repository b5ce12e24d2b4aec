import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { HelpTip } from '../../ui/help-tip.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

type LaterPageProps = { title: string; subtitle?: string; children: ReactNode };

/** A screen that is not built yet: its title, what it will hold, and where to go meanwhile. */
function LaterPage({ title, subtitle, children }: LaterPageProps) {
  return (
    <>
      <title>{`${title} · Draftshelf`}</title>
      <PageHeader title={title} subtitle={subtitle} />
      <Text mt="md" maw="var(--form-width-max)">
        {children}
      </Text>
    </>
  );
}

function To({ path, children }: { path: string; children: string }) {
  return (
    <Anchor component={Link} to={path} underline="always">
      {children}
    </Anchor>
  );
}

export function DashboardPage() {
  return (
    <LaterPage title="Dashboard">
      This screen is not built yet: it will hold the statistics, the recent activity and the current work;
      until then the <To path="/queue">Processing Queue</To> shows every import, and you can{' '}
      <To path="/upload">upload a CSV</To>.
    </LaterPage>
  );
}

export function HistoryPage() {
  return (
    <LaterPage title="History">
      This screen is not built yet: it will list completed, failed and cancelled imports with filters and
      reports; until then the <To path="/queue">Processing Queue</To> also shows the latest finished ones.
    </LaterPage>
  );
}

export function StorePage() {
  return (
    <LaterPage title="Shopify Integration" subtitle="Manage your store connection and product uploads">
      This screen is not built yet: it will hold the store's overview, its products, the inventory sync{' '}
      <HelpTip topic="inventory sync" /> and the batch push; until then each import is pushed from the{' '}
      <To path="/queue">Processing Queue</To>, and the connection is tested under{' '}
      <To path="/settings?tab=connections">Settings</To>.
    </LaterPage>
  );
}

export function ScannerPage() {
  return (
    <LaterPage
      title="Product Scanner"
      subtitle="Scan, create, and manage products with photos, dimensions, and pricing"
    >
      This screen is not built yet: it will hold the library of scanned products; until then products come
      from a file that you <To path="/upload">upload</To>.
    </LaterPage>
  );
}
