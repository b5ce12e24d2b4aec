import { Skeleton, Text } from '@mantine/core';
import { Button } from '../../../ui/button.tsx';
import { Read, ReadFailure } from '../../../ui/feedback/read.tsx';
import type { HeldProposal } from './held-proposals.ts';
import { ProposalLine } from './proposal-line.tsx';
import classes from './proposals.module.css';
import type { useProposalPages } from './proposals-api.ts';
import type { Deciding } from './use-decisions.ts';
import type { Select } from './use-selection.ts';

type Pages = ReturnType<typeof useProposalPages>;

type ProposalListProps = {
  pages: Pages;
  lines: readonly HeldProposal[];
  decisions: Deciding;
  select: Select;
  /** Reason for not taking values now; null if they can be taken. */
  locked: string | null;
  /** Null: there is no filter. */
  onClearFilter: (() => void) | null;
};

/** The lines that have been read so far, and the next page on click. */
export function ProposalList({ pages, lines, decisions, select, locked, onClearFilter }: ProposalListProps) {
  const read = { ...pages, isError: pages.isError && !pages.isFetchNextPageError };
  return (
    <Read of={read} what="the proposals" meanwhile={<Skeleton height={320} aria-hidden />}>
      {() => (
        <>
          {lines.length === 0 && (
            <div className={`row-wrap ${classes.actions}`}>
              <Text size="sm">No proposals match.</Text>
              {onClearFilter !== null && (
                <Button size="compact-md" variant="default" onClick={onClearFilter}>
                  Clear Filter
                </Button>
              )}
            </div>
          )}
          <ul className="list" aria-label="Proposals">
            {lines.map((line) => (
              <ProposalLine
                key={line.id}
                proposal={line}
                decision={decisions.decisionOf(line.id)}
                isSelected={select.has(line.id)}
                locked={locked}
                running={decisions.runningOf(line.id)}
                onSelect={(isOn, isRange) => select.set(line.id, isOn, isRange)}
                onDecide={(action, value) => decisions.decideOne(line, action, value)}
                onUndo={(command) => void decisions.undo(command, line.id)}
              />
            ))}
          </ul>
          <NextPage pages={pages} />
        </>
      )}
    </Read>
  );
}

function NextPage({ pages }: { pages: Pages }) {
  const { isFetchNextPageError, isFetchingNextPage, error, fetchNextPage, hasNextPage } = pages;
  if (isFetchNextPageError) {
    const read = { isError: true, isFetching: isFetchingNextPage, error, refetch: () => fetchNextPage() };
    return <ReadFailure what="more proposals" reads={[read]} />;
  }
  if (!hasNextPage) return null;
  return (
    <div>
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Show More
      </Button>
    </div>
  );
}
