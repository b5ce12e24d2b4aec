import type { listProposals, ProposalFilter, ProposalGroup } from '@draftshelf/contract/review/proposals';
import type { ReplyOf } from '@draftshelf/contract/route';
import { proposalsDecidedMax } from '@draftshelf/contract/wire';
import { type CanonicalField, labelInSentence } from '@draftshelf/domain/base/canonical-fields';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Checkbox, CloseButton, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { proposalSourceParam } from '../../../lib/paths.ts';
import {
  BodyText,
  Button,
  PlainButton,
  QuietText,
  SmallText,
  SubtleButton,
  ToggleButton,
} from '../../../ui/basics.tsx';
import { hideNextPageError, MoreButton, ReadView } from '../../../ui/feedback/read.tsx';
import { HintedButton, PlainHintedButton, TitledSection } from '../../../ui/hint.tsx';
import { useAddressParam, useLastPresent } from '../../../ui/hooks.ts';
import type { ShownDetails, ShownImport } from '../imports-api.ts';
import { fieldLabel } from '../mapping/mapping-words.ts';
import { ProposalLine } from './proposal-line.tsx';
import {
  buildFilterChips,
  countedProductsWords,
  decisionLimitWords,
  dismissAriaLabel,
  dismissLabel,
  type FilterChip,
  formatCappedCount,
  groupKey,
  type ProposalAction,
  type ProposalSelection,
  reasonWords,
  useHeldProposals,
  useProposalCounts,
  useProposalPages,
  useSelection,
} from './proposal-words.ts';
import classes from './proposals.module.css';
import { type ProposalDecisions, useDecisions } from './use-decisions.ts';

export function ProposalsPanel({ record }: { record: ShownDetails }) {
  const [filter, onFilter] = useShownFilter();
  const counts = useProposalCounts(record.id, filter);
  const pages = useProposalPages(record.id, filter);
  // If the counts of this filter cannot be read, keeps those of the previous filter.
  const read = { ...counts, data: useLastPresent(counts.data) ?? undefined };
  const count = (
    <Text span inherit c="dimmed" fw={400} className="numbers">
      {formatCappedCount(record.proposals)}
    </Text>
  );
  return (
    <TitledSection id="proposals" title={<>Proposals {count}</>} headClass="visually-hidden">
      <ReadView of={read} what="the number of proposals" meanwhile={<Skeleton height={320} aria-hidden />}>
        {(overview) => <Decidable {...{ record, filter, onFilter, overview, pages }} />}
      </ReadView>
    </TitledSection>
  );
}

/** The filter. A new source in the address replaces it, until the operator chooses another filter. */
function useShownFilter(): [ProposalFilter, (filter: ProposalFilter) => void] {
  const [source, showSource] = useAddressParam(proposalSourceParam);
  const [filter, setFilter] = useState<ProposalFilter>({});
  const shown = source === null || source === filter.source ? filter : { source };
  return [
    shown,
    (next) => {
      setFilter(next);
      if (source !== null) showSource(null);
    },
  ];
}

/** Key of the buttons for the selection. Each group of proposals has a key, too. */
const selectionPlace = 'selection';
const placeOf = (group: ProposalGroup) => `group ${groupKey(group)}`;

type DecidableProps = Omit<ProposalFiltersProps, 'counts'> & {
  record: ShownImport;
  overview: NonNullable<ReturnType<typeof useProposalCounts>['data']>;
  pages: ReturnType<typeof useProposalPages>;
};

function Decidable({ record, filter, onFilter, overview, pages }: DecidableProps) {
  const source = useMemo(() => pages.data?.pages.flatMap(({ proposals }) => proposals), [pages.data]);
  const lines = useHeldProposals(JSON.stringify(filter), source);
  const decisions = useDecisions({ importId: record.id, lines, refetch: () => pages.refetch() });
  const open = lines.filter((line) => line.isOpen && decisions.decisionOf(line.id) === null);
  const select = useSelection(open);
  const { total, groups, counts, newest } = overview;
  const upTo = newest ?? 0;
  const locked = canDo('edit', record.status)
    ? null
    : 'Values can’t be changed in the import’s current status.';
  const show = (next: ProposalFilter) => {
    select.clear();
    onFilter(next);
  };
  const decideSelected = async (action: ProposalAction) => {
    const ids = select.ids.slice(0, proposalsDecidedMax);
    const which = select.isAll ? { filter, expectedCount: total, upTo } : { ids };
    if (await decisions.decideMany(selectionPlace, which, action)) select.remove(ids);
  };
  return (
    <Stack gap="sm" data-focus-next="#proposals">
      <ProposalFilters counts={counts} filter={filter} onFilter={show} />
      <ProposalGroups {...{ groups, decisions, upTo }} locked={decisions.waits ?? locked} onShow={show} />
      <SelectionBar
        {...{ select, total, decisions, locked }}
        open={open.length}
        source={filter.source}
        onDecide={(action) => void decideSelected(action)}
      />
      <BesideBar {...{ select, total, decisions }} open={open.length} />
      <ReadView
        of={hideNextPageError(pages)}
        what="the proposals"
        meanwhile={<Skeleton height={320} aria-hidden />}
      >
        {() => (
          <>
            {lines.length === 0 && (
              <div className={`row-wrap ${classes.actions} gap-xs`}>
                <BodyText>No proposals match.</BodyText>
                {Object.keys(filter).length > 0 && (
                  <PlainButton size="compact-md" onClick={() => show({})}>
                    Clear Filter
                  </PlainButton>
                )}
              </div>
            )}
            <ul className="list" aria-label="Proposals">
              {lines.map((line) => (
                <ProposalLine key={line.id} proposal={line} {...{ decisions, select, locked }} />
              ))}
            </ul>
            <MoreButton pages={pages} what="the proposals" />
          </>
        )}
      </ReadView>
    </Stack>
  );
}

type ProposalFiltersProps = {
  counts: ReplyOf<typeof listProposals>['counts'];
  filter: ProposalFilter;
  onFilter: (filter: ProposalFilter) => void;
};

function ProposalFilters({ counts, filter, onFilter }: ProposalFiltersProps) {
  const { fields, sources } = buildFilterChips(counts, filter);
  const { group } = filter;
  const chipOf =
    (name: 'field' | 'source') =>
    ({ value, label, count }: FilterChip) => (
      <ToggleButton
        key={value}
        className="pill shrink"
        isPressed={filter[name] === value}
        count={formatCappedCount(count)}
        onClick={() => {
          const { [name]: activeValue, group: _, ...others } = filter;
          onFilter(activeValue === value ? others : { ...others, [name]: value });
        }}
      >
        {label}
      </ToggleButton>
    );
  return (
    <fieldset className="stack" aria-label="Filter proposals">
      <div className="row-wrap">
        <QuietText span>Fields</QuietText>
        {fields.map(chipOf('field'))}
      </div>
      <div className="row-wrap">
        <QuietText span>Sources</QuietText>
        {sources.map(chipOf('source'))}
      </div>
      {group !== undefined && (
        <Button
          className="pill shrink fit"
          variant="filled"
          aria-label={`Remove the filter ${group}`}
          rightSection={<IconX size={12} aria-hidden />}
          onClick={() => {
            const { group: _, ...others } = filter;
            onFilter(others);
          }}
        >
          <span className="ellipsis">{group}</span>
        </Button>
      )}
    </fieldset>
  );
}

type BarProps = { select: ProposalSelection; total: number; open: number; decisions: ProposalDecisions };

type SelectionBarProps = BarProps & {
  /** The reason why values cannot be accepted, or null if they can. */
  locked: string | null;
  /** Absent if the selected proposals may have several sources. */
  source: string | undefined;
  onDecide: (action: ProposalAction) => void;
};

/** The buttons for the selection. The height is constant, so that the list does not move. */
function SelectionBar({ select, total, open, decisions, locked, source, onDecide }: SelectionBarProps) {
  const { waits } = decisions;
  const running = decisions.runningAt(selectionPlace);
  const count = select.isAll ? total : select.ids.length;
  const isEmpty = count === 0 ? 'Select proposals first.' : null;
  const isWhole = open > 0 && select.ids.length === open;
  return (
    <div className={`row-wrap ${classes.bar} pad-y-6 line-below`}>
      <Checkbox
        label={`Select ${countOf(open, 'shown proposal')}`}
        checked={isWhole}
        indeterminate={select.ids.length > 0 && !isWhole}
        onChange={({ currentTarget }) => select.selectShown(currentTarget.checked)}
      />
      <BodyText fw={550} className={`${classes.status} numbers`} role="status">
        {count === 0 ? 'None selected' : `${formatCappedCount(count)} selected`}
      </BodyText>
      <div className={`row-wrap ${classes.actions} gap-xs`}>
        <HintedButton
          size="compact-md"
          reason={running === 'take' ? null : (waits ?? locked ?? isEmpty)}
          loading={running === 'take'}
          aria-label="Accept the selected proposals"
          onClick={() => onDecide('take')}
        >
          Accept
        </HintedButton>
        <PlainHintedButton
          reason={running === 'dismiss' ? null : (waits ?? isEmpty)}
          loading={running === 'dismiss'}
          aria-label={dismissAriaLabel(source, 'selected proposals')}
          onClick={() => onDecide('dismiss')}
        >
          {dismissLabel(source)}
        </PlainHintedButton>
      </div>
    </div>
  );
}

/** Offers to select all matching proposals if all shown ones are selected. Else offers to undo the last decision. */
function BesideBar({ select, total, open, decisions }: BarProps) {
  const { last, isUndoing, undo, closeLast } = decisions;
  const isWhole = open > 0 && select.ids.length === open;
  return (
    <div className={`row ${classes.beside}`}>
      {isWhole && total > open ? (
        <>
          <ToggleButton
            size="compact-md"
            isPressed={select.isAll}
            onClick={() => (select.isAll ? select.selectShown(true) : select.selectMatching())}
          >
            Select All {formatCappedCount(total)}
          </ToggleButton>
          <LimitNote count={total} />
        </>
      ) : (
        last !== null && (
          // Repeats the notification and its Undo button for operators who have missed the notification.
          <>
            <BodyText lineClamp={2} className="break-words">
              {last.message}
            </BodyText>
            <PlainButton
              size="compact-md"
              busy={isUndoing(last.command)}
              aria-label="Undo the last decision"
              onClick={() => void undo(last.command)}
            >
              Undo
            </PlainButton>
            <CloseButton size="sm" aria-label="Close the last decision" onClick={closeLast} />
          </>
        )
      )}
    </div>
  );
}

type ProposalGroupsProps = {
  groups: readonly ProposalGroup[];
  decisions: ProposalDecisions;
  /** The newest proposal's id, by which the server detects that the list has changed. */
  upTo: number;
  locked: string | null;
  onShow: (filter: ProposalFilter) => void;
};

const ProposalGroups = ({ groups, decisions, upTo, locked, onShow }: ProposalGroupsProps) =>
  groups.length === 0 ? null : (
    <div>
      <Title order={3} size="h6" id="proposal-groups">
        Same value for many products
      </Title>
      <ul className="list" aria-labelledby="proposal-groups">
        {groups.map((group) => {
          const { field, source, key, count } = group;
          const isTheirs = source === supplierSource;
          const isAccepting = decisions.runningAt(placeOf(group)) !== null;
          const filter = { field, source, group: key };
          const which = { filter, expectedCount: count, upTo };
          const what = isTheirs
            ? `The supplier’s ${labelInSentence(field as CanonicalField)}`
            : `${fieldLabel(field)} → ${key}`;
          return (
            <li key={groupKey(group)} className={`row-wrap ${classes.line} top pad-y-xs line-above`}>
              <div className={`break-words ${classes.words}`}>
                <BodyText className="numbers" dir="auto">
                  {isTheirs ? `${what} for` : `${what},`} {countedProductsWords(count)}
                </BodyText>
                <SmallText>{reasonWords(group)}</SmallText>
              </div>
              <div className={`row-wrap ${classes.actions} gap-xs`}>
                <PlainHintedButton
                  reason={isAccepting ? null : locked}
                  loading={isAccepting}
                  aria-label={`Accept all: ${what}, ${countedProductsWords(count)}`}
                  onClick={() => void decisions.decideMany(placeOf(group), which, 'take')}
                >
                  Accept All
                </PlainHintedButton>
                <SubtleButton size="compact-md" aria-label={`Show: ${what}`} onClick={() => onShow(filter)}>
                  Show
                </SubtleButton>
                <LimitNote count={count} />
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );

/** States how many proposals one call can decide about, if there are more. */
function LimitNote({ count }: { count: number }) {
  const words = decisionLimitWords(count);
  if (words === null) return null;
  return <SmallText span>{words}</SmallText>;
}
