import type { Task } from '@draftshelf/contract/imports/imports';
import type { ReactNode } from 'react';
import { useStartedCommands } from '../started-commands.ts';
import { RunningCommands } from './running-commands.tsx';

export type CommandNoticesProps = {
  importId: string;
  tasks: readonly Task[];
  /** When the tasks were read. */
  readMs: number;
  /** What is shown while there are none. */
  otherwise: ReactNode;
};

/** Changes of many rows that run, and changes that this tab has started and that have ended. */
export function CommandNotices({ importId, tasks, readMs, otherwise }: CommandNoticesProps) {
  const started = useStartedCommands(importId);
  const running = tasks.filter(({ command }) => command !== null);
  const isRunning = (command: string) => running.some((task) => task.command === command);
  const finished = started.filter(({ command, startedMs }) => startedMs < readMs && !isRunning(command));
  if (running.length === 0 && finished.length === 0) return otherwise;
  return <RunningCommands {...{ importId, running, started, finished }} />;
}
