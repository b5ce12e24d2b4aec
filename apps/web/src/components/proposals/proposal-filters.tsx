import type { listProposals, ProposalFilter } from '@draftshelf/contract/proposals';
import type { ReplyOf } from '@draftshelf/contract/route';
import { Text } from '@mantine/core';
import { Button } from '../button.tsx';
import { capitalized, countedWords, proposedName } from './proposal-words.ts';
import classes from './proposals.module.css';

type Counts = ReplyOf<typeof listProposals>['counts'];

type ProposalFiltersProps = {
  counts: Counts;
  filter: ProposalFilter;
  onFilter: (filter: ProposalFilter) => void;
};

/** Chips for the fields and sources of the open proposals, with their numbers. One of each can be active. */
export function ProposalFilters({ counts, filter, onFilter }: ProposalFiltersProps) {
  const { field, source, group } = filter;
  const fields = sums(
    counts.filter((one) => source === undefined || one.source === source),
    (one) => one.field,
  );
  const sources = sums(
    counts.filter((one) => field === undefined || one.field === field),
    (one) => one.source,
  );
  const labels = new Map(counts.map((one) => [one.source, one.label]));
  const chip = (name: 'field' | 'source', value: string, label: string, count: number) => (
    <Button
      key={value}
      className={classes.chip}
      variant={filter[name] === value ? 'filled' : 'default'}
      aria-pressed={filter[name] === value}
      rightSection={<span className="numbers">{countedWords(count)}</span>}
      onClick={() => {
        const { [name]: pressed, group: _, ...others } = filter;
        onFilter(pressed === value ? others : { ...others, [name]: value });
      }}
    >
      {label}
    </Button>
  );
  return (
    <fieldset className={classes.filters} aria-label="Filter proposals">
      <div className={classes.chips}>
        <Text size="sm" c="dimmed" span>
          Fields
        </Text>
        {fields.map(([name, count]) => chip('field', name, proposedName(name), count))}
      </div>
      <div className={classes.chips}>
        <Text size="sm" c="dimmed" span>
          Sources
        </Text>
        {sources.map(([name, count]) => chip('source', name, capitalized(labels.get(name) ?? name), count))}
      </div>
      {group !== undefined && (
        <Button
          className={classes.chip}
          variant="filled"
          onClick={() => {
            const { group: _, ...others } = filter;
            onFilter(others);
          }}
        >
          {group} ×
        </Button>
      )}
    </fieldset>
  );
}

/** The sum of the counts by name, the largest first. */
function sums(counts: Counts, nameOf: (one: Counts[number]) => string): [string, number][] {
  const byName = new Map<string, number>();
  for (const one of counts) byName.set(nameOf(one), (byName.get(nameOf(one)) ?? 0) + one.count);
  return [...byName].sort(([, a], [, b]) => b - a);
}
