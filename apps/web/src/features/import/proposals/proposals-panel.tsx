import type { ProposalFilter, ProposalGroup } from '@draftshelf/contract/review/proposals';
import { proposalsDecidedMax } from '@draftshelf/contract/wire';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Skeleton, Stack, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Read } from '../../../ui/feedback/read.tsx';
import type { ShownImport } from '../imports-api.ts';
import { type Action, groupKey } from './decisions.ts';
import { useHeldProposals } from './held-proposals.ts';
import { ProposalFilters } from './proposal-filters.tsx';
import { ProposalGroups } from './proposal-groups.tsx';
import { ProposalList } from './proposal-list.tsx';
import { countedWords } from './proposal-words.ts';
import classes from './proposals.module.css';
import { type OpenProposals, useProposalCounts, useProposalPages, useRefreshOnNew } from './proposals-api.ts';
import { BesideBar, SelectionBar } from './selection-bar.tsx';
import { useDecisions } from './use-decisions.ts';
import { useSelection } from './use-selection.ts';

type ProposalsPanelProps = {
  record: ShownImport;
  /** The open proposals of the import. */
  proposals: OpenProposals;
};

/** Values that look-ups, rules or AI propose for an import, which the operator takes or dismisses. */
export function ProposalsPanel({ record, proposals }: ProposalsPanelProps) {
  const [filter, setFilter] = useState<ProposalFilter>({});
  useRefreshOnNew(record.id, proposals);
  return (
    <section className="panel" aria-labelledby="proposals">
      <Stack gap="sm">
        <Title order={2} id="proposals" tabIndex={-1}>
          Proposals <span className={`${classes.total} numbers`}>{countedWords(proposals.count)}</span>
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
function Filtered(props: FilteredProps) {
  const { record, filter } = props;
  const counts = useProposalCounts(record.id, filter);
  const pages = useProposalPages(record.id, filter);
  const read = { ...counts, data: useLast(counts.data) };
  return (
    <Read of={read} what="the number of proposals" meanwhile={<Skeleton height={320} aria-hidden />}>
      {(known) => <Decidable {...props} known={known} pages={pages} />}
    </Read>
  );
}

/** The last value that was there: those of another filter stay if the ones for this filter cannot be read. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}

/** The place of the buttons that decide about the selection. Groups have places of their own. */
const selectionPlace = 'selection';
const placeOf = (group: ProposalGroup) => `group ${groupKey(group)}`;

type DecidableProps = FilteredProps & {
  known: NonNullable<ReturnType<typeof useProposalCounts>['data']>;
  pages: ReturnType<typeof useProposalPages>;
};

/** Filters, groups and lines, and the decisions about them. */
function Decidable({ record, filter, onFilter, known, pages }: DecidableProps) {
  const source = useMemo(() => pages.data?.pages.flatMap(({ proposals }) => proposals), [pages.data]);
  const lines = useHeldProposals(JSON.stringify(filter), source);
  const decisions = useDecisions({ importId: record.id, lines, refetch: () => pages.refetch() });
  const open = lines.filter((line) => line.isOpen && decisions.decisionOf(line.id) === null);
  const select = useSelection(open);
  const { total, groups, counts, newest } = known;
  const upTo = newest ?? 0;
  const locked = canDo('edit', record.status)
    ? null
    : 'Values can’t be changed in the import’s current status.';
  const show = (next: ProposalFilter) => {
    select.clear();
    onFilter(next);
  };
  const decideSelected = async (action: Action) => {
    const ids = select.ids.slice(0, proposalsDecidedMax);
    const which = select.isAll ? { filter, expectedCount: total, upTo } : { ids };
    if (await decisions.decideMany(selectionPlace, which, action)) select.remove(ids);
  };
  const takeGroup = (group: ProposalGroup) => {
    const ofGroup = { field: group.field, source: group.source, group: group.key };
    const which = { filter: ofGroup, expectedCount: group.count, upTo };
    void decisions.decideMany(placeOf(group), which, 'take');
  };
  return (
    <Stack gap="sm" data-focus-next="#proposals">
      <ProposalFilters counts={counts} filter={filter} onFilter={show} />
      <ProposalGroups
        groups={groups}
        locked={decisions.waits ?? locked}
        isTaking={(group) => decisions.runningAt(placeOf(group)) !== null}
        onShow={show}
        onTakeAll={takeGroup}
      />
      <SelectionBar
        select={select}
        total={total}
        open={open.length}
        locked={locked}
        waits={decisions.waits}
        running={decisions.runningAt(selectionPlace)}
        onDecide={(action) => void decideSelected(action)}
      />
      <BesideBar select={select} total={total} open={open.length} decisions={decisions} />
      <ProposalList
        pages={pages}
        lines={lines}
        decisions={decisions}
        select={select}
        locked={locked}
        onClearFilter={Object.keys(filter).length === 0 ? null : () => show({})}
      />
    </Stack>
  );
}
