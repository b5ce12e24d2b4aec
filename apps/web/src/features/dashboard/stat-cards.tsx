import type { DashboardStats } from '@draftshelf/contract/operate/dashboard';
import { Skeleton } from '@mantine/core';
import { Link } from 'react-router';
import { formatCount } from '../../lib/intl.ts';
import { historyPath, queuePath } from '../../lib/paths.ts';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import classes from './dashboard.module.css';

/** The specification's four numbers, and where their imports are listed. */
const cards = [
  { key: 'filesProcessed', label: 'Files Processed', to: null },
  { key: 'productsCreated', label: 'Products Created', to: null },
  { key: 'inQueue', label: 'In Queue', to: queuePath },
  { key: 'errors', label: 'Errors', to: `${historyPath}?status=failed` },
] as const;

type StatCardsProps = {
  stats: DashboardStats | undefined;
  /** Created products that were undone; undefined while that is not known. */
  undone: number | undefined;
  error: Error | null;
};

export function StatCards({ stats, undone = 0, error }: StatCardsProps) {
  if (stats === undefined && error !== null) {
    return (
      <ErrorPanel title="Couldn’t load the statistics." cause={error.message}>
        Retrying every five seconds…
      </ErrorPanel>
    );
  }
  return (
    <section aria-label="Statistics">
      <dl className={classes.stats}>
        {cards.map(({ key, label, to }) => (
          <div key={key} className={classes.stat}>
            <dt>
              {to === null ? (
                label
              ) : (
                <Link to={to} className={classes.statLink}>
                  {label}
                </Link>
              )}
            </dt>
            <dd className="numbers" data-bad={key === 'errors' && (stats?.errors ?? 0) > 0}>
              {stats === undefined ? <Skeleton height={24} width={48} /> : formatCount(stats[key])}
              {key === 'productsCreated' && undone > 0 && (
                <span className={classes.undone}>{formatCount(undone)} undone</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
