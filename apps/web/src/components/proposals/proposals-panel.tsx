import type { ProposalFilter } from '@draftshelf/contract/proposals';
import { canDo } from '@draftshelf/domain/import-status';
import { Checkbox, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { ShownImport } from '../../api/imports.ts';
import { useProposalCounts, useProposalPages, useRefreshOnNew } from '../../api/proposals.ts';
import { countOf } from '../../lib/intl.ts';
import { Button } from '../button.tsx';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { ReasonedButton } from '../reasoned-button.tsx';
import { type HeldProposal, useHeldProposals } from './held-proposals.ts';
import { ProposalFilters } from './proposal-filters.tsx';
import { ProposalGroups } from './proposal-groups.tsx';
import { ProposalLine } from './proposal-line.tsx';
import { countedWords } from './proposal-words.ts';
import classes from './proposals.module.css';
import { noneSelected, type Selection, selectWith } from './selection.ts';
import { type Action, useDecisions } from './use-decisions.ts';

type ProposalsPanelProps = {
  record: ShownImport;
  /** Open proposals of the import. */
  count: number;
};

/** Values that look-ups, rules or AI propose for an import, which the operator takes or dismisses. */
export function ProposalsPanel({ record, count }: ProposalsPanelProps) {
  const [filter, setFilter] = useState<ProposalFilter>({});
  useRefreshOnNew(record.id, count);
  return (
    <section className="panel" aria-labelledby="proposals">
      <Stack gap="sm">
        <Title order={2} id="proposals">
          Proposals <span className={`${classes.total} numbers`}>{countedWords(count)}</span>
        </Title>
        <Filtered record={record} filter={filter} onFilter={setFilter} />
      </Stack>
    </section>
  );
}

type FilteredProps = {
  record: ShownImport;
  filter: ProposalFilter;
  onFilter: (filter: ProposalFilter) => void;
};

/** The proposals that match a filter. */
function Filtered({ record, filter, onFilter }: FilteredProps) {
  const counts = useProposalCounts(record.id, filter);
  const pages = useProposalPages(record.id, filter);
  const read = pages.data?.pages;
  const source = useMemo(() => read?.flatMap(({ proposals }) => proposals), [read]);
  const lines = useHeldProposals(JSON.stringify(filter), source);
  const decisions = useDecisions({ importId: record.id, lines, refetch: () => pages.refetch() });
  const { decisionOf, decideMany, decideOne, isBusy } = decisions;
  const open = lines.filter((line) => line.isOpen && decisionOf(line.id) === null);
  const select = useSelection(open);
  const locked = canDo('edit', record.status)
    ? null
    : 'Values can’t be changed in the import’s current status.';
  const failed = pages.isError ? pages : counts.isError ? counts : null;
  if (failed !== null) {
    return (
      <ErrorPanel title="Couldn’t load the proposals." cause={failed.error?.message ?? null}>
        <Button onClick={() => void failed.refetch()}>Try Again</Button>
      </ErrorPanel>
    );
  }
  if (counts.data === undefined) return <Skeleton height={320} aria-hidden />;
  const { total, groups, newest } = counts.data;
  const upTo = newest ?? 0;
  const show = (next: ProposalFilter) => {
    select.clear();
    onFilter(next);
  };
  const decideSelected = (action: Action) => {
    const isAll = select.selected === 'matching';
    void decideMany(isAll ? { filter, expectedCount: total, upTo } : { ids: select.ids }, action);
    select.clear();
  };
  return (
    <>
      <ProposalFilters counts={counts.data.counts} filter={filter} onFilter={show} />
      <ProposalGroups
        groups={groups}
        locked={locked}
        isBusy={isBusy}
        onShow={show}
        onTakeAll={({ field, source: of, key, count }) =>
          void decideMany({ filter: { field, source: of, group: key }, expectedCount: count, upTo }, 'take')
        }
      />
      <SelectionBar
        select={select}
        total={total}
        open={open.length}
        locked={locked}
        isBusy={isBusy}
        onDecide={decideSelected}
      >
        {decisions.last !== null && (
          <LastDecision
            last={decisions.last}
            isBusy={isBusy}
            onUndo={(command) => void decisions.undo(command)}
          />
        )}
      </SelectionBar>
      {source === undefined && <Skeleton height={320} aria-hidden />}
      {source !== undefined && lines.length === 0 && <Text size="sm">No proposals match.</Text>}
      <ul className={classes.list} aria-label="Proposals">
        {lines.map((line) => (
          <ProposalLine
            key={line.id}
            proposal={line}
            decision={decisionOf(line.id)}
            isSelected={select.has(line.id)}
            locked={locked}
            isBusy={isBusy}
            onSelect={(isOn, isRange) => select.set(line.id, isOn, isRange)}
            onDecide={(action, value) => void decideOne(line, action, value)}
            onUndo={(command) => void decisions.undo(command)}
          />
        ))}
      </ul>
      {pages.hasNextPage && (
        <div>
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show More
          </Button>
        </div>
      )}
    </>
  );
}

type Select = ReturnType<typeof useSelection>;

/** The selected ones of the open lines. */
function useSelection(open: readonly HeldProposal[]) {
  const [selected, setSelected] = useState<Selection>(noneSelected);
  const [from, setFrom] = useState<number | null>(null);
  const openIds = open.map(({ id }) => id);
  const ids = selected === 'matching' ? openIds : openIds.filter((id) => selected.has(id));
  return {
    selected,
    ids,
    has: (id: number) => selected === 'matching' || selected.has(id),
    set(id: number, isOn: boolean, isRange: boolean) {
      setSelected(selectWith(selected, openIds, { id, isOn, from: isRange ? from : null }));
      setFrom(id);
    },
    shown: (isOn: boolean) => setSelected(isOn ? new Set(openIds) : noneSelected),
    matching: () => setSelected('matching'),
    clear: () => setSelected(noneSelected),
  };
}

type SelectionBarProps = {
  select: Select;
  /** Open proposals that match, and those of them on the screen. */
  total: number;
  open: number;
  locked: string | null;
  isBusy: boolean;
  onDecide: (action: Action) => void;
  /** The last decision, beside the buttons. */
  children: ReactNode;
};

/** Decides about the selected proposals. It is always there, so that the list does not move. */
function SelectionBar({ select, total, open, locked, isBusy, onDecide, children }: SelectionBarProps) {
  const isAll = select.selected === 'matching';
  const count = isAll ? total : select.ids.length;
  const isEmpty = count === 0 ? 'Select proposals first.' : null;
  const isWhole = open > 0 && select.ids.length === open;
  return (
    <div className={classes.bar}>
      <Checkbox
        label={`Select ${countOf(open, 'shown proposal')}`}
        checked={isWhole}
        indeterminate={select.ids.length > 0 && !isWhole}
        onChange={({ currentTarget }) => select.shown(currentTarget.checked)}
      />
      <Text size="sm" fw={550} className="numbers" role="status">
        {count === 0 ? 'None selected' : `${countedWords(count)} selected`}
      </Text>
      <div className={classes.actions}>
        <ReasonedButton
          size="compact-md"
          reason={locked ?? isEmpty}
          loading={isBusy}
          aria-label="Take the selected proposals"
          onClick={() => isBusy || onDecide('take')}
        >
          Take
        </ReasonedButton>
        <ReasonedButton
          size="compact-md"
          variant="default"
          reason={isEmpty}
          aria-label="Dismiss the selected proposals"
          onClick={() => isBusy || onDecide('dismiss')}
        >
          Dismiss
        </ReasonedButton>
        {isWhole && total > open && !isAll && (
          <Button size="compact-md" variant="subtle" onClick={select.matching}>
            Select All {countedWords(total)}
          </Button>
        )}
      </div>
      {children}
    </div>
  );
}

type LastDecisionProps = {
  last: { command: string; message: string };
  isBusy: boolean;
  onUndo: (command: string) => void;
};

/** The last decision about many, for those who miss the notification. */
function LastDecision({ last, isBusy, onUndo }: LastDecisionProps) {
  return (
    <div className={classes.last}>
      <Text size="sm">{last.message}</Text>
      <Button
        size="compact-md"
        variant="default"
        busy={isBusy}
        aria-label="Undo the last decision"
        onClick={() => onUndo(last.command)}
      >
        Undo
      </Button>
    </div>
  );
}
