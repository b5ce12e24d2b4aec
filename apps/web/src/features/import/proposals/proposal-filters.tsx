import type { listProposals, ProposalFilter } from '@draftshelf/contract/review/proposals';
import type { ReplyOf } from '@draftshelf/contract/route';
import { Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Button } from '../../../ui/button.tsx';
import { type Chip, filterChips } from './filter-chips.ts';
import { countedWords } from './proposal-words.ts';
import classes from './proposals.module.css';

type ProposalFiltersProps = {
  counts: ReplyOf<typeof listProposals>['counts'];
  filter: ProposalFilter;
  onFilter: (filter: ProposalFilter) => void;
};

/** Chips for the fields and sources of the open proposals, with their numbers. One of each can be active. */
export function ProposalFilters({ counts, filter, onFilter }: ProposalFiltersProps) {
  const { fields, sources } = filterChips(counts, filter);
  const { group } = filter;
  const chipOf =
    (name: 'field' | 'source') =>
    ({ value, label, count }: Chip) => (
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
    <fieldset className={`stack flush ${classes.filters}`} aria-label="Filter proposals">
      <div className="row-wrap">
        <Text size="sm" c="dimmed" span>
          Fields
        </Text>
        {fields.map(chipOf('field'))}
      </div>
      <div className="row-wrap">
        <Text size="sm" c="dimmed" span>
          Sources
        </Text>
        {sources.map(chipOf('source'))}
      </div>
      {group !== undefined && (
        <Button
          className={classes.chip}
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
