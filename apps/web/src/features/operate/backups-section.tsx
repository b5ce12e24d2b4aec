import type { Backups } from '@draftshelf/contract/operate/backups';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { freshMs, readOf } from '../../api/read.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { RelativeTime } from '../../ui/time.tsx';

/** The nightly backups, and whether one could be restored. */
export function BackupsSection() {
  const backups = useQuery({ ...readOf('getBackups'), staleTime: freshMs });
  return (
    <Stack component="section" gap="sm" aria-labelledby="backups">
      <Title order={2} id="backups">
        Backups
      </Title>
      <Text size="sm" c="dimmed">
        Everything is backed up every night. Once a week a backup is restored into a scratch database, and its
        rows, files and photos are compared.
      </Text>
      <Read of={backups} what="the backups" meanwhile={<Skeleton height={42} />}>
        {(read) => <State backups={read} />}
      </Read>
    </Stack>
  );
}

function State({ backups: { isKept, last, check, problem } }: { backups: Backups }) {
  return (
    <>
      {!isKept && (
        <Text size="sm">
          No keeper is running, so backups are not made by themselves. BACKUP_DIR says where to.
        </Text>
      )}
      {problem !== null && <ErrorPanel title="Couldn’t make the last backup.">{problem}</ErrorPanel>}
      <Text size="sm" component="div">
        {last === null ? (
          'Nothing has been backed up yet. The first backup is made in the night after the first import.'
        ) : (
          <>
            {'Backed up '}
            <RelativeTime time={last.takenAt} />
            {` (${sizeOf(last.bytes)}, ${formatCount(last.kept)} kept).`}
          </>
        )}
      </Text>
      {check !== null && <Check check={check} />}
    </>
  );
}

function Check({ check }: { check: NonNullable<Backups['check']> }) {
  const { at, tables, rows, objects, count, seconds, differences, problem } = check;
  if (problem !== null)
    return <ErrorPanel title="Couldn’t restore a backup to compare it.">{problem}</ErrorPanel>;
  return (
    <>
      <Text size="sm" component="div">
        {'Restored and compared '}
        <RelativeTime time={at} />
        {`: ${countOf(tables, 'table')}, ${countOf(rows, 'row')}, ${countOf(objects, 'file')}, ${countOf(count, 'difference')}, ${seconds} s.`}
      </Text>
      {count > 0 && (
        <ErrorPanel title={`${countOf(count, 'difference')} found.`} tone="warning">
          {differences.join(' ')}
        </ErrorPanel>
      )}
    </>
  );
}

const sizeOf = (bytes: number) =>
  bytes < 1e9 ? `${formatCount(Math.ceil(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
