import type { Task } from '@draftshelf/contract/imports/imports';
import type { EditPreview } from '@draftshelf/contract/review/commands';
import type { Command } from '@draftshelf/contract/review/edit-history';
import { shortenText } from '@draftshelf/domain/base/cut-text';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { CloseButton, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { pollMs, readOf, serverMessageOf } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Button, SmallButton } from '../../../ui/basics.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import {
  formatRowNumbers,
  unchangedCellSentences,
  unchangedReasonWords,
  useUndo,
} from '../edits/edits-api.ts';
import { removeStartedCommand, type StartedCommand, useStartedCommands } from '../rows-api.ts';
import classes from './bulk-edit.module.css';

type CommandNoticesProps = {
  importId: string;
  tasks: readonly Task[];
  readMs: number;
  otherwise: ReactNode;
};

/** Shows running commands with Stop, failed commands with Resume, and commands of this tab that have ended. */
export function CommandNotices({ importId, tasks, readMs, otherwise }: CommandNoticesProps) {
  const started = useStartedCommands(importId);
  const running = tasks.filter(({ command }) => command !== null);
  const isRunning = (command: string) => running.some((task) => task.command === command);
  const finished = started.filter(({ command, startedMs }) => startedMs < readMs && !isRunning(command));
  const newest = useQuery({
    ...readOf('listCommands', { params: { id: importId }, query: {} }),
    enabled: finished.length > 0,
    staleTime: 0,
    refetchInterval: pollMs.commands,
    refetchOnWindowFocus: true,
  }).data?.commands;
  if (running.length === 0 && finished.length === 0) return otherwise;
  return (
    <section className="stack gap-tight" aria-label="Changes of many rows">
      {running.map((task) => (
        <Running
          key={task.id}
          {...{ importId, task }}
          own={started.find(({ command }) => command === task.command) ?? null}
        />
      ))}
      {finished.map((command) => (
        <Ended
          key={command.command}
          {...command}
          {...describeEndedCommand({ ...command, isBusy: running.length > 0 }, newest)}
        />
      ))}
    </section>
  );
}

/** `own`: null if another tab has started the command. */
type RunningProps = { importId: string; task: Task; own: StartedCommand | null };

function Running({ importId, task, own }: RunningProps) {
  const sentence = own?.sentence ?? null;
  const isUndo = own?.isUndo ?? task.label === taskLabel('undo-command');
  const { stop, isStopping } = useStop(importId, sentence);
  const resume = useCall('resumeEdits', {
    failed: (error) => ({ title: 'Couldn’t resume the change', text: serverWords(error) }),
  });
  const { command } = task;
  if (command === null) return null;
  const isFailed = task.state === 'failed';
  const goOn = () => resume.mutate({ params: { id: importId, command } });
  return (
    <div className={`row-wrap ${classes.command} size-sm`} data-failed={isFailed || undefined}>
      <span className="break-words numbers" role="status" dir="auto">
        {describeRunningCommand(task, sentence, isUndo)}
      </span>
      {!isFailed && (
        <Progress
          className="rigid"
          w="10rem"
          value={computePercentDone(task) ?? 0}
          aria-label={isUndo ? 'Undone' : 'Applied'}
        />
      )}
      {isFailed && (
        <Button size="compact-sm" loading={resume.isPending} onClick={goOn}>
          Resume
        </Button>
      )}
      {!isUndo && (
        <SmallButton loading={isStopping} onClick={() => void stop(command)}>
          {isFailed ? 'Undo' : 'Stop'}
        </SmallButton>
      )}
    </div>
  );
}

function Ended({
  importId,
  command,
  sentence,
  title,
  left,
  canUndo,
}: StartedCommand & ReturnType<typeof describeEndedCommand>) {
  const { stop, isStopping } = useStop(importId, sentence);
  return (
    <div className={`row-wrap ${classes.command} size-sm`}>
      <span className="break-words" role="status" dir="auto">
        <strong className="bold">{title}</strong> {[sentence, ...left].join(' · ')}
      </span>
      {canUndo && (
        <SmallButton loading={isStopping} onClick={() => void stop(command)}>
          Undo
        </SmallButton>
      )}
      <CloseButton size="sm" aria-label="Close notice" onClick={() => removeStartedCommand(command)} />
    </div>
  );
}

function useStop(importId: string, sentence: string | null) {
  const { run, isPending } = useUndo(importId);
  const stop = async (command: string) => {
    const outcome = await run({
      commands: [command],
      direction: 'undo',
      sentence: sentence ?? 'Many rows changed',
    });
    if (outcome !== 'failed') removeStartedCommand(command);
  };
  return { stop, isStopping: isPending };
}

const serverWords = (error: Error): string => serverMessageOf(error) ?? error.message;

/** Returns whole percent, or null if the size is unknown. */
export const computePercentDone = ({ done, total }: Pick<Task, 'done' | 'total'>): number | null =>
  total === null || total === 0 ? null : Math.min(100, Math.floor((100 * done) / total));

/** `isUndo` distinguishes an undo from a redo, because both tasks have the label of an undo. */
export function describeRunningCommand(read: Task, sentence: string | null, isUndo = false): string {
  const undoing = taskLabel('undo-command');
  const counted = read.label === undoing ? 'cells' : 'rows';
  const task = { ...read, label: isUndo ? undoing : taskLabel('apply-command') };
  const what = sentence === null ? '' : ` (${sentence})`;
  if (task.state === 'failed') {
    const cause = task.error?.replace(/\.$/, '') ?? 'unknown cause';
    return `${task.label} has stopped${what}: ${cause}. ${isUndo ? 'Resume it.' : 'Resume it, or undo it.'}`;
  }
  if (task.waitingFor !== null) return `${task.label}${what}: ${task.waitingFor}`;
  const percent = computePercentDone(task);
  if (percent === null || task.total === null)
    return `${task.label}${what}: ${formatCount(task.done)} ${counted} so far`;
  const done = `${formatCount(task.done)} of ${formatCount(task.total)} ${counted}`;
  return `${task.label}${what}: ${percent}%, ${done}`;
}

const endedTitles = {
  applied: 'Change applied',
  undone: 'Change undone',
  applying: 'Change being applied again',
  undoing: 'Change being undone',
} as const satisfies Record<Command['state'], string>;

/** Final state of an ended command, by the state last read: a command last read as 'applying' ended as 'applied'. */
const stateAfter = { applying: 'applied', undoing: 'undone', applied: 'applied', undone: 'undone' } as const;

/**
 * Describes a command that has ended. `newest`: the newest commands, undefined until read. `isBusy`: true while any
 * command runs. While none runs, a state 'applying' or 'undoing' is outdated.
 */
export function describeEndedCommand(
  { command, isUndo, isBusy }: { command: string; isUndo: boolean; isBusy: boolean },
  newest: readonly Pick<Command, 'id' | 'state' | 'undo' | 'leftCells' | 'leftRows'>[] | undefined,
): { title: string; left: string[]; canUndo: boolean } {
  const listed = newest?.find(({ id, undo }) => (isUndo ? undo?.id : id) === command);
  const read = listed?.state ?? (isUndo ? 'undone' : 'applied');
  const state = isBusy ? read : stateAfter[read];
  const sentences =
    state === 'undone'
      ? unchangedCellSentences({ 'changed-since': listed?.undo?.left ?? 0 })
      : unchangedCellSentences(listed?.leftCells ?? {}, listed?.leftRows);
  // Numbers of unchanged cells are final only when the command has ended.
  const left = read === 'applying' || read === 'undoing' ? [] : sentences;
  return { title: endedTitles[state], left, canUndo: state === 'applied' };
}

const shownChars = 60;

/** Example: '12 cells: not a number. The first is “n/a” in row 5, the next in rows 8 and 9.' */
export function unchangedCellWords(left: EditPreview['left'][number]): string {
  const { reason, cells, row, nextRows, isAll, ...first } = left;
  const counted = `${countOf(cells, 'cell')}${isAll ? '' : ' of the sample'}`;
  const next = nextRows.length === 0 ? '' : `, the next in ${formatRowNumbers(nextRows)}`;
  const text = first.refused ?? first.before ?? '';
  const value = text === '' ? 'The first is empty, in' : `The first is “${shortenText(text, shownChars)}” in`;
  const why =
    reason === 'yours'
      ? ` kept, because you changed ${cells === 1 ? 'it' : 'them'} yourself`
      : `: ${unchangedReasonWords[reason]}`;
  return `${counted}${why}. ${value} row ${formatCount(row)}${next}.`;
}

const amountsHint =
  'A change to many rows leaves out wrong amounts. If you type one into a single cell, it is saved and the row needs a fix.';

/** Explains that a refused amount can be typed into a single cell. Null if no field refuses a value of the preview. */
export const typingHintWords = (left: EditPreview['left']): string | null =>
  left.some(({ reason, refused }) => refused !== null && reason !== 'too-long') ? amountsHint : null;
