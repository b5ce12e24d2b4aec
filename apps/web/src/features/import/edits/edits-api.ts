import type { AppliedEdits } from '@draftshelf/contract/review/commands';
import type { Author, Command } from '@draftshelf/contract/review/edit-history';
import type { editRow } from '@draftshelf/contract/review/rows';
import type { ReplyOf } from '@draftshelf/contract/route';
import { nothingToUndoCode } from '@draftshelf/contract/wire';
import { canDo, statusLabel } from '@draftshelf/domain/imports/import-status';
import {
  type UnchangedReason,
  unchangedReasons,
  unchangedRowsMax,
} from '@draftshelf/domain/review/operations/left-reason';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { CallError, type CallRequest, call, readOf, toCacheKey } from '../../../api/call.ts';
import { countOf, formatCount, listed } from '../../../lib/intl.ts';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { type ToastRequest, toast, undoDurationMs } from '../../../ui/feedback/toast-state.ts';
import { useCall, useCalls } from '../../../ui/feedback/use-call.ts';
import { useListener } from '../../../ui/hooks.ts';
import { isOverlayOpen, isTextField } from '../../../ui/keys.ts';
import type { ShownImport } from '../imports-api.ts';
import { addStartedCommand, removeStartedCommand } from '../rows-api.ts';

/** Prefix of the query keys of an import's edit history and of the histories of its rows. */
const editsKey = (importId: string) => toCacheKey('listCommands', { id: importId });

export const useCommandPages = (importId: string) =>
  useInfiniteQuery({
    queryKey: [...editsKey(importId), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('listCommands', { params: { id: importId }, query: { before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ commands, later }) => (later ? commands.at(-1)?.id : undefined),
    // Not cached, so that each visit begins with the newest commands.
    staleTime: 0,
    gcTime: 0,
  });

/** Commands that copied edits from an earlier upload or list, newest first. Undefined until read. */
export function useCopyingCommands(importId: string, kind: 'copied' | 'carried'): Command[] | undefined {
  const read = readOf('listCommands', { params: { id: importId }, query: { kind } });
  return useQuery({ ...read, staleTime: 0 }).data?.commands;
}

export const useRowEdits = (importId: string, row: number) =>
  useQuery({
    queryKey: [...editsKey(importId), 'row', row],
    queryFn: ({ signal }) => call('listRowEdits', { params: { id: importId, row }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Maximum number of pages of commands that are searched for the next command to undo or redo. */
const pagesMax = 4;

async function readOwnCommands(importId: string): Promise<Command[]> {
  const own: Command[] = [];
  for (let page = 0; page < pagesMax; page++) {
    const query = { author: 'this-browser' as const, before: own.at(-1)?.id };
    const { commands, later } = await call('listCommands', { params: { id: importId }, query });
    own.push(...commands);
    if (!later) break;
  }
  return own;
}

/**
 * Undoes commands, last one first, and skips those with nothing left to undo. Resolves to the replies and, if an error
 * stopped the undo, to that error. Rejects if nothing could be undone.
 */
export async function undoCommands<Reply>(
  commands: readonly string[],
  undo: (command: string) => Promise<Reply>,
): Promise<{ replies: Reply[]; error: Error | null }> {
  const replies: Reply[] = [];
  for (const command of commands.toReversed()) {
    try {
      replies.push(await undo(command));
    } catch (error) {
      if (commands.length > 1 && isNothingToUndo(error as Error)) continue;
      if (replies.length === 0) throw error;
      return { replies, error: error as Error };
    }
  }
  if (replies.length === 0)
    throw new Error('All values of the change have been edited since. Nothing was undone.');
  return { replies, error: null };
}

/** True if the error says that nothing is left to undo, so that a retry cannot succeed. */
export function isNothingToUndo(error: Error): boolean {
  if (!(error instanceof CallError)) return false;
  return error.status === 404 || error.code === nothingToUndoCode;
}

export const unchangedReasonWords: Record<UnchangedReason, string> = {
  'not-a-number': 'not a number',
  'no-result': 'the result would be zero, negative or no number',
  'nothing-to-take': 'nothing to copy',
  'too-long': 'the result would be too long for the field',
  'not-allowed': 'the field can’t have this value',
  'several-values': 'a product has this value once, and the pasted rows have several',
  'being-sent': 'being sent to the store',
  'changed-since': 'changed by somebody meanwhile',
  yours: 'you changed it yourself',
};

/** Example: 'row 5' or 'rows 5, 8, and 9'. */
export const formatRowNumbers = (rows: readonly number[]): string =>
  `${rows.length === 1 ? 'row' : 'rows'} ${listed(rows.map(formatCount))}`;

/** Example: 'Left unchanged: 1 value (changed by somebody meanwhile), in row 5.' `rows`: the first rows, if known. */
export const unchangedCellSentences = (
  left: AppliedEdits['left'],
  rows: AppliedEdits['leftRows'] = {},
): string[] =>
  unchangedReasons.flatMap((reason) => {
    const [cells, named] = [left[reason] ?? 0, rows[reason] ?? []];
    if (cells === 0) return [];
    const isFirst = named.length === unchangedRowsMax && cells > unchangedRowsMax;
    const where = named.length === 0 ? '' : `, ${isFirst ? 'the first ' : ''}in ${formatRowNumbers(named)}`;
    return [`Left unchanged: ${countOf(cells, 'value')} (${unchangedReasonWords[reason]})${where}.`];
  });

/** Returns the reason why an import's rows cannot be edited now, or null if they can. */
export function editLockReason({ status }: Pick<ShownImport, 'status'>): string | null {
  if (canDo('edit', status)) return null;
  return `Rows can’t be edited while the import is ${statusLabel(status).toLowerCase()}.`;
}

export const authorWords: Record<Author, string> = {
  'this-browser': 'You, in this browser',
  'another-browser': 'Signed in elsewhere',
  call: 'An API call',
  worker: 'Draftshelf',
  unknown: 'Not recorded',
};

export type UndoDirection = 'undo' | 'redo';

/** `sentence`: the effect of the commands. */
type Undoing = { commands: readonly string[]; direction: UndoDirection; sentence: string };

const titles = {
  undo: {
    ...{ done: 'Change undone', partly: 'Change partly undone', before: 'Undone' },
    ...{ failed: 'Couldn’t undo the change', again: 'Redo' },
  },
  redo: {
    ...{ done: 'Change redone', partly: 'Change partly redone', before: 'Redone' },
    ...{ failed: 'Couldn’t redo the change', again: 'Undo' },
  },
} as const satisfies Record<UndoDirection, object>;

/** Undoes or redoes commands and shows the result. Resolves to 'nothing' if nothing is left to undo. Never rejects. */
export function useUndo(importId: string) {
  const { mutateAsync, isPending } = useCalls(
    (commands: readonly string[]) =>
      undoCommands(commands, (command) => call('undoEdits', { params: { id: importId, command } })),
    () => [{ name: 'undoEdits', params: { id: importId } }],
  );
  const failure = useFailureToast();
  const run = async ({ commands, direction, sentence }: Undoing): Promise<'done' | 'failed' | 'nothing'> => {
    const words = titles[direction];
    try {
      const { replies, error } = await mutateAsync(commands);
      for (const command of commands) removeStartedCommand(command);
      const begun = replies.filter(({ inBackground }) => inBackground);
      for (const { command } of begun) {
        addStartedCommand({ importId, command, sentence, isUndo: direction === 'undo' });
      }
      // The page shows the progress of commands that continue in the background, so no toast is needed.
      if (begun.length > 0 && error === null) return 'done';
      const left = replies.reduce((sum, reply) => sum + reply.left, 0);
      toast({
        title: error === null ? words.done : words.partly,
        text: [
          `${words.before}: ${sentence}.`,
          ...(left === 0 ? [] : [describeUnchangedCount(left)]),
          ...(error === null ? [] : [`${replies.length} of ${commands.length} rows. ${error.message}`]),
        ],
        tone: error === null ? 'plain' : 'failure',
        isRoutine: error === null,
        durationMs: undoDurationMs,
        action: {
          words: words.again,
          run: () =>
            void run({
              commands: replies.map(({ command }) => command),
              direction: direction === 'undo' ? 'redo' : 'undo',
              sentence,
            }),
        },
      });
      return 'done';
    } catch (error) {
      failure.show(words.failed, (error as Error).message);
      return isNothingToUndo(error as Error) ? 'nothing' : 'failed';
    }
  };
  return { run, isPending };
}

/** Returns props for the button that undoes a command, or redoes a command that was undone. */
export function useUndoButton(
  importId: string,
  command: Pick<Command, 'id' | 'sentence' | 'undo'> | undefined,
) {
  const { run, isPending: loading } = useUndo(importId);
  const onClick = () => {
    if (command === undefined) return;
    const { id, sentence, undo } = command;
    void run({ commands: [undo?.id ?? id], direction: undo === null ? 'undo' : 'redo', sentence });
  };
  return { loading, onClick };
}

/** Example: 'Left unchanged: 1 value edited since.' */
export const describeUnchangedCount = (left: number): string =>
  `Left unchanged: ${countOf(left, 'value')} edited since.`;

/** The reply to a command. A reply without `inBackground` always continues in the background and has no `left`. */
type DoneCommand = { command: string | null; message: string } & Partial<
  Pick<AppliedEdits, 'inBackground' | 'left' | 'leftRows'>
>;

function useDoneToast(importId: string) {
  const { run } = useUndo(importId);
  return (commands: readonly string[], sentence: string, notice: ToastRequest) =>
    toast({
      ...{ ...notice, isRoutine: true, durationMs: undoDurationMs },
      action: { words: 'Undo', run: () => void run({ commands, direction: 'undo', sentence }) },
    });
}

/** Shows a toast with the result of a command. For a command in the background, the page shows the progress instead. */
export function useCommandNotice(importId: string) {
  const showDone = useDoneToast(importId);
  return (reply: DoneCommand, sentence: string) => {
    const { command, message, inBackground = true, left = {}, leftRows } = reply;
    if (command === null) return;
    if (inBackground) return addStartedCommand({ importId, command, sentence, isUndo: false });
    showDone([command], sentence, {
      title: sentence,
      text: [message, ...unchangedCellSentences(left, leftRows)],
    });
  };
}

/** Sends a command and shows a toast with its result. The caller shows `error`. */
export function useCommandCall<const N extends 'applyEdits' | 'applyCorrections' | 'answerRecipes'>(
  name: N,
  params: CallRequest<N>['params'] & { id: string },
) {
  const { mutateAsync, isPending, error } = useCall(name, { params: params as never });
  const tell = useCommandNotice(params.id);
  /** `sentence`: the effect of the command. `close` is called only if the dialog is open when the reply arrives. */
  const start = (request: CallRequest<N>, sentence: string, close: () => void, onDone?: () => void) =>
    void mutateAsync(request, { onSuccess: close }).then(
      (reply) => {
        tell(reply as DoneCommand, sentence);
        onDone?.();
      },
      () => {},
    );
  return { start, isPending, error };
}

/** `needsFix`: true if one of the saved values is wrong. */
type Saved = Pick<ReplyOf<typeof editRow>, 'command' | 'message'> & { needsFix?: boolean };

export function useSavedToast(importId: string): (saved: readonly Saved[]) => void {
  const showDone = useDoneToast(importId);
  return (saved) => {
    const [first] = saved;
    if (first === undefined) return;
    const sentence =
      saved.length === 1 ? first.message.replace(/\.$/, '') : `${countOf(saved.length, 'row')} saved`;
    const wrong = saved.filter(({ needsFix }) => needsFix).length;
    const commands = saved.map(({ command }) => command);
    showDone(commands, sentence, {
      title: 'Saved',
      text: [`${sentence}.`, ...(wrong === 0 ? [] : [fixWords(wrong, saved.length)])],
      tone: wrong === 0 ? 'plain' : 'neutral',
    });
  };
}

/** Announces a save to screen readers. Shows a toast only for a value to fix, because the cell shows other saves. */
export function useCellSaveNotice(
  importId: string,
  announce: (sentence: string) => void,
): (saved: Saved) => void {
  const showSaved = useSavedToast(importId);
  return (saved) => (saved.needsFix ? showSaved([saved]) : announce(saved.message));
}

const fixWords = (wrong: number, saved: number): string =>
  saved === 1 ? 'A saved value needs a fix.' : `${countOf(wrong, 'row needs', 'rows need')} a fix.`;

const nothing = {
  undo: { title: 'Nothing to undo', text: 'No change of this import was made in this browser.' },
  running: { title: 'Not yet', text: 'A change of yours is still being applied. Undo it when it has ended.' },
  redo: {
    title: 'Nothing to redo',
    text: 'Only an undo can be redone, and the last change in this browser wasn’t one.',
  },
} as const satisfies Record<UndoDirection | 'running', object>;

export function useUndoKeys(importId: string, lock: string | null): void {
  const { run } = useUndo(importId);
  const failure = useFailureToast();
  /** Ids of commands with nothing left to undo, because all their values have been edited since. */
  const skipped = useRef(new Set<string>());
  const last = useRef(Promise.resolve());
  const step = async (direction: UndoDirection) => {
    if (lock !== null) return failure.show('Couldn’t change the rows', lock);
    try {
      const own = await readOwnCommands(importId);
      const newest = direction === 'undo' ? findCommandToUndo : findCommandToRedo;
      const undoing = newest(own, skipped.current);
      if (undoing === null || undoing === 'running') {
        return void toast({ ...nothing[undoing ?? direction], tone: 'neutral', isRoutine: true });
      }
      if ((await run(undoing)) === 'nothing') skipped.current.add(String(undoing.commands[0]));
    } catch (error) {
      failure.show('Couldn’t load the history', (error as Error).message);
    }
  };
  useListener('document', 'keydown', (event) => {
    const direction = readUndoKey(event);
    // Checks the focused element, because this key may have closed a row's editor, which was the event's target.
    if (direction === null || event.defaultPrevented || isOverlayOpen()) return;
    if (isTextField(document.activeElement)) return;
    event.preventDefault();
    // Steps run one at a time, because each depends on the previous one.
    last.current = last.current.then(() => step(direction));
  });
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>;

/** Returns the direction of an undo or redo key, such as Ctrl Z (Command Z on a Mac). Null for other and held keys. */
export function readUndoKey({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: Key): UndoDirection | null {
  const letter = key.toLowerCase();
  if (repeat || ctrlKey === metaKey || altKey) return null;
  if (letter === 'y' && !shiftKey) return 'redo';
  if (letter !== 'z') return null;
  return shiftKey ? 'redo' : 'undo';
}

/** `own`: this browser's commands, newest first. Returns 'running' if the newest is still being applied. */
export function findCommandToUndo(
  own: readonly Command[],
  skipped: ReadonlySet<string>,
): Undoing | 'running' | null {
  if (own[0]?.state === 'applying') return 'running';
  const newest = own.find(({ id, state }) => state === 'applied' && !skipped.has(id));
  return newest === undefined
    ? null
    : { commands: [newest.id], direction: 'undo', sentence: newest.sentence };
}

/** Returns the last undone command, or null if this browser has changed something since that undo. */
export function findCommandToRedo(own: readonly Command[], skipped: ReadonlySet<string>): Undoing | null {
  const changedAt = own.find(({ state }) => state === 'applied')?.at ?? '';
  const undone = own.flatMap(({ undo, sentence }) =>
    undo?.author === 'this-browser' && undo.at > changedAt && !skipped.has(undo.id)
      ? [{ ...undo, sentence }]
      : [],
  );
  const last = undone.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
  return last === undefined ? null : { commands: [last.id], direction: 'redo', sentence: last.sentence };
}
