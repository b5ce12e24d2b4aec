import { type Mutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/call.ts';
import { toast, undoDurationMs } from '../../../ui/feedback/toast-state.ts';
import { useCalls, usePending } from '../../../ui/feedback/use-call.ts';
import { isNothingToUndo } from '../edits/edits-api.ts';
import {
  findCompetingProposals,
  type HeldProposal,
  isDecidedBy,
  type LineDecision,
  type LineDecisions,
  type ProposalAction,
  type ProposalsToDecide,
  removeReopened,
} from './proposal-words.ts';

const lineKey = (id: number) => `line ${id}`;
const undoKey = (command: string) => `undo ${command}`;
/** Shared by all decisions about many proposals. They run one at a time, because each changes the expected count. */
const manyKey = 'many';

type DecisionsOf = {
  importId: string;
  lines: readonly HeldProposal[];
  /** Called if a value has changed, or if other users have decided about the proposals. */
  refetch: () => unknown;
};

function useDecisionMemory(lines: readonly HeldProposal[]) {
  const [decisions, setDecisions] = useState<LineDecisions>(new Map());
  const [last, setLast] = useState<{ command: string; message: string } | null>(null);
  const current = removeReopened(decisions, lines);
  if (current !== decisions) setDecisions(current);
  const remember = (decidedLines: readonly HeldProposal[], decision: Omit<LineDecision, 'atMs'>) => {
    const datedDecision = { ...decision, atMs: performance.now() };
    const withdrawal = { ...datedDecision, action: 'withdraw' as const };
    const others = decision.action === 'take' ? findCompetingProposals(lines, decidedLines) : [];
    setDecisions((now) => {
      const next = new Map(now);
      for (const { id } of others) {
        const known = next.get(id);
        // Also replaces a withdrawal that was shown before the server's reply.
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
    /** Removes a decision that was shown before the server refused it. */
    takeBack(line: HeldProposal) {
      const ids = new Set([line, ...findCompetingProposals(lines, [line])].map(({ id }) => id));
      setDecisions(
        (now) => new Map([...now].filter(([id, { command }]) => command !== null || !ids.has(id))),
      );
    },
    /** `isUndone`: true if the command's lines are open again, false if the command can never be undone. */
    afterUndo(command: string, isUndone: boolean) {
      setLast((now) => (now?.command === command ? null : now));
      const after = (decision: LineDecision) =>
        decision.command !== command ? [decision] : isUndone ? [] : [{ ...decision, command: null }];
      setDecisions(
        (now) =>
          new Map([...now].flatMap(([id, decision]) => after(decision).map((left) => [id, left] as const))),
      );
    },
  };
}

export type ProposalDecisions = ReturnType<typeof useDecisions>;

/** 'many': the line belongs to a decision about many proposals. */
export type RunningAction = 'take' | 'dismiss' | 'undo' | 'many';

/** `keys`: the lines and buttons that show the action while `work` runs. */
type Decision = { keys: Record<string, RunningAction>; work: () => Promise<void> };

/** Decides about proposals. A decision resolves to false if it failed, and the failure was shown. */
export function useDecisions({ importId, lines, refetch }: DecisionsOf) {
  const { decisions, last, setLast, remember, takeBack, afterUndo } = useDecisionMemory(lines);
  const params = { id: importId };
  const client = useQueryClient();
  const mutationKey = ['decide proposals', importId];
  // Reports an undo as a decision, because an undo changes the same data and must not move lines either.
  const { mutateAsync } = useCalls(
    ({ work }: Decision) => work(),
    () => [{ name: 'decideProposals', params }],
    {
      mutationKey,
      failed: (_error, { keys }) => ({
        title: Object.values(keys).includes('undo')
          ? 'Couldn’t undo the change'
          : 'Couldn’t save the decision',
      }),
    },
  );
  const running = usePending<Decision>(mutationKey);
  const runningAt = (key: string) => running.find(({ keys }) => key in keys)?.keys[key] ?? null;
  /** Runs `work` unless another call with the same first key is running. Resolves to true if `work` succeeded. */
  const run = async (keys: Record<string, RunningAction>, work: Decision['work']): Promise<boolean> => {
    const [first = ''] = Object.keys(keys);
    const predicate = ({ state }: Mutation) => first in (state.variables as Decision).keys;
    if (client.isMutating({ mutationKey, predicate }) > 0) return false;
    return mutateAsync({ keys, work }).then(
      () => true,
      () => false,
    );
  };
  const undo = (command: string, line?: number) =>
    run(
      { [undoKey(command)]: 'undo', ...(line !== undefined && { [lineKey(line)]: 'undo' as const }) },
      async () => {
        const undoing = call('undoEdits', { params: { ...params, command } });
        const { message, inBackground } = await undoing.catch((error) => {
          if (isNothingToUndo(error)) {
            afterUndo(command, false);
            refetch();
          }
          throw error;
        });
        refetch();
        afterUndo(command, true);
        toast({ title: inBackground ? 'Undoing the change' : 'Change undone', text: message });
      },
    );
  const decideOne = (line: HeldProposal, action: ProposalAction, value?: string) =>
    run({ [lineKey(line.id)]: action }, async () => {
      // A typed text is not shown as decided before the reply, so that it stays in its field if it is refused.
      if (value === undefined) remember([line], { action, command: null, isBulk: false });
      const changed = value === undefined ? {} : { value };
      const deciding =
        action === 'take'
          ? call('decideProposal', {
              params: { ...params, proposal: line.id },
              body: { action, shown: line.before, ...changed },
            })
          : // A single dismissal is a command too, so that the operator can undo it.
            call('decideProposals', { params, body: { action, ids: [line.id] } });
      const restore = () => {
        takeBack(line);
        refetch();
      };
      const { command } = await deciding.catch((error) => {
        restore();
        throw error;
      });
      if (command === null) restore();
      else remember([line], { action, command, isBulk: false });
    });
  const decideMany = (place: string, which: ProposalsToDecide, action: ProposalAction) => {
    const openLines = lines.filter(
      (line) => line.isOpen && !decisions.has(line.id) && isDecidedBy(line, which),
    );
    const lineKeys = openLines.map(({ id }) => [lineKey(id), 'many'] as const);
    return run({ [manyKey]: 'many', [place]: action, ...Object.fromEntries(lineKeys) }, async () => {
      const reply = await call('decideProposals', { params, body: { action, ...which } }).catch((error) => {
        refetch();
        throw error;
      });
      const left = new Set(reply.left.map(({ id }) => id));
      const isKnown = reply.command !== null && reply.leftMore === 0 && reply.more === 0 && !reply.stopped;
      const decidedLines = openLines.filter(({ id }) => isKnown && !left.has(id));
      remember(decidedLines, { action, command: reply.command, isBulk: true });
      const { command, message: text } = reply;
      const done = action === 'take' ? 'accepted' : 'dismissed';
      if (command === null) toast({ title: `Nothing ${done}`, text });
      else {
        setLast({ command, message: text });
        const title = `${reply.decided === 1 ? 'Proposal' : 'Proposals'} ${done}`;
        const again = { words: 'Undo', run: () => void undo(command) };
        toast({ title, text, durationMs: undoDurationMs, action: again });
      }
      // Accepting the proposals that match a filter may have withdrawn listed proposals for the same fields.
      if (!isKnown || left.size > 0 || (action === 'take' && 'filter' in which)) refetch();
    });
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
    waits: runningAt(manyKey) === null ? null : 'Another decision is being saved.',
  };
}
