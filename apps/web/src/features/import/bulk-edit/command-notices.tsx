import type { Task } from '@draftshelf/contract/imports/imports';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { CloseButton, Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { CallError } from '../../../api/call.ts';
import { Button, SmallButton } from '../../../ui/button.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { useNewestCommands } from '../edits/edits-api.ts';
import { useUndo } from '../edits/use-undo.ts';
import { removeStartedCommand, type StartedCommand, useStartedCommands } from '../rows-api.ts';
import classes from './bulk-edit.module.css';
import { endedWords, percentOf, runningWords } from './command-words.ts';

type CommandNoticesProps = {
  importId: string;
  tasks: readonly Task[];
  readMs: number;
  otherwise: ReactNode;
};

/** Running changes with Stop, failed ones with Resume, and those that this tab has started and that have ended. */
export function CommandNotices({ importId, tasks, readMs, otherwise }: CommandNoticesProps) {
  const started = useStartedCommands(importId);
  const running = tasks.filter(({ command }) => command !== null);
  const isRunning = (command: string) => running.some((task) => task.command === command);
  const finished = started.filter(({ command, startedMs }) => startedMs < readMs && !isRunning(command));
  const newest = useNewestCommands(importId, finished.length > 0);
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
          {...endedWords({ ...command, isBusy: running.length > 0 }, newest)}
        />
      ))}
    </section>
  );
}

/** `own`: null if another tab has started it. */
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
        {runningWords(task, sentence, isUndo)}
      </span>
      {!isFailed && (
        <Progress
          className="rigid"
          w="10rem"
          value={percentOf(task) ?? 0}
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
}: StartedCommand & ReturnType<typeof endedWords>) {
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

const serverWords = (error: Error): string =>
  (error instanceof CallError ? error.serverMessage : null) ?? error.message;
