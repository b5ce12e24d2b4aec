import { IconCircleCheck, IconEye } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ShownCurrent } from '../../api/dashboard.ts';
import { queuePath } from '../../lib/paths.ts';
import classes from './dashboard.module.css';
import { needsWords } from './needs-words.ts';

/** One line that says what waits for the operator. It keeps its height while it is not known. */
export function NeedsYou({ jobs }: { jobs: readonly ShownCurrent[] | undefined }) {
  if (jobs === undefined) return <p className={classes.needs} />;
  const words = needsWords(jobs);
  return (
    <p className={classes.needs} data-needed={words !== null}>
      {words === null ? (
        <>
          <IconCircleCheck size={16} aria-hidden /> Nothing needs you right now.
        </>
      ) : (
        <>
          <IconEye size={16} aria-hidden />{' '}
          <Link to={queuePath} className={classes.needsLink}>
            {words}
          </Link>
        </>
      )}
    </p>
  );
}
