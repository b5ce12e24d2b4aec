import type { ProposalFilter, ProposalGroup } from '@draftshelf/contract/review/proposals';
import { type CanonicalField, labelInSentence } from '@draftshelf/domain/base/canonical-fields';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { Text, Title } from '@mantine/core';
import { Button } from '../../../ui/button.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { fieldLabel } from '../mapping/mapping-words.ts';
import { groupKey } from './line-decisions.ts';
import { limitWords, productsWords, reasonWords } from './proposal-words.ts';
import classes from './proposals.module.css';

type ProposalGroupsProps = {
  groups: readonly ProposalGroup[];
  /** Reason for not accepting values now; null if they can be accepted. */
  locked: string | null;
  /** Whether the button of a group waits for its call. */
  isAccepting: (group: ProposalGroup) => boolean;
  onAcceptAll: (group: ProposalGroup) => void;
  onShow: (filter: ProposalFilter) => void;
};

/** The same value for many products: 'Type → Wall Art, 63 products'. */
export function ProposalGroups({ groups, locked, isAccepting, onAcceptAll, onShow }: ProposalGroupsProps) {
  if (groups.length === 0) return null;
  return (
    <div>
      <Title order={3} size="h6" id="proposal-groups">
        Same value for many products
      </Title>
      <ul className="list" aria-labelledby="proposal-groups">
        {groups.map((group) => {
          const { field, source, key, count } = group;
          const isTheirs = source === supplierSource;
          const what = isTheirs
            ? `The supplier’s ${labelInSentence(field as CanonicalField)}`
            : `${fieldLabel(field)} → ${key}`;
          return (
            <li key={groupKey(group)} className={`row-wrap ${classes.line}`}>
              <div className={`break-words ${classes.words}`}>
                <Text size="sm" className="numbers" dir="auto">
                  {isTheirs ? `${what} for` : `${what},`} {productsWords(count)}
                </Text>
                <Text size="xs" c="dimmed">
                  {reasonWords(group)}
                </Text>
              </div>
              <div className={`row-wrap ${classes.actions}`}>
                <ReasonedButton
                  size="compact-md"
                  variant="default"
                  reason={isAccepting(group) ? null : locked}
                  loading={isAccepting(group)}
                  aria-label={`Accept all: ${what}, ${productsWords(count)}`}
                  onClick={() => onAcceptAll(group)}
                >
                  Accept All
                </ReasonedButton>
                <Button
                  size="compact-md"
                  variant="subtle"
                  aria-label={`Show: ${what}`}
                  onClick={() => onShow({ field, source, group: key })}
                >
                  Show
                </Button>
                <LimitNote count={count} />
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Says beside a button that it decides about the first proposals only, where there are more than that. */
export function LimitNote({ count }: { count: number }) {
  const words = limitWords(count);
  if (words === null) return null;
  return (
    <Text size="xs" c="dimmed" span>
      {words}
    </Text>
  );
}
