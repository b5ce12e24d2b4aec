import { Text } from '@mantine/core';
import type { ShownImport } from '../../api/imports.ts';
import { sentProducts } from '../../components/import/pace.ts';
import { RelativeTime } from '../../components/time.tsx';
import { formatCount } from '../../lib/intl.ts';
import classes from './queue.module.css';

export function Products({ record }: { record: ShownImport }) {
  return (
    <div className={classes.products}>
      <Text className={`${classes.first} numbers`}>
        {formatCount(record.processedProducts)} of {formatCount(record.totalProducts)}
      </Text>
      <Text c="dimmed" className={`${classes.second} numbers`}>
        {pushedWords(record)}
      </Text>
    </div>
  );
}

function pushedWords(record: ShownImport): string {
  if (record.status === 'completed') return `${formatCount(record.createdProducts)} uploaded to Shopify`;
  const sent = record.status === 'uploading' ? sentProducts(record) : null;
  return sent === null ? '' : `${formatCount(sent)} sent`;
}

export function Started({ record }: { record: ShownImport }) {
  return (
    <Text span className={`${classes.first} numbers`}>
      {record.startedAt === null ? '–' : <RelativeTime time={record.startedAt} />}
    </Text>
  );
}
