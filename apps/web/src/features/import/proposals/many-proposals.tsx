import type { ProposalFilter, ProposalGroup } from '@draftshelf/contract/review/proposals';
import { type CanonicalField, labelInSentence } from '@draftshelf/domain/base/canonical-fields';
import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { Checkbox, CloseButton, Title } from '@mantine/core';
import { countOf } from '../../../lib/intl.ts';
import { Button, PlainButton, SubtleButton } from '../../../ui/button.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { BodyText, SmallText } from '../../../ui/text.tsx';
import { fieldLabel } from '../mapping/mapping-words.ts';
import {
  type Action,
  countedWords,
  dismissLabel,
  dismissName,
  groupKey,
  limitWords,
  productsWords,
  reasonWords,
  type Select,
} from './proposal-words.ts';
import classes from './proposals.module.css';
import type { Deciding, Running } from './use-decisions.ts';

type SelectionBarProps = {
  select: Select;
  total: number;
  open: number;
  /** Reasons for not accepting values, or for deciding nothing, now; null if it is possible. */
  locked: string | null;
  waits: string | null;
  running: Running | null;
  /** Absent: the matching proposals have several sources. */
  source?: string | undefined;
  onDecide: (action: Action) => void;
};

/** Keeps its height, so that the list does not move. */
export function SelectionBar({ select, total, open, running, source, ...props }: SelectionBarProps) {
  const { locked, waits, onDecide } = props;
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
        {count === 0 ? 'None selected' : `${countedWords(count)} selected`}
      </BodyText>
      <div className={`row-wrap ${classes.actions} gap-xs`}>
        <ReasonedButton
          size="compact-md"
          reason={running === 'take' ? null : (waits ?? locked ?? isEmpty)}
          loading={running === 'take'}
          aria-label="Accept the selected proposals"
          onClick={() => onDecide('take')}
        >
          Accept
        </ReasonedButton>
        <ReasonedButton
          size="compact-md"
          variant="default"
          reason={running === 'dismiss' ? null : (waits ?? isEmpty)}
          loading={running === 'dismiss'}
          aria-label={dismissName(source, 'selected proposals')}
          onClick={() => onDecide('dismiss')}
        >
          {dismissLabel(source)}
        </ReasonedButton>
      </div>
    </div>
  );
}

type BesideBarProps = Pick<SelectionBarProps, 'select' | 'total' | 'open'> & {
  decisions: Pick<Deciding, 'last' | 'isUndoing' | 'undo' | 'closeLast'>;
};

/** Selects all matches once all shown ones are selected, else undoes the last decision. Keeps its height. */
export function BesideBar({ select, total, open, decisions }: BesideBarProps) {
  const { last, isUndoing, undo, closeLast } = decisions;
  const isWhole = open > 0 && select.ids.length === open;
  return (
    <div className={`row ${classes.beside}`}>
      {isWhole && total > open ? (
        <>
          <Button
            size="compact-md"
            variant={select.isAll ? 'filled' : 'default'}
            aria-pressed={select.isAll}
            onClick={() => (select.isAll ? select.selectShown(true) : select.selectMatching())}
          >
            Select All {countedWords(total)}
          </Button>
          <LimitNote count={total} />
        </>
      ) : (
        last !== null && (
          <LastDecision
            message={last.message}
            isBusy={isUndoing(last.command)}
            onUndo={() => void undo(last.command)}
            onClose={closeLast}
          />
        )
      )}
    </div>
  );
}

type LastDecisionProps = { message: string; isBusy: boolean; onUndo: () => void; onClose: () => void };

/** For operators who miss the notification. */
const LastDecision = ({ message, isBusy, onUndo, onClose }: LastDecisionProps) => (
  <>
    <BodyText lineClamp={2} className="break-words">
      {message}
    </BodyText>
    <PlainButton size="compact-md" busy={isBusy} aria-label="Undo the last decision" onClick={onUndo}>
      Undo
    </PlainButton>
    <CloseButton size="sm" aria-label="Close the last decision" onClick={onClose} />
  </>
);

type ProposalGroupsProps = {
  groups: readonly ProposalGroup[];
  /** Null: values can be accepted. */
  locked: string | null;
  isAccepting: (group: ProposalGroup) => boolean;
  onAcceptAll: (group: ProposalGroup) => void;
  onShow: (filter: ProposalFilter) => void;
};

export const ProposalGroups = ({ groups, locked, isAccepting, onAcceptAll, onShow }: ProposalGroupsProps) =>
  groups.length === 0 ? null : (
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
            <li key={groupKey(group)} className={`row-wrap ${classes.line} top pad-y-xs line-above`}>
              <div className={`break-words ${classes.words}`}>
                <BodyText className="numbers" dir="auto">
                  {isTheirs ? `${what} for` : `${what},`} {productsWords(count)}
                </BodyText>
                <SmallText>{reasonWords(group)}</SmallText>
              </div>
              <div className={`row-wrap ${classes.actions} gap-xs`}>
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
                <SubtleButton
                  size="compact-md"
                  aria-label={`Show: ${what}`}
                  onClick={() => onShow({ field, source, group: key })}
                >
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

/** A call decides about a limited number of proposals. */
function LimitNote({ count }: { count: number }) {
  const words = limitWords(count);
  if (words === null) return null;
  return <SmallText span>{words}</SmallText>;
}
