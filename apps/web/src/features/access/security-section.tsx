import type { SecurityEvent } from '@draftshelf/contract/access/security';
import type { SecurityEventKind } from '@draftshelf/domain/access/security-events';
import { Anchor, Box, Group, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { freshMs, readOf } from '../../api/call.ts';
import { formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { listScannedListKeys } from '../../lib/storage.ts';
import { BodyText, PlainButton, QuietText, RelativeTime } from '../../ui/basics.tsx';
import { ConfirmedButton } from '../../ui/feedback/confirm.tsx';
import { ReadView } from '../../ui/feedback/read.tsx';
import { TitledSection } from '../../ui/hint.tsx';
import { type Column, RecordTable } from '../../ui/table/record-table.tsx';
import { settingLabels } from '../settings/index.ts';
import { useAuthStatus, useLogout } from './auth-api.ts';

const firstEventsMax = 10;
const listHeight = 180;

export function SecuritySection() {
  const [isLong, setLong] = useState(false);
  return (
    <TitledSection id="security" title="Security" controls={<SignOutEverywhere />}>
      <QuietText>
        Sign-ins, pushes, and changes of credentials and settings, by the address they came from.
      </QuietText>
      {/** Even without events the list has its usual height, so that the sections below do not move. */}
      <Box mih={listHeight}>
        <ReadView
          of={useQuery({ ...readOf('listSecurityEvents'), staleTime: freshMs })}
          what="the security events"
          meanwhile={<Skeleton height={listHeight} />}
        >
          {({ events }) => (
            <>
              {events.length === 0 ? (
                <BodyText>Nothing has happened yet.</BodyText>
              ) : (
                <RecordTable
                  label="Security events"
                  columns={columns}
                  records={isLong ? events : events.slice(0, firstEventsMax)}
                  keyOf={({ id }) => id}
                />
              )}
              {events.length > firstEventsMax && (
                <Group>
                  <PlainButton aria-expanded={isLong} onClick={() => setLong(!isLong)}>
                    {isLong ? 'Show Fewer' : `Show All ${formatCount(events.length)}`}
                  </PlainButton>
                </Group>
              )}
            </>
          )}
        </ReadView>
      </Box>
    </TitledSection>
  );
}

const columns: Column<SecurityEvent>[] = [
  { head: 'Event', cell: (event) => nameSecurityEvent(event) },
  { head: 'When', className: 'numbers', cell: ({ at }) => <RelativeTime time={at} /> },
  { head: 'From', cell: ({ client }) => client },
  {
    head: 'Details',
    cell: (event) => (
      <>
        {describeEventDetail(event)}{' '}
        {event.importId !== null && (
          <Anchor component={Link} to={importPath(event.importId)} size="sm">
            Import
          </Anchor>
        )}
      </>
    ),
  },
];

/** Hidden if no sign-in is needed. */
function SignOutEverywhere() {
  const logout = useLogout('logoutEverywhere', 'Couldn’t sign out everywhere');
  const navigate = useNavigate();
  if (useAuthStatus().data?.requiresAuth !== true) return null;
  return (
    <ConfirmedButton
      button={(ask) => <PlainButton onClick={ask}>Sign Out Everywhere</PlainButton>}
      title="Sign out everywhere?"
      confirm="Sign Out Everywhere"
      keep="Stay Signed In"
      onConfirm={() => logout.mutate({}, { onSuccess: () => navigate('/login') })}
    >
      All browsers are signed out, including this one. Imports and pushes continue.
      {listScannedListKeys().length > 0 && ' Unsaved codes of Scan Many in this browser are removed.'}
    </ConfirmedButton>
  );
}

const kindWords: Record<SecurityEventKind, string> = {
  'signed-in': 'Signed in',
  'sign-in-failed': 'Wrong access key',
  'locked-out': 'Sign-in blocked for 15 minutes',
  'sign-ins-slowed': 'Sign-ins slowed down after 1,000 wrong keys in an hour',
  'signed-out': 'Signed out',
  'sessions-ended': 'Signed out everywhere',
  'credentials-saved': 'Credentials saved',
  'credentials-removed': 'Credentials removed',
  'settings-changed': 'Settings changed',
  'push-begun': 'Push started',
  'undo-begun': 'Undo of a push started',
  'import-deleted': 'Import deleted',
  'product-deleted': 'Scanned product deleted',
  'work-given-up': 'Failed work given up',
  'work-retried': 'Failed work retried',
  'rows-changed': 'Bulk change',
  'connection-begun': 'Sign-in with a code started',
  'requests-refused': 'Requests refused',
};

/** Returns the name of an event; a kind of a newer server is shown as it is. */
export const nameSecurityEvent = ({ kind }: Pick<SecurityEvent, 'kind'>): string =>
  (kindWords as Record<string, string>)[kind] ?? kind;

/** Example: 'Safe Mode (Draft Only): off', with the labels of the settings screen. */
export function describeEventDetail({ kind, detail }: Pick<SecurityEvent, 'kind' | 'detail'>): string {
  if (detail === null || kind !== 'settings-changed') return detail ?? '';
  return detail
    .split(', ')
    .map((change) => {
      const [name = '', value] = change.split(': ');
      const label = (settingLabels as Record<string, string>)[name] ?? name;
      return value === undefined ? label : `${label}: ${switchWords[value] ?? value}`;
    })
    .join(', ');
}

const switchWords: Record<string, string> = { true: 'on', false: 'off' };
