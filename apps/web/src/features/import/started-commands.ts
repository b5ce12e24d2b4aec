import { useMemo } from 'react';
import { sessionList } from '../../lib/session-list.ts';
import { hasShape, isFlag, isNumber, isText } from '../../lib/shape.ts';

/** A change of many rows that this tab has started, and that runs in the background or has ended. */
export type StartedCommand = {
  importId: string;
  command: string;
  /** What it does: 'Price × 1.2, to .99'. */
  sentence: string;
  /** It undoes a change, which its sentence is about. */
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

/** Commands on an import that this tab has started since `ms` and that do not run: they have ended. */
export const endedSince = (importId: string, ms: number, tasks: readonly { command: string | null }[]) =>
  stored
    .get()
    .filter((started) => started.importId === importId && started.startedMs > ms)
    .filter(({ command }) => tasks.every((task) => task.command !== command))
    .map(({ command }) => command);

/** The commands on an import that this tab has started, also before it was reloaded, the newest first. */
export function useStartedCommands(importId: string): readonly StartedCommand[] {
  const commands = stored.use();
  return useMemo(() => commands.filter((started) => started.importId === importId), [commands, importId]);
}
