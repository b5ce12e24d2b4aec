import type { BulkReply } from '@draftshelf/contract/review/proposals';
import { useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { useFailureToast, useToast } from '../../../ui/feedback/toast.tsx';
import { undoDurationMs } from '../../../ui/feedback/toast-state.ts';
import { useCall, useCalls } from '../../../ui/feedback/use-call.ts';
import { isNothingToUndo } from '../edits/edits-api.ts';
import {
  type Action,
  type Decisions,
  type HeldProposal,
  isAmong,
  type LineDecision,
  type Many,
  othersOfFields,
  withoutReopened,
} from './proposal-words.ts';

type LastBulk = { command: string; message: string };

const lineKey = (id: number) => `line ${id}`;
const undoKey = (command: string) => `undo ${command}`;
/** Each decision about many changes the number that the next one expects. */
const manyKey = 'many';

type DecisionsOf = {
  importId: string;
  lines: readonly HeldProposal[];
  /** Called when a value has changed or others have decided. */
  refetch: () => unknown;
};

function useDecisionMemory(lines: readonly HeldProposal[]) {
  const [decisions, setDecisions] = useState<Decisions>(new Map());
  const [last, setLast] = useState<LastBulk | null>(null);
  const current = withoutReopened(decisions, lines);
  if (current !== decisions) setDecisions(current);
  const remember = (decidedLines: readonly HeldProposal[], decision: Omit<LineDecision, 'atMs'>) => {
    const datedDecision = { ...decision, atMs: performance.now() };
    const withdrawal = { ...datedDecision, action: 'withdraw' as const };
    const others = decision.action === 'take' ? othersOfFields(lines, decidedLines) : [];
    setDecisions((now) => {
      const next = new Map(now);
      for (const { id } of others) {
        const known = next.get(id);
        // Already withdrawn: the decision was shown before the server answered.
        if (known === undefined || (known.action === 'withdraw' && known.command === null))
          next.set(id, withdrawal);
      }
      for (const { id } of decidedLines) next.set(id, datedDecision);
      return next;
    });
  };
  return {
    decisions: current,
    last,
    setLast,
    remember,
    /** The server refused a decision that was shown before its answer. */
    takeBack(line: HeldProposal) {
      const ids = new Set([line, ...othersOfFields(lines, [line])].map(({ id }) => id));
      setDecisions(
        (now) => new Map([...now].filter(([id, { command }]) => command !== null || !ids.has(id))),
      );
    },
    forget(command: string) {
      setLast((now) => (now?.command === command ? null : now));
      setDecisions((now) => new Map([...now].filter(([, decision]) => decision.command !== command)));
    },
    /** The server refused the undo for good. */
    settle(command: string) {
      setLast((now) => (now?.command === command ? null : now));
      const withoutIt = (decision: LineDecision) =>
        decision.command === command ? { ...decision, command: null } : decision;
      setDecisions(
        (now) => new Map([...now].map(([id, decision]): [number, LineDecision] => [id, withoutIt(decision)])),
      );
    },
  };
}

function useUndo(
  { importId, refetch }: DecisionsOf,
  { forget, settle }: ReturnType<typeof useDecisionMemory>,
  failure: ReturnType<typeof useFailureToast>,
) {
  const undoing = useCalls(
    (command: string) => call('undoEdits', { params: { id: importId, command } }),
    // The undo changes the same data as the decision, and the lines stay.
    () => [{ name: 'decideProposals', params: { id: importId } }],
    { failed: 'Couldn’t undo the change', failure },
  );
  const toast = useToast();
  return async (command: string): Promise<boolean> => {
    try {
      const { message, inBackground } = await undoing.mutateAsync(command);
      refetch();
      forget(command);
      toast({ title: inBackground ? 'Undoing the change' : 'Change undone', text: message });
      return true;
    } catch (error) {
      if (isNothingToUndo(error as Error)) {
        settle(command);
        refetch();
      }
      return false;
    }
  };
}

function useBulkToast() {
  const toast = useToast();
  return (action: Action, { command, decided, message }: BulkReply, undo: (command: string) => void) => {
    const done = action === 'take' ? 'accepted' : 'dismissed';
    if (command === null) {
      toast({ title: `Nothing ${done}`, text: message });
      return;
    }
    toast({
      title: `${decided === 1 ? 'Proposal' : 'Proposals'} ${done}`,
      text: message,
      durationMs: undoDurationMs,
      action: { words: 'Undo', run: () => undo(command) },
    });
  };
}

export type Deciding = ReturnType<typeof useDecisions>;

/** Results are whether it succeeded; if not, the operator has read why. */
export function useDecisions(of: DecisionsOf) {
  const { importId, lines, refetch } = of;
  const memory = useDecisionMemory(lines);
  const { decisions, last, setLast, remember, takeBack } = memory;
  const failure = useFailureToast();
  const calls = { params: { id: importId }, failed: 'Couldn’t save the decision', failure };
  const [decision, bulkDecision] = [useCall('decideProposal', calls), useCall('decideProposals', calls)];
  const { runningAt, run } = useRunning();
  const undoCommand = useUndo(of, memory, failure);
  const deciding = (work: () => Promise<void>): Promise<boolean> =>
    work().then(
      () => true,
      () => {
        refetch();
        return false;
      },
    );
  const showBulk = useBulkToast();
  const undo = (command: string, line?: number) => {
    const keys = [undoKey(command), ...(line === undefined ? [] : [lineKey(line)])];
    return run(
      keys.map((key) => [key, 'undo'] as const),
      () => undoCommand(command),
    );
  };
  const decideOne = (line: HeldProposal, action: Action, value?: string) =>
    run([[lineKey(line.id), action]], async () => {
      // An entered text stays in its field until it has been accepted.
      if (value === undefined) remember([line], { action, command: null, isBulk: false });
      const isDecided = await deciding(async () => {
        const changed = value === undefined ? {} : { value };
        const { command } =
          action === 'take'
            ? await decision.mutateAsync({
                params: { id: importId, proposal: line.id },
                body: { action, shown: line.before, ...changed },
              })
            : // A dismissal of one is a command, too, so that it can be undone.
              await bulkDecision.mutateAsync({ body: { action, ids: [line.id] } });
        if (command !== null) return remember([line], { action, command, isBulk: false });
        takeBack(line);
        refetch();
      });
      if (!isDecided) takeBack(line);
      return isDecided;
    });
  const decideMany = (place: string, which: Many, action: Action) => {
    const openLines = lines.filter((line) => line.isOpen && !decisions.has(line.id) && isAmong(line, which));
    const lineKeys = openLines.map(({ id }) => [lineKey(id), 'many'] as const);
    return run([[manyKey, 'many'], [place, action], ...lineKeys], () =>
      deciding(async () => {
        const reply = await bulkDecision.mutateAsync({ body: { action, ...which } });
        const left = new Set(reply.left.map(({ id }) => id));
        const isKnown = reply.command !== null && reply.leftMore === 0 && reply.more === 0 && !reply.stopped;
        const decidedLines = openLines.filter(({ id }) => isKnown && !left.has(id));
        remember(decidedLines, { action, command: reply.command, isBulk: true });
        if (reply.command !== null) setLast({ command: reply.command, message: reply.message });
        showBulk(action, reply, (command) => void undo(command));
        // Lines may have been withdrawn for accepted proposals that are not listed.
        if (!isKnown || left.size > 0 || (action === 'take' && 'filter' in which)) refetch();
      }),
    );
  };
  return {
    decisionOf: (id: number) => decisions.get(id) ?? null,
    decideOne,
    decideMany,
    undo,
    last,
    closeLast: () => setLast(null),
    runningOf: (id: number) => runningAt(lineKey(id)),
    runningAt,
    isUndoing: (command: string) => runningAt(undoKey(command)) !== null,
    /** Null: proposals can be decided about. */
    waits: runningAt(manyKey) === null ? null : 'Another decision is being saved.',
  };
}

/** 'many': one of the lines that a button decides about. */
export type Running = 'take' | 'dismiss' | 'undo' | 'many';

type Calls = ReadonlyMap<string, Running>;
const none: Calls = new Map();

function useRunning() {
  const now = useRef(none);
  const [calls, setCalls] = useState(none);
  const change = (next: Calls) => {
    now.current = next;
    setCalls(next);
  };
  /** Resolves to whether the work succeeded; false at once while a call for the first key runs. */
  const run = async (
    keys: readonly (readonly [string, Running])[],
    work: () => Promise<boolean>,
  ): Promise<boolean> => {
    if (keys[0] !== undefined && now.current.has(keys[0][0])) return false;
    const addedCalls = new Map(keys.filter(([key]) => !now.current.has(key)));
    change(new Map([...now.current, ...addedCalls]));
    try {
      return await work();
    } finally {
      change(new Map([...now.current].filter(([key]) => !addedCalls.has(key))));
    }
  };
  return { runningAt: (key: string) => calls.get(key) ?? null, run };
}
