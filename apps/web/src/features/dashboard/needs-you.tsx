import { IconCircleCheck, IconEye } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from 'react-router';
import type { ShownCurrent } from '../import/index.ts';
import classes from './dashboard.module.css';
import { needsOf } from './needs-words.ts';

/** One line that says what waits for the operator. It keeps its height while it is not known. */
export function NeedsYou({ imports }: { imports: readonly ShownCurrent[] | undefined }) {
  if (imports === undefined) return <p className={classes.needs} />;
  const needs = needsOf(imports);
  return (
    <p className={classes.needs} data-needed={needs.length > 0}>
      {needs.length === 0 ? (
        <>
          <IconCircleCheck size={16} aria-hidden /> No import waits for a review or a push.
        </>
      ) : (
        <>
          <IconEye size={16} aria-hidden />
          <span>
            {needs.map(({ words, path }, at) => (
              <Fragment key={path}>
                {at > 0 && ', '}
                <Link to={path} className={classes.needsLink}>
                  {words}
                </Link>
              </Fragment>
            ))}
            .
          </span>
        </>
      )}
    </p>
  );
}
