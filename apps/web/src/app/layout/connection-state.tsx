import { IconCircleFilled, IconPlugConnectedX } from '@tabler/icons-react';
import { formatClock } from '../../lib/intl.ts';
import type { ServerContact } from './server-contact.ts';
import classes from './shell.module.css';

/** Says in the top bar whether the server answers. On phones it appears only if the server does not. */
export function ConnectionState({ lostSinceMs }: ServerContact) {
  return (
    <div role="status" className={classes.state} data-lost={lostSinceMs !== null || undefined}>
      {lostSinceMs === null ? (
        <>
          <IconCircleFilled size={9} aria-hidden /> System Active
        </>
      ) : (
        <>
          <IconPlugConnectedX size={16} stroke={1.75} aria-hidden />
          <span>
            No connection<span className={classes.since}>{` since ${formatClock(lostSinceMs)}`}</span>
          </span>
        </>
      )}
    </div>
  );
}
