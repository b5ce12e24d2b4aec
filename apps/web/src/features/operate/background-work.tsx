import type { Backups } from '@draftshelf/contract/operate/backups';
import type { BackgroundTask } from '@draftshelf/contract/operate/tasks';
import { Anchor, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { call } from '../../api/call.ts';
import { pollMs } from '../../api/polls.ts';
import { freshMs, readOf } from '../../api/read.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { useCalls } from '../../ui/feedback/use-call.ts';
import { RecordTable } from '../../ui/table/record-table.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { TitledSection } from '../../ui/titled-section.tsx';
import { AuditSection } from './audit-section.tsx';
import { DeadWorkSection } from './dead-work-section.tsx';
import { useTold } from './use-told.ts';

/** Tasks in the background, failed work, the daily audit and backups. They load as one chunk. */
export function BackgroundWork() {
  return (
    <>
      <TasksSection />
      <DeadWorkSection />
      <AuditSection />
      <BackupsSection />
    </>
  );
}

/** Tasks of the installation, shops, folders and imports that run, wait or have failed. */
function TasksSection() {
  const action = useTaskAction();
  return (
    <TitledSection id="tasks" title="Background tasks">
      <Text size="sm" c="dimmed">
        What runs or waits in the background. Failed tasks come first; failed parts of imports are listed
        under Failed work.
      </Text>
      <Read of={useTasks()} what="the tasks" meanwhile={<Skeleton height={120} />}>
        {({ tasks }) => (
          <RecordTable
            label="Tasks and their states"
            records={tasks}
            keyOf={({ id, importId }) => `${importId ?? ''} ${id}`}
            columns={[
              { head: 'Task', cell: ({ label }) => label },
              { head: 'For', cell: (task) => <Subject task={task} /> },
              { head: 'State', cell: (task) => <State task={task} /> },
              {
                head: 'Actions',
                isHeadHidden: true,
                cell: (task) =>
                  task.state === 'failed' && (
                    <Actions task={task} isBusy={action.isPending} onStart={action.mutate} />
                  ),
              },
            ]}
          />
        )}
      </Read>
    </TitledSection>
  );
}

function Subject({ task: { subject, importId } }: { task: BackgroundTask }) {
  if (importId === null) return subject ?? 'Installation';
  return (
    <Anchor component={Link} to={importPath(importId)} size="sm">
      {subject}
    </Anchor>
  );
}

function State({ task }: { task: BackgroundTask }) {
  const { state, dueAt, everySeconds, waitingFor, error } = task;
  if (state === 'running') return 'Running';
  if (everySeconds !== null) return `Every ${everySeconds} seconds`;
  return (
    <>
      {state === 'failed' ? `Failed: ${error}` : (waitingFor ?? 'Waiting')}
      {dueAt !== null && (
        <>
          {' · due '}
          <RelativeTime time={dueAt} />
        </>
      )}
    </>
  );
}

type ActionsProps = { task: BackgroundTask; isBusy: boolean; onStart: (action: TaskAction) => void };

function Actions({ task: { id, label }, isBusy, onStart }: ActionsProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        variant="default"
        size="compact-md"
        disabled={isBusy}
        aria-label={`Retry “${label}”`}
        onClick={() => onStart({ kind: 'retry', id })}
      >
        Retry
      </Button>
      <Button
        variant="default"
        size="compact-md"
        disabled={isBusy}
        aria-label={`Give up “${label}”`}
        onClick={() => onStart({ kind: 'giveUp', id })}
      >
        Give Up
      </Button>
    </Group>
  );
}

/** Work in the background, polled while it is shown. */
const useTasks = () => useQuery({ ...readOf('listTasks', {}), refetchInterval: pollMs.work });

/** What is done about a failed task. */
type TaskAction = { kind: 'retry' | 'giveUp'; id: number };

/** Retries a failed task, or gives it up. */
const useTaskAction = () =>
  useCalls(
    ({ kind, id }: TaskAction) => call(kind === 'retry' ? 'retryTask' : 'giveTaskUp', { params: { id } }),
    () => [{ name: 'retryTask' }],
    useTold(),
  );

/** The nightly backups, and whether one could be restored. */
function BackupsSection() {
  const backups = useQuery({ ...readOf('getBackups'), staleTime: freshMs });
  return (
    <TitledSection id="backups" title="Backups">
      <Text size="sm" c="dimmed">
        Everything is backed up every night. Once a week a backup is restored into a scratch database, and its
        rows, files and photos are compared.
      </Text>
      <Read of={backups} what="the backups" meanwhile={<Skeleton height={42} />}>
        {(read) => <BackupState backups={read} />}
      </Read>
    </TitledSection>
  );
}

function BackupState({ backups: { isKept, last, check, problem } }: { backups: Backups }) {
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
