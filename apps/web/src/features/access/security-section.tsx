import type { SecurityEvent } from '@draftshelf/contract/access/security';
import { Anchor, Box, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { freshMs, readOf } from '../../api/read.ts';
import { formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { scannedListKeys } from '../../lib/sign-out-storage.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/feedback/confirm.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { type Column, RecordTable } from '../../ui/table/record-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { TitledSection } from '../../ui/titled-section.tsx';
import { useAuthStatus, useLogout } from './auth-api.ts';
import { detailWords, eventWords } from './security-words.ts';

/** More events are shown on request. */
const firstEventsMax = 10;
const listHeight = 180;

/** Sign-ins and changes, each with the address it came from. */
export function SecuritySection() {
  return (
    <TitledSection id="security" title="Security">
      <Text size="sm" c="dimmed">
        Sign-ins, pushes, and changes of credentials and settings, by the address they came from.
      </Text>
      {/* A few events take no more room than none, so that nothing below moves. */}
      <Box mih={listHeight}>
        <Read
          of={useSecurityEvents()}
          what="the security events"
          meanwhile={<Skeleton height={listHeight} />}
        >
          {({ events }) =>
            events.length === 0 ? (
              <Text size="sm">Nothing has happened yet.</Text>
            ) : (
              <EventTable events={events} />
            )
          }
        </Read>
      </Box>
      <SignOutEverywhere />
    </TitledSection>
  );
}

const columns: Column<SecurityEvent>[] = [
  { head: 'Event', cell: eventWords },
  { head: 'When', className: 'numbers', cell: ({ at }) => <RelativeTime time={at} /> },
  { head: 'From', cell: ({ client }) => client },
  {
    head: 'Details',
    cell: (event) => (
      <>
        {detailWords(event)}{' '}
        {event.importId !== null && (
          <Anchor component={Link} to={importPath(event.importId)} size="sm">
            Import
          </Anchor>
        )}
      </>
    ),
  },
];

function EventTable({ events }: { events: readonly SecurityEvent[] }) {
  const [isLong, setLong] = useState(false);
  return (
    <>
      <RecordTable
        label="Security events"
        columns={columns}
        records={isLong ? events : events.slice(0, firstEventsMax)}
        keyOf={({ id }) => id}
      />
      {events.length > firstEventsMax && (
        <Group>
          <Button variant="default" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
            {isLong ? 'Show Fewer' : `Show All ${formatCount(events.length)}`}
          </Button>
        </Group>
      )}
    </>
  );
}

/** Ends the sessions of all browsers, after a question. Not there without sign-in. */
function SignOutEverywhere() {
  const [isAsking, setAsking] = useState(false);
  const logout = useLogout('logoutEverywhere', 'Couldn’t sign out everywhere');
  const navigate = useNavigate();
  const start = () => {
    setAsking(false);
    logout.mutate({}, { onSuccess: () => navigate('/login') });
  };
  if (useAuthStatus().data?.requiresAuth !== true) return null;
  return (
    <Group>
      <Button variant="default" onClick={() => setAsking(true)}>
        Sign Out Everywhere
      </Button>
      <Confirm
        opened={isAsking}
        title="Sign out everywhere?"
        confirm="Sign Out Everywhere"
        keep="Stay Signed In"
        onConfirm={start}
        onClose={() => setAsking(false)}
      >
        All browsers are signed out, including this one. Imports and pushes continue.
        {isAsking &&
          scannedListKeys().length > 0 &&
          ' The codes of Scan Many in this browser aren’t saved yet, and are removed.'}
      </Confirm>
    </Group>
  );
}

/** The newest sign-ins and changes, read once per visit. */
const securityRead = () => ({ ...readOf('listSecurityEvents'), staleTime: freshMs });

function useSecurityEvents() {
  return useQuery(securityRead());
}
