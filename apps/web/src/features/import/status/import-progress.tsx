import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount, joinWords } from '../../../lib/intl.ts';
import { importPath, outcomeRowsPath } from '../../../lib/paths.ts';
import { useNow } from '../../../ui/hooks.ts';
import { useNoPushWorker } from '../../operate/index.ts';
import type { ShownImport } from '../imports-api.ts';
import {
  CompositionProgress,
  type CountedImport,
  compositionOf,
  type Part,
  partWords,
} from './composition.tsx';
import { type PacedImport, paceWords, sentWords, waitingWords } from './pace-words.ts';
import classes from './status.module.css';

/** Keeps its height without text, so that nothing moves. */
export const captionLine = { size: 'xs', lh: '16px', mih: 16, className: 'ellipsis numbers' } as const;

/** The words of a running import count seconds. */
const runningTickMs = 2000;

export type ProgressingImport = PacedImport &
  CountedImport &
  Pick<ShownImport, 'id' | 'filename' | 'progress' | 'totalProducts' | 'startedAt' | 'foundSincePush'>;

type ImportProgressProps = {
  record: ProgressingImport;
  reason?: ReactNode;
  isCounted?: boolean;
};

export function ImportProgress({ record, reason, isCounted = false }: ImportProgressProps) {
  const parts = compositionOf(record);
  return (
    <Stack gap="var(--hair)" miw={120}>
      <Group gap="xs" wrap="nowrap">
        <div className="grow">
          <ImportBar record={record} parts={parts} />
        </div>
        <Text size="sm" className="numbers" w={40} ta="right" lh="18px">
          {record.progress}%
        </Text>
      </Group>
      {reason ?? <ProgressCaption record={record} parts={parts} isCounted={isCounted} />}
    </Stack>
  );
}

type PartsProps = { record: ProgressingImport; parts: readonly Part[] };

export function ImportBar({ record, parts }: PartsProps) {
  return (
    <CompositionProgress
      // A new stage begins with a new bar: the old one would shrink.
      key={`${record.status === 'uploading' ? 'push' : 'processing'} ${record.startedAt}`}
      label={`Progress of ${record.filename}`}
      value={record.progress}
      parts={parts}
      total={record.totalProducts}
      piece={pieceOf(record.status)}
    />
  );
}

function pieceOf(status: string): 'running' | 'whole' | 'stopped' | 'idle' {
  if (status === 'processing' || status === 'uploading') return 'running';
  if (status === 'failed') return 'stopped';
  return status === 'queued' || status === 'processed' || status === 'completed' ? 'whole' : 'idle';
}

export function ProgressCaption({ record, parts, isCounted }: PartsProps & { isCounted: boolean }) {
  const isRunning = record.status === 'processing' || record.status === 'uploading';
  const nowMs = useNow(isRunning ? runningTickMs : undefined);
  const hasNoWorker = useNoPushWorker(record.pace?.stage === 'push' && record.pace.state === 'stalled');
  const pace = paceWords(record, nowMs, { hasNoWorker });
  const words = waitingWords(record, nowMs) ?? (parts.length === 0 ? pace : '');
  const counted = joinWords([isCounted ? sentWords(record) : '', words]);
  return (
    <Text {...captionLine} c="dimmed" component="div" title={counted === '' ? undefined : counted}>
      {counted === '' && parts.length > 0 ? <Composition record={record} parts={parts} /> : counted}
    </Text>
  );
}

const foundWords = 'Products with values that were found since the push. Push again to send them.';

/** '5 found since · 12 skipped · 28 created'. Parts that need the operator come first and are never cut. */
function Composition({ record, parts }: PartsProps) {
  const linked = parts.map((part) => ({ part, path: pathTo(part, record.id) }));
  const ordered = [
    ...linked.filter(({ path }) => path !== null),
    ...linked.filter(({ path }) => path === null),
  ];
  // Only a failed push has parts: an unreadable file has none.
  const isStopped = record.status === 'failed';
  const hasFound = record.status === 'completed' && record.foundSincePush > 0;
  return (
    <span
      className={`${classes.parts} flex wrap`}
      data-long={hasFound || undefined}
      title={ordered.map(({ part }) => partWords(part)).join(' · ')}
    >
      {isStopped && <span>Stopped at push</span>}
      {hasFound && (
        <span>
          <Link to={importPath(record.id)} className={`${classes.lead} warning`} title={foundWords}>
            {formatCount(record.foundSincePush)} found since
          </Link>
        </span>
      )}
      {ordered.map(({ part, path }, at) => (
        <span key={part.kind}>
          {(at > 0 || isStopped || hasFound) && ' · '}
          {path === null ? (
            partWords(part)
          ) : (
            <Link to={path} className={`${classes.lead} warning`} data-kind={part.kind}>
              {partWords(part)}
            </Link>
          )}
        </span>
      ))}
    </span>
  );
}

function pathTo({ kind }: Part, id: string): string | null {
  if (kind === 'warning' || kind === 'error') return `${importPath(id)}?class=${kind}`;
  return kind === 'skipped' || kind === 'failed' ? outcomeRowsPath(id, kind) : null;
}
