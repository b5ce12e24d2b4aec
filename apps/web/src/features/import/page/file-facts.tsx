import { fileSize } from '@draftshelf/domain/base/format';
import type { ReactNode } from 'react';
import { formatCount, formatDuration } from '../../../lib/intl.ts';
import { RelativeTime } from '../../../ui/time.tsx';
import classes from '../import.module.css';
import type { ShownImport } from '../imports-api.ts';
import { originWords } from '../status/import-cells.tsx';
import { sentWords } from '../status/pace-words.ts';
import { isRunning } from './import-head.tsx';

/** Where a file came from and when, and what was done with it. */
export function FileFacts({ record }: { record: ShownImport }) {
  const { source, startedAt, completedAt } = record;
  const facts: [string, ReactNode][] = [];
  if (isRunning(record) && sentWords(record) === '') {
    facts.push([
      'Products',
      `${formatCount(record.processedProducts)} of ${formatCount(record.totalProducts)}`,
    ]);
  }
  facts.push(['Size', fileSize(record.fileSize)]);
  if (source !== 'upload') facts.push([originWords[source], record.sourceRef ?? record.filename]);
  facts.push([
    source === 'upload' ? 'Uploaded' : 'Imported',
    <RelativeTime key="uploaded" time={record.createdAt} />,
  ]);
  if (record.testMode) facts.push(['Test', 'first 3 rows']);
  if (record.shop !== null) facts.push(['Store', record.shop]);
  if (startedAt !== null && completedAt !== null) {
    const tookMs = Date.parse(completedAt) - Date.parse(startedAt);
    facts.push(['Took', tookMs < 60_000 ? `${Math.ceil(tookMs / 1000)} s` : formatDuration(tookMs)]);
  }
  return (
    <dl className={`row-wrap flush quiet numbers ${classes.facts} gap-x-sm`}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className={name === 'Size' ? 'visually-hidden' : undefined}>{name}</dt>
          <dd className="flush break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
