import { Group, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { ShownImport } from '../../api/imports.ts';
import { formatClock } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { useReportPath } from '../report/use-report-path.ts';
import { compositionOf, type Part, partWords } from './composition.ts';
import classes from './makeup-bar.module.css';
import { MakeupBar } from './makeup-bar.tsx';
import { usePaceWords } from './use-pace.ts';

type ImportProgressProps = {
  job: ShownImport;
  /** Shown in place of the words below the bar: why something failed. */
  reason?: ReactNode;
};

/** An import's progress bar and percentage, and below it what it consists of, or how fast it is, or what it waits for. */
export function ImportProgress({ job, reason }: ImportProgressProps) {
  const parts = compositionOf(job);
  const stage = `${job.status === 'uploading' ? 'push' : 'processing'} ${job.startedAt}`;
  return (
    <Stack gap={2} miw={120}>
      <Group gap="xs" wrap="nowrap">
        <div className={classes.stretch}>
          <MakeupBar
            // A new stage begins with a new bar: the old one would shrink.
            key={stage}
            label={`Progress of ${job.filename}`}
            value={job.progress}
            parts={parts}
            total={job.totalProducts}
            piece={pieceOf(job.status)}
          />
        </div>
        <Text size="sm" className="numbers" w={40} ta="right" lh="18px">
          {job.progress}%
        </Text>
      </Group>
      {reason ?? <Caption job={job} parts={parts} />}
    </Stack>
  );
}

function pieceOf(status: string): 'running' | 'whole' | 'stopped' | 'idle' {
  if (status === 'processing' || status === 'uploading') return 'running';
  if (status === 'failed') return 'stopped';
  return status === 'queued' || status === 'processed' || status === 'completed' ? 'whole' : 'idle';
}

/** One line below the bar. It keeps its height without text, so that nothing moves. */
function Caption({ job, parts }: { job: ShownImport; parts: readonly Part[] }) {
  const pace = usePaceWords(job);
  const waiting = waitingWords(job);
  return (
    <Text
      size="xs"
      c="dimmed"
      component="div"
      className={`${classes.caption} numbers`}
      title={waiting ?? undefined}
    >
      {waiting ?? (parts.length > 0 ? <Composition job={job} parts={parts} /> : pace)}
    </Text>
  );
}

function waitingWords({ waitingFor, waitingUntil }: ShownImport): string | null {
  if (waitingFor === null) return null;
  return waitingUntil === null ? waitingFor : `${waitingFor} Resumes at ${formatClock(waitingUntil)}.`;
}

/** '12 skipped · 28 created'. What needs the operator comes first, so that it is never cut off, and is a link to it. */
function Composition({ job, parts }: { job: ShownImport; parts: readonly Part[] }) {
  const reportPath = useReportPath();
  const shown = parts.map((part) => ({ part, path: pathTo(part, job.id, reportPath) }));
  const ordered = [
    ...shown.filter(({ path }) => path !== null),
    ...shown.filter(({ path }) => path === null),
  ];
  return ordered.map(({ part, path }, at) => {
    return (
      <Fragment key={part.kind}>
        {at > 0 && ' · '}
        {path === null ? (
          partWords(part)
        ) : (
          <Link to={path} className={classes.lead} data-kind={part.kind}>
            {partWords(part)}
          </Link>
        )}
      </Fragment>
    );
  });
}

function pathTo({ kind }: Part, id: string, reportPath: (id: string) => string): string | null {
  if (kind === 'warning' || kind === 'error') return `${importPath(id)}?class=${kind}`;
  return kind === 'skipped' || kind === 'failed' ? reportPath(id) : null;
}
