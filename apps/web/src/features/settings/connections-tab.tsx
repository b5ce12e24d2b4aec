import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isDemoStore, type ShownConnection, storeName, useConnections } from '../../api/connections.ts';
import { formatClock } from '../../lib/intl.ts';
import { oneDrivePath, storePath } from '../../lib/paths.ts';
import { Button, PlainButton } from '../../ui/button.tsx';
import { FoldOut } from '../../ui/feedback/error-panel.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { HelpTip } from '../../ui/hint.tsx';
import { BodyText, PageLink, QuietText } from '../../ui/text.tsx';
import { LookBadge, SourceQuotas } from '../import/index.ts';
import { CredentialsForm } from '../store/index.ts';

const serviceNames: Record<ShownConnection['service'], string> = {
  shopify: 'Shopify',
  onedrive: 'OneDrive',
  upc_services: 'UPC services',
};

export const ConnectionsTab = () => (
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
  const word = connection.status.charAt(0).toUpperCase() + connection.status.slice(1);
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
