import type { SecurityEvent } from '@draftshelf/contract/access/security';
import type { SecurityEventKind } from '@draftshelf/domain/access/security-events';
import { settingLabels } from '../settings/index.ts';

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

/** A security event in words. An unknown kind of a newer server is shown as it is. */
export function eventWords({ kind }: Pick<SecurityEvent, 'kind'>): string {
  return (kindWords as Record<string, string>)[kind] ?? kind;
}

/** The details of an event, with the settings' names of the screen: 'Safe Mode (Draft Only): off'. */
export function detailWords({ kind, detail }: Pick<SecurityEvent, 'kind' | 'detail'>): string {
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
