import type { BulkReply, ProposalFilter } from '@draftshelf/contract/proposals';
import { useRef, useState } from 'react';
import { useBulkDecision, useDecisionUndo, useProposalDecision } from '../../api/proposals.ts';
import { useFailureToast, useToast } from '../feedback/toast.tsx';
import type { HeldProposal } from './held-proposals.ts';

export type Action = 'take' | 'dismiss';

/** What the operator has decided about a line that is still shown. */
export type LineDecision = { action: Action; command: string | null; isBulk: boolean };

/** The last decision about many, which one click takes back. */
type LastBulk = { command: string; message: string };

/** Proposals to decide about together: by id, or all that match a filter, with their number and the newest one. */
export type Many = { ids: number[] } | { filter: ProposalFilter; expectedCount: number; upTo: number };

/** Time to read the notification and to reach its button. */
const undoShownMs = 10_000;

type DecisionsOf = {
  importId: string;
  lines: readonly HeldProposal[];
  /** Reads the pages again: a value has changed meanwhile, or others have decided. */
  refetch: () => unknown;
};

/** Takes and dismisses proposals, one or many, and takes that back. Remembers the decisions about shown lines. */
export function useDecisions({ importId, lines, refetch }: DecisionsOf) {
  const [made, setMade] = useState<ReadonlyMap<number, LineDecision>>(new Map());
  const [last, setLast] = useState<LastBulk | null>(null);
  const [one, many, undoing] = [
    useProposalDecision(importId),
    useBulkDecision(importId),
    useDecisionUndo(importId),
  ];
  /** Proposals that are being decided: a second click decides nothing. */
  const pending = useRef(new Set<number>());
  const toast = useToast();
  const failure = useFailureToast();
  const failed = (error: Error) => {
    failure.show('Couldn’t Decide the Proposal', error.message);
    refetch();
  };
  const remember = (ids: readonly number[], decision: LineDecision) =>
    setMade((now) => new Map([...now, ...ids.map((id): [number, LineDecision] => [id, decision])]));
  const undo = (command: string) =>
    undoing.mutateAsync(command).then(
      ({ message }) => {
        failure.dismiss();
        setLast((now) => (now?.command === command ? null : now));
        setMade((now) => new Map([...now].filter(([, decision]) => decision.command !== command)));
        toast({ title: 'Change Undone', text: message });
        refetch();
      },
      (error) => failure.show('Couldn’t Undo the Change', error.message),
    );
  const decideOne = async (line: HeldProposal, action: Action, value?: string) => {
    if (pending.current.has(line.id)) return;
    pending.current.add(line.id);
    try {
      const changed = value === undefined ? {} : { value };
      const { command } =
        action === 'take'
          ? await one.mutateAsync({ proposal: line.id, action, shown: line.before, ...changed })
          : // A dismissal of one is a command, too, so that it can be undone.
            await many.mutateAsync({ action, ids: [line.id] });
      failure.dismiss();
      if (command === null) refetch();
      else remember([line.id], { action, command, isBulk: false });
    } catch (error) {
      failed(error as Error);
    } finally {
      pending.current.delete(line.id);
    }
  };
  const showBulk = (action: Action, { command, decided, message }: BulkReply) => {
    if (command === null) {
      toast({ title: action === 'take' ? 'Nothing Taken' : 'Nothing Dismissed', text: message });
      return;
    }
    setLast({ command, message });
    toast({
      title: `${decided === 1 ? 'Proposal' : 'Proposals'} ${action === 'take' ? 'Taken' : 'Dismissed'}`,
      text: message,
      durationMs: undoShownMs,
      action: { words: 'Undo', run: () => void undo(command) },
    });
  };
  const decideMany = async (which: Many, action: Action) => {
    const shown = lines.filter((line) => line.isOpen && !made.has(line.id) && isAmong(line, which));
    try {
      const reply = await many.mutateAsync({ action, ...which });
      failure.dismiss();
      const left = new Set(reply.left.map(({ id }) => id));
      const isKnown = reply.command !== null && reply.leftMore === 0 && reply.more === 0;
      const decided = shown.filter(({ id }) => isKnown && !left.has(id));
      remember(
        decided.map(({ id }) => id),
        { action, command: reply.command, isBulk: true },
      );
      showBulk(action, reply);
      if (left.size > 0 || reply.more > 0) refetch();
    } catch (error) {
      failed(error as Error);
    }
  };
  return {
    decisionOf: (id: number) => made.get(id) ?? null,
    decideOne,
    decideMany,
    undo,
    last,
    isBusy: many.isPending || undoing.isPending,
  };
}

function isAmong({ id, field, sourceName, group }: HeldProposal, which: Many): boolean {
  if ('ids' in which) return which.ids.includes(id);
  const { filter } = which;
  const isOf = (wanted: string | undefined, value: string | null) => wanted === undefined || wanted === value;
  return isOf(filter.field, field) && isOf(filter.source, sourceName) && isOf(filter.group, group);
}
