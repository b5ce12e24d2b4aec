import { Text } from '@mantine/core';
import type { ShownImport } from '../../api/imports.ts';
import { sentProducts } from '../../components/import/pace.ts';
import { RelativeTime } from '../../components/time.tsx';
import { formatCount } from '../../lib/intl.ts';
import classes from './queue.module.css';

export function Products({ job }: { job: ShownImport }) {
  return (
    <div className={classes.products}>
      <Text className={`${classes.first} numbers`}>
        {formatCount(job.processedProducts)} of {formatCount(job.totalProducts)}
      </Text>
      <Text c="dimmed" className={`${classes.second} numbers`}>
        {pushedWords(job)}
      </Text>
    </div>
  );
}

function pushedWords(job: ShownImport): string {
  if (job.status === 'completed') return `${formatCount(job.createdProducts)} uploaded to Shopify`;
  const sent = job.status === 'uploading' ? sentProducts(job) : null;
  return sent === null ? '' : `${formatCount(sent)} sent`;
}

export function Started({ job }: { job: ShownImport }) {
  return (
    <Text span className={`${classes.first} numbers`}>
      {job.startedAt === null ? '–' : <RelativeTime time={job.startedAt} />}
    </Text>
  );
}
