import { IconCircleFilled, IconPlugConnectedX } from '@tabler/icons-react';
import { useSyncExternalStore } from 'react';
import { formatClock } from '../../lib/intl.ts';
import { isOlderPage, onOlderPage } from '../../lib/own-build.ts';
import { Button } from '../../ui/button.tsx';
import type { ServerContact } from './server-contact.ts';
import classes from './shell.module.css';

/**
 * Says in the top bar whether the server answers, and when it has a newer version than this page. On phones it appears
 * only if there is something to do.
 */
export function ConnectionState({ lostSinceMs }: ServerContact) {
  const isOlder = useSyncExternalStore(onOlderPage, isOlderPage);
  const isLost = lostSinceMs !== null;
  return (
    <div
      role="status"
      className={classes.state}
      data-lost={isLost || undefined}
      data-older={isOlder || undefined}
    >
      {isLost && (
        <>
          <IconPlugConnectedX size={16} stroke={1.75} aria-hidden />
          <span>
            No connection<span className={classes.since}>{` since ${formatClock(lostSinceMs)}`}</span>
          </span>
        </>
      )}
      {!isLost && isOlder && (
        <Button size="xs" variant="default" onClick={() => location.reload()}>
          <span>
            Reload<span className={classes.since}>{' for the new version'}</span>
          </span>
        </Button>
      )}
      {!isLost && !isOlder && (
        <>
          <IconCircleFilled size={9} aria-hidden /> System Active
        </>
      )}
    </div>
  );
}
