import { Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useBatchPush, type useCompleted } from '../../api/store.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { useToast } from '../../components/feedback/toast.tsx';
import { CurrencyDialog, useCurrencyGate } from '../../components/import/currency-gate.tsx';
import { StatusBadge } from '../../components/import/status-badge.tsx';
import { PageLink } from '../../components/placeholder-page.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { Moment } from '../../components/time.tsx';
import { countOf } from '../../lib/intl.ts';
import { BatchResults, type NamedResult } from './batch-results.tsx';
import { batchEnded, batchFailed } from './batch-words.ts';
import classes from './shopify.module.css';
import { keptSelection, pushTimeWords, toggled } from './store-products.ts';

type Jobs = ReturnType<typeof useCompleted>;
type Job = NonNullable<Jobs['data']>[number];

/** The imports that are ready for the store. Several are pushed at once. */
export function BatchTab({ jobs, pace }: { jobs: Jobs; pace: number | null }) {
  const [results, setResults] = useState<readonly NamedResult[]>([]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const gate = useCurrencyGate();
  const { push, isPushing } = usePush(jobs.data ?? [], (pushed) => {
    setSelected(new Set());
    setResults(pushed);
  });
  if (jobs.isError) {
    return (
      <ErrorPanel title="Couldn’t load the jobs." cause={jobs.error.message}>
        <Button onClick={() => jobs.refetch()}>Try Again</Button>
      </ErrorPanel>
    );
  }
  if (jobs.data === undefined) return <Skeleton height={240} />;
  return (
    <Stack gap="md">
      <BatchResults results={results} />
      {jobs.data.length === 0 ? (
        <NoJobs />
      ) : (
        <JobSelection
          jobs={jobs.data}
          {...{ pace, selected, setSelected, isPushing }}
          push={(ids) =>
            gate.push(
              (jobs.data ?? []).filter(({ id }) => ids.includes(id)),
              () => push(ids),
            )
          }
        />
      )}
      <CurrencyDialog gate={gate} />
    </Stack>
  );
}

function NoJobs() {
  return (
    <EmptyState>
      <Text fw={600}>No processed jobs ready for Shopify upload</Text>
      <Text size="sm">Complete some CSV processing jobs first</Text>
      <Text size="sm">
        <PageLink path="/queue">Processing Queue</PageLink>
      </Text>
    </EmptyState>
  );
}

type SelectionProps = {
  jobs: readonly Job[];
  /** How many products a second the last pushes wrote; null if that is not known. */
  pace: number | null;
  selected: ReadonlySet<string>;
  setSelected: (selected: ReadonlySet<string>) => void;
  push: (ids: string[]) => void;
  isPushing: boolean;
};

function JobSelection({ jobs, pace, selected, setSelected, push, isPushing }: SelectionProps) {
  const chosen = keptSelection(selected, jobs);
  const toggle = useToggle(jobs, selected, setSelected);
  const products = jobs
    .filter(({ id }) => selected.has(id))
    .reduce((sum, job) => sum + job.processedProducts, 0);
  const time = pushTimeWords(products, pace);
  return (
    <>
      <ul className={classes.jobs} aria-label="Jobs ready to push">
        {jobs.map((job) => (
          <JobLine
            key={job.id}
            job={job}
            isSelected={selected.has(job.id)}
            isPushing={isPushing}
            onToggle={(isRange) => toggle(job.id, isRange)}
            onPush={() => push([job.id])}
          />
        ))}
      </ul>
      <Group gap="sm" className={classes.footer}>
        <Text size="sm" className={`${classes.footerWords} numbers`} role="status">
          {`${chosen.length} of ${jobs.length} jobs selected`}
          {chosen.length > 0 && `, ${countOf(products, 'product')}`}
          {time !== '' && <span title="At the pace of the last pushes">{`, ${time}`}</span>}
        </Text>
        <Button variant="default" onClick={() => setSelected(new Set(jobs.map(({ id }) => id)))}>
          Select All
        </Button>
        <Button variant="default" onClick={() => setSelected(new Set())}>
          Clear Selection
        </Button>
        <ReasonedButton reason={pushBlock(chosen.length, isPushing)} onClick={() => push(chosen)}>
          {`Push Selected (${chosen.length})`}
        </ReasonedButton>
      </Group>
    </>
  );
}

function pushBlock(selected: number, isPushing: boolean): string | null {
  if (isPushing) return 'A push is being started.';
  return selected === 0 ? 'Select at least one job.' : null;
}

/** Selects a job or takes it back; with Shift, all jobs between it and the one before. */
function useToggle(
  jobs: readonly Job[],
  selected: ReadonlySet<string>,
  setSelected: SelectionProps['setSelected'],
): (id: string, isRange: boolean) => void {
  const last = useRef<string | null>(null);
  return (id, isRange) => {
    const ids = jobs.map((job) => job.id);
    setSelected(toggled(selected, ids, id, isRange ? last.current : null));
    last.current = id;
  };
}

/** Starts pushes and says what came of them. It belongs to the tab, which stays when the last job leaves the list. */
function usePush(jobs: readonly Job[], onResults: (results: readonly NamedResult[]) => void) {
  const batch = useBatchPush();
  const toast = useToast();
  const nameOf = new Map(jobs.map(({ id, filename }) => [id, filename]));
  const push = (ids: string[]) =>
    batch.mutate(ids, {
      onSuccess: ({ results }) => {
        toast(batchEnded(results));
        onResults(
          ids.flatMap((jobId, at) => {
            const result = results[at];
            return result ? [{ ...result, jobId, filename: nameOf.get(jobId) ?? jobId }] : [];
          }),
        );
      },
      onError: (error) => toast(batchFailed(error)),
    });
  return { push, isPushing: batch.isPending };
}

type LineProps = {
  job: Job;
  isSelected: boolean;
  isPushing: boolean;
  onToggle: (isRange: boolean) => void;
  onPush: () => void;
};

function JobLine({ job, isSelected, isPushing, onToggle, onPush }: LineProps) {
  const { filename, processedProducts, status, completedAt, createdAt } = job;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has the checkbox
    <li
      className={classes.job}
      data-selected={isSelected || undefined}
      onClick={(event) => onToggle(event.shiftKey)}
      // With Shift, the browser would select text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
    >
      <Checkbox
        aria-label={`Select ${filename}`}
        checked={isSelected}
        onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        onClick={(event) => event.stopPropagation()}
      />
      <div className={classes.jobText}>
        <Text size="sm" fw={550} className={classes.title}>
          {filename}
        </Text>
        <Text size="sm" c="dimmed" className="numbers">
          {`${countOf(processedProducts, 'product')} · `}
          <Moment time={completedAt ?? createdAt} />
        </Text>
      </div>
      <StatusBadge status={status} />
      <ReasonedButton
        variant="default"
        reason={isPushing ? 'A push is being started.' : null}
        aria-label={`Push ${filename}`}
        onClick={(event) => {
          event.stopPropagation();
          onPush();
        }}
      >
        Push
      </ReasonedButton>
    </li>
  );
}
