import type { Connection } from '@draftshelf/contract/connections';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useConnections, useConnectionTest } from '../../api/connections.ts';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { useToast } from '../../components/feedback/toast.tsx';
import { HelpTip } from '../../components/help/help-tip.tsx';
import { LookBadge } from '../../components/import/status-badge.tsx';
import { SourceQuotas } from '../../components/lookups/source-quotas.tsx';

const serviceNames: Record<Connection['service'], string> = {
  shopify: 'Shopify',
  onedrive: 'OneDrive',
  upc_services: 'UPC services',
};

/** The connected services, each with its status and a test. */
export function ConnectionsTab() {
  const connections = useConnections();
  if (connections.isError) {
    return (
      <ErrorPanel title="Couldn’t load connections." cause={connections.error.message}>
        <Button onClick={() => connections.refetch()}>Try Again</Button>
      </ErrorPanel>
    );
  }
  if (connections.data === undefined) return <Skeleton height={180} maw="var(--form-width-max)" />;
  return (
    <Stack gap="sm" maw="var(--form-width-max)">
      {connections.data.map((connection) => (
        <ConnectionLine key={connection.id} connection={connection} />
      ))}
      <SourceQuotas />
    </Stack>
  );
}

function subtitleOf({ service, details }: Connection): string {
  if (service === 'shopify') return details.shopDomain ?? 'No store set up';
  if (service === 'onedrive') return 'Automatic file detection';
  return `${(details.services ?? []).filter((one) => one.active).length} services active`;
}

function ConnectionLine({ connection }: { connection: Connection }) {
  const test = useConnectionTest();
  const toast = useToast();
  const connected = connection.status === 'connected';
  const start = () =>
    test.mutate(connection.service, {
      onSuccess: () => toast({ title: 'Connection Test', text: 'Connection test completed successfully' }),
    });
  const word = connection.status.charAt(0).toUpperCase() + connection.status.slice(1);
  return (
    <section className="panel" aria-label={serviceNames[connection.service]}>
      <Group justify="space-between" gap="sm">
        <Stack gap={0} flex="1 1 12rem">
          <Group gap={4}>
            <Text fw={600}>{serviceNames[connection.service]}</Text>
            {connection.service === 'shopify' && <HelpTip topic="store integration" />}
          </Group>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {subtitleOf(connection)}
          </Text>
        </Stack>
        <Group gap="sm" wrap="nowrap">
          <LookBadge
            look={{
              icon: connected ? IconCircleCheck : IconCircleX,
              color: connected ? 'green' : 'gray',
              variant: 'light',
            }}
            word={word}
          />
          <Button variant="default" loading={test.isPending} onClick={start}>
            {connected ? 'Test' : 'Configure'}
          </Button>
        </Group>
      </Group>
      <Text size="sm" role="status" mt={4}>
        {test.data?.message ?? (test.isError ? test.error.message : connection.details.message)}
      </Text>
    </section>
  );
}
