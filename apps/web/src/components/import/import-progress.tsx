import { Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { ShownImport } from '../../api/imports.ts';
import { formatClock } from '../../lib/intl.ts';
import { importPath, outcomeRowsPath } from '../../lib/paths.ts';
import { type CountedImport, compositionOf, type Part, partWords } from './composition.ts';
import classes from './composition-bar.module.css';
import { CompositionProgress } from './composition-bar.tsx';
import { nextPace, noPace, paceWords, type SampledImport, sampleOf } from './pace.ts';

const tickMs = 2000;

/** The fields of an import that progress needs. */
export type ProgressingImport = SampledImport &
  CountedImport &
  Pick<ShownImport, 'id' | 'filename' | 'startedAt' | 'waitingUntil'>;

type ImportProgressProps = {
  record: ProgressingImport;
  /** Shown in place of the words below the bar: why something failed. */
  reason?: ReactNode;
};

/** An import's progress bar and percentage, and below it its composition, its pace or the reason it waits. */
export function ImportProgress({ record, reason }: ImportProgressProps) {
  const parts = compositionOf(record);
  return (
    <Stack gap={2} miw={120}>
      <Group gap="xs" wrap="nowrap">
        <div className={classes.stretch}>
          <ImportBar record={record} parts={parts} />
        </div>
        <Text size="sm" className="numbers" w={40} ta="right" lh="18px">
          {record.progress}%
        </Text>
      </Group>
      {reason ?? <ProgressCaption record={record} parts={parts} />}
    </Stack>
  );
}

type PartsProps = { record: ProgressingImport; parts: readonly Part[] };

/** The bar alone. */
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

/** One line below the bar. It keeps its height without text, so that nothing moves. */
export function ProgressCaption({ record, parts }: PartsProps) {
  const pace = usePaceWords(record);
  const waiting = waitingWords(record);
  return (
    <Text
      size="xs"
      c="dimmed"
      component="div"
      className={`${classes.caption} numbers`}
      title={waiting ?? undefined}
    >
      {waiting ?? (parts.length > 0 ? <Composition record={record} parts={parts} /> : pace)}
    </Text>
  );
}

/** Rate and time left of a running import, from its last polls; '' while there are too few. */
function usePaceWords(record: SampledImport): string {
  const [pace, setPace] = useState(noPace);
  const [nowMs, setNowMs] = useState(() => Date.now());
  const isRunning = record.status === 'processing' || record.status === 'uploading';
  useEffect(() => {
    setPace((known) => nextPace(known, sampleOf(record, Date.now())));
  }, [record]);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning ? paceWords(pace, Math.max(nowMs, pace.samples.at(-1)?.atMs ?? 0)) : '';
}

function waitingWords({ waitingFor, waitingUntil }: ProgressingImport): string | null {
  if (waitingFor === null) return null;
  return waitingUntil === null ? waitingFor : `${waitingFor} Resumes at ${formatClock(waitingUntil)}.`;
}

/** '12 skipped · 28 created'. Parts that need the operator come first, so that they are never cut off; they link. */
function Composition({ record, parts }: PartsProps) {
  const shown = parts.map((part) => ({ part, path: pathTo(part, record.id) }));
  const ordered = [
    ...shown.filter(({ path }) => path !== null),
    ...shown.filter(({ path }) => path === null),
  ];
  // Only a failed push has parts: a file that could not be read has none.
  const isStopped = record.status === 'failed';
  return (
    <span className={classes.parts} title={ordered.map(({ part }) => partWords(part)).join(' · ')}>
      {isStopped && <span>Stopped at push</span>}
      {ordered.map(({ part, path }, at) => (
        <span key={part.kind}>
          {(at > 0 || isStopped) && ' · '}
          {path === null ? (
            partWords(part)
          ) : (
            <Link to={path} className={classes.lead} data-kind={part.kind}>
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
