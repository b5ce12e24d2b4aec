import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { countOf, formatClock, formatCount, formatMoment, joinWords } from '../../../lib/intl.ts';
import { importPath, outcomeRowsPath } from '../../../lib/paths.ts';
import { BodyText } from '../../../ui/basics.tsx';
import { useNow } from '../../../ui/hooks.ts';
import { useNoPushWorker } from '../../operate/index.ts';
import type { ShownImport } from '../imports-api.ts';
import {
  CompositionProgress,
  type CountedImport,
  compositionOf,
  type ProductCount,
  partWords,
} from './composition.tsx';
import classes from './status.module.css';

/** Props of a caption. Its height stays when it is empty, so that nothing moves when text appears. */
export const captionProps = { size: 'xs', lh: '16px', mih: 16, className: 'ellipsis numbers' } as const;

/** Milliseconds between updates of the remaining time, which is shown in seconds. */
const runningTickMs = 2000;

export type ProgressingImport = PacedImport &
  CountedImport &
  Pick<ShownImport, 'id' | 'filename' | 'progress' | 'totalProducts' | 'startedAt' | 'foundSincePush'>;

type ImportProgressProps = { record: ProgressingImport; reason?: ReactNode; isCounted?: boolean };

export function ImportProgress({ record, reason, isCounted = false }: ImportProgressProps) {
  const parts = compositionOf(record);
  return (
    <Stack gap="var(--hair)" miw={120}>
      <Group gap="xs" wrap="nowrap">
        <div className="grow">
          <ImportBar record={record} parts={parts} />
        </div>
        <BodyText className="numbers" w={40} ta="right" lh="18px">
          {record.progress}%
        </BodyText>
      </Group>
      {reason ?? <ProgressCaption record={record} parts={parts} isCounted={isCounted} />}
    </Stack>
  );
}

type PartsProps = { record: ProgressingImport; parts: readonly ProductCount[] };

export const ImportBar = ({ record, parts }: PartsProps) => (
  <CompositionProgress
    // Another stage gets another bar, because the same bar would visibly shrink.
    key={`${record.status === 'uploading' ? 'push' : 'processing'} ${record.startedAt}`}
    label={`Progress of ${record.filename}`}
    value={record.progress}
    parts={parts}
    total={record.totalProducts}
    piece={pieceOf(record.status)}
  />
);

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
  const words = importWaitingWords(record, nowMs) ?? (parts.length === 0 ? pace : '');
  const counted = joinWords([isCounted ? sentWords(record) : '', words]);
  return (
    <Text {...captionProps} c="dimmed" component="div" title={counted === '' ? undefined : counted}>
      {counted === '' && parts.length > 0 ? <Composition record={record} parts={parts} /> : counted}
    </Text>
  );
}

const foundWords = 'Products with values that were found since the push. Push again to send them.';

/** Example: '5 found since · 12 skipped · 28 created'. Parts that need the operator come first and are never cut. */
function Composition({ record, parts }: PartsProps) {
  const linked = parts.map((part) => ({ part, path: pathTo(part, record.id) }));
  const ordered = [
    ...linked.filter(({ path }) => path !== null),
    ...linked.filter(({ path }) => path === null),
  ];
  // A failed import with parts has failed in the push, because a file that cannot be read has no parts.
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

function pathTo({ kind }: ProductCount, id: string): string | null {
  if (kind === 'warning' || kind === 'error') return `${importPath(id)}?class=${kind}`;
  return kind === 'skipped' || kind === 'failed' ? outcomeRowsPath(id, kind) : null;
}

export type PacedImport = Pick<ShownImport, 'waitingFor' | 'waitingUntil' | 'pace' | 'isUndoing'>;

type Pace = NonNullable<ShownImport['pace']>;

/** Example: '401 of 900 sent' or '401 of 900 undone'. Returns '' unless a push runs or is paused. */
export function sentWords({ pace, isUndoing }: PacedImport): string {
  if (pace?.stage !== 'push') return '';
  return `${formatCount(pace.done)} of ${formatCount(pace.total)} ${doneWord(isUndoing)}`;
}

const doneWord = (isUndoing: boolean) => (isUndoing ? 'undone' : 'sent');

/** Example: '17/s · ready 12:46', or the reason for having no rate. Returns '' if the rate is unknown. */
export function paceWords(
  { pace, isUndoing }: PacedImport,
  nowMs: number,
  { hasNoWorker }: { hasNoWorker: boolean },
): string {
  if (pace === null) return '';
  switch (pace.state) {
    case 'running':
      return joinWords([rateWords(pace), readyWords(pace, nowMs), sharedWords(pace)]);
    case 'starting':
      return joinWords(['Starting', readyWords(pace, nowMs)]);
    case 'behind':
      return joinWords(['Waiting: other imports go first', readyWords(pace, nowMs)]);
    case 'stalled': {
      if (hasNoWorker) return 'No push worker is running';
      const verb = pace.stage === 'push' ? doneWord(isUndoing) : 'read';
      return pace.stalledSince === null
        ? ''
        : `Nothing ${verb} since ${formatMoment(pace.stalledSince, nowMs)}`;
    }
    case 'ending':
      return 'Finishing';
    default:
      return '';
  }
}

/** Describes what an import waits for and until when. Null if it does not wait. */
export function importWaitingWords(
  { waitingFor, waitingUntil, pace }: PacedImport,
  nowMs: number,
): string | null {
  if (waitingFor === null) return null;
  if (waitingUntil === null) return waitingFor;
  const ready = pace === null ? '' : readyWords(pace, nowMs);
  return `${waitingFor} Resumes at ${formatClock(waitingUntil)}${ready === '' ? '' : `, ${ready}`}.`;
}

function rateWords({ perSecond }: Pace): string {
  if (perSecond === null) return '';
  if (perSecond < 1) return `${formatCount(Math.max(1, Math.round(perSecond * 60)))}/min`;
  return `${formatCount(perSecond)}/s`;
}

/** Says how many imports share the rate. This comes last, because a long caption is cut at its end. */
const sharedWords = ({ sharedWith }: Pace) =>
  sharedWith === 0 ? '' : `shared with ${countOf(sharedWith, 'other')}`;

/** Up to this remaining time, seconds are shown instead of the time of day. */
const secondsShownMs = 120_000;

/** Example: 'ready 12:46', or 'ready in 35 s' if two minutes or less remain. Returns '' if the time is unknown. */
function readyWords({ readyAt }: Pace, nowMs: number): string {
  if (readyAt === null) return '';
  const leftMs = Date.parse(readyAt) - nowMs;
  if (leftMs > secondsShownMs) return `ready ${formatMoment(readyAt, nowMs)}`;
  return leftMs <= 5_000 ? 'ready in a moment' : `ready in ${5 * Math.round(leftMs / 5_000)} s`;
}
