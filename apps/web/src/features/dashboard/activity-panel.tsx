import { Skeleton, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { historyPath, importPath } from '../../lib/paths.ts';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import type { ShownActivity } from '../import/index.ts';
import classes from './dashboard.module.css';

const shownMax = 10;
const placeholders = ['first', 'second', 'third'];

/** The words for the colors of the dots. */
const typeWords: Record<string, string> = {
  completed: 'Completed',
  processing: 'Processing',
  error: 'Error',
};

type ActivityPanelProps = { items: readonly ShownActivity[] | undefined; error: Error | null };

/** The latest activity, newest first. */
export function ActivityPanel({ items, error }: ActivityPanelProps) {
  return (
    <section className={`panel ${classes.activity}`} aria-labelledby="recent-activity">
      <div className={classes.panelHead}>
        <Title order={2} id="recent-activity">
          Recent Activity
        </Title>
        <Link to={historyPath} className={classes.more}>
          Show History
        </Link>
      </div>
      {items === undefined && error !== null && (
        <ErrorPanel title="Couldn’t load the activity." cause={error.message}>
          Retrying every five seconds…
        </ErrorPanel>
      )}
      {items === undefined && error === null && (
        <div className={classes.list} aria-hidden>
          {placeholders.map((place) => (
            <div key={place} className={classes.item}>
              <Skeleton height={18} />
            </div>
          ))}
        </div>
      )}
      {items?.length === 0 && (
        <Text c="dimmed" ta="center" py="lg">
          No recent activity
        </Text>
      )}
      {items !== undefined && items.length > 0 && (
        <ul className={classes.list}>
          {items.slice(0, shownMax).map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Item({ item }: { item: ShownActivity }) {
  const word = Object.hasOwn(typeWords, item.type) ? typeWords[item.type] : 'Note';
  return (
    <li className={classes.item}>
      <span className={classes.dot} data-type={item.type}>
        <span className="visually-hidden">{word}</span>
      </span>
      <span className={classes.message} title={item.message}>
        {item.importId === null ? (
          item.message
        ) : (
          <Link to={importPath(item.importId)} className={classes.messageLink} dir="auto">
            {item.message}
          </Link>
        )}
      </span>
      <Text span size="xs" c="dimmed" className={`${classes.time} numbers`}>
        <RelativeTime time={item.createdAt} />
      </Text>
    </li>
  );
}
