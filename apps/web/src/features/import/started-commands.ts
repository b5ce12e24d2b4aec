import { useMemo } from 'react';
import { hasShape, isFlag, isNumber, isText, sessionList } from '../../lib/storage.ts';

export type StartedCommand = {
  importId: string;
  command: string;
  /** 'Price × 1.2, to .99'. */
  sentence: string;
  isUndo: boolean;
  startedMs: number;
};

const isStartedCommand = hasShape<StartedCommand>({
  importId: isText,
  command: isText,
  sentence: isText,
  isUndo: isFlag,
  startedMs: isNumber,
});

const commandsMax = 20;
const stored = sessionList('draftshelf-commands', isStartedCommand);

export const addStartedCommand = (command: Omit<StartedCommand, 'startedMs'>): void =>
  stored.set([{ ...command, startedMs: Date.now() }, ...stored.get()].slice(0, commandsMax));

export const removeStartedCommand = (command: string): void =>
  stored.set(stored.get().filter((started) => started.command !== command));

/** Started since `ms` and no longer running. */
export const endedSince = (importId: string, ms: number, tasks: readonly { command: string | null }[]) =>
  stored
    .get()
    .filter((started) => started.importId === importId && started.startedMs > ms)
    .filter(({ command }) => tasks.every((task) => task.command !== command))
    .map(({ command }) => command);

/** The newest first, including those from before a reload. */
export function useStartedCommands(importId: string): readonly StartedCommand[] {
  const commands = stored.use();
  return useMemo(() => commands.filter((started) => started.importId === importId), [commands, importId]);
}
