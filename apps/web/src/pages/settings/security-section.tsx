import type { SecurityEvent } from '@draftshelf/contract/security';
import { Anchor, Box, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useSecurityEvents } from '../../api/security.ts';
import { Button } from '../../components/button.tsx';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { TableRegion } from '../../components/table/table-region.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { detailWords, eventWords } from './security-words.ts';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

/** The first look shows this many events. */
const shownFirst = 10;
const listHeight = 180;

/** Who signed in from where, and who changed what. */
export function SecuritySection() {
  const events = useSecurityEvents();
  return (
    <Stack component="section" gap="sm" aria-labelledby="security">
      <Title order={2} id="security">
        Security
      </Title>
      <Text size="sm" c="dimmed">
        Sign-ins, pushes, and changes of credentials and settings, by the address they came from.
      </Text>
      {events.isError && (
        <ErrorPanel title="Couldn’t load the security events." cause={events.error.message}>
          <Button onClick={() => events.refetch()}>Try Again</Button>
        </ErrorPanel>
      )}
      {/* A few events take no more room than none, so that nothing below moves. */}
      <Box mih={listHeight}>
        {events.isPending && <Skeleton height={listHeight} />}
        {events.data?.events.length === 0 && <Text size="sm">Nothing has happened yet.</Text>}
        {events.data !== undefined && events.data.events.length > 0 && (
          <EventTable events={events.data.events} />
        )}
      </Box>
      <SignOutEverywhere />
    </Stack>
  );
}

function EventTable({ events }: { events: readonly SecurityEvent[] }) {
  const [isLong, setLong] = useState(false);
  const shown = isLong ? events : events.slice(0, shownFirst);
  return (
    <>
      <TableRegion label="Security events">
        <Table aria-label="Security events">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Event</Table.Th>
              <Table.Th>When</Table.Th>
              <Table.Th>From</Table.Th>
              <Table.Th>Details</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((event) => (
              <Table.Tr key={event.id}>
                <Table.Td>{eventWords(event)}</Table.Td>
                <Table.Td className="numbers">
                  <RelativeTime time={event.at} />
                </Table.Td>
                <Table.Td>{event.client}</Table.Td>
                <Table.Td>
                  {detailWords(event)}
                  {event.importId !== null && (
                    <Anchor component={Link} to={importPath(event.importId)} size="sm">
                      Import
                    </Anchor>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableRegion>
      {events.length > shownFirst && (
        <Group>
          <Button variant="default" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
            {isLong ? 'Show Fewer' : `Show All ${formatCount(events.length)}`}
          </Button>
        </Group>
      )}
    </>
  );
}
