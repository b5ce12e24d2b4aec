import { Skeleton, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { historyPath, importPath } from '../../lib/paths.ts';
import { Read } from '../../ui/feedback/read.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import type { ShownActivity, useActivity } from '../import/index.ts';
import classes from './dashboard.module.css';

const itemsMax = 10;
const places = ['first', 'second', 'third'];

/** The words for the colors of the dots. */
const typeWords: Record<string, string> = {
  completed: 'Completed',
  processing: 'Processing',
  error: 'Error',
};

/** The latest activity, newest first. */
export function ActivityPanel({ reading }: { reading: ReturnType<typeof useActivity> }) {
  return (
    <section className={`panel ${classes.activity}`} aria-labelledby="recent-activity">
      <div className={`row ${classes.ends}`}>
        <Title order={2} id="recent-activity">
          Recent Activity
        </Title>
        <Link to={historyPath} className={classes.more}>
          Show History
        </Link>
      </div>
      <Read of={reading} what="the activity" meanwhile={<Placeholders />} retries="every five seconds">
        {(items) =>
          items.length === 0 ? (
            <Text c="dimmed" ta="center" py="lg">
              No recent activity
            </Text>
          ) : (
            <ul className={`list ${classes.list}`}>
              {items.slice(0, itemsMax).map((item) => (
                <Item key={item.id} item={item} />
              ))}
            </ul>
          )
        }
      </Read>
    </section>
  );
}

function Placeholders() {
  return (
    <div className={`list ${classes.list}`} aria-hidden>
      {places.map((place) => (
        <div key={place} className={`row ${classes.item}`}>
          <Skeleton height={18} />
        </div>
      ))}
    </div>
  );
}

function Item({ item }: { item: ShownActivity }) {
  const word = Object.hasOwn(typeWords, item.type) ? typeWords[item.type] : 'Note';
  return (
    <li className={`row ${classes.item}`}>
      <span className={classes.dot} data-type={item.type}>
        <span className="visually-hidden">{word}</span>
      </span>
      <span className={`grow break-words ${classes.message}`} title={item.message}>
        {item.importId === null ? (
          item.message
        ) : (
          <Link to={importPath(item.importId)} className={classes.messageLink} dir="auto">
            {item.message}
          </Link>
        )}
      </span>
      <Text span size="xs" c="dimmed" className={`${classes.whole} numbers`}>
        <RelativeTime time={item.createdAt} />
      </Text>
    </li>
  );
}
