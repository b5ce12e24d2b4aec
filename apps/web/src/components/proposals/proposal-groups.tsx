import type { ProposalFilter, ProposalGroup } from '@draftshelf/contract/proposals';
import { Text, Title } from '@mantine/core';
import { Button } from '../button.tsx';
import { ReasonedButton } from '../reasoned-button.tsx';
import { productsWords, proposedName, reasonWords } from './proposal-words.ts';
import classes from './proposals.module.css';

type ProposalGroupsProps = {
  groups: readonly ProposalGroup[];
  locked: string | null;
  isBusy: boolean;
  onTakeAll: (group: ProposalGroup) => void;
  onShow: (filter: ProposalFilter) => void;
};

/** The same value for many products: 'Product type → Wall Art, 63 products'. */
export function ProposalGroups({ groups, locked, isBusy, onTakeAll, onShow }: ProposalGroupsProps) {
  if (groups.length === 0) return null;
  return (
    <div>
      <Title order={3} size="h6" id="proposal-groups">
        Same value for many products
      </Title>
      <ul className={classes.groups} aria-labelledby="proposal-groups">
        {groups.map((group) => {
          const { field, source, key, count } = group;
          const what = `${proposedName(field)} → ${key}`;
          return (
            <li key={`${field} ${source} ${key}`} className={classes.group}>
              <div className={classes.words}>
                <Text size="sm" className="numbers" dir="auto">
                  {what}, {productsWords(count)}
                </Text>
                <Text size="xs" c="dimmed">
                  {reasonWords(group)}
                </Text>
              </div>
              <div className={classes.actions}>
                <ReasonedButton
                  size="compact-md"
                  variant="default"
                  reason={locked}
                  aria-label={`Take all: ${what}, ${productsWords(count)}`}
                  onClick={() => isBusy || onTakeAll(group)}
                >
                  Take All
                </ReasonedButton>
                <Button
                  size="compact-md"
                  variant="subtle"
                  aria-label={`Show: ${what}`}
                  onClick={() => onShow({ field, source, group: key })}
                >
                  Show
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
