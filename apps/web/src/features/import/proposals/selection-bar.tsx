import { Checkbox, CloseButton, Text } from '@mantine/core';
import { countOf } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import type { Action } from './line-decisions.ts';
import { LimitNote } from './proposal-groups.tsx';
import { countedWords, dismissLabel, dismissName } from './proposal-words.ts';
import classes from './proposals.module.css';
import type { Select } from './selection.ts';
import type { Deciding, Running } from './use-decisions.ts';

type SelectionBarProps = {
  select: Select;
  /** Open proposals that match, and how many the list shows. */
  total: number;
  open: number;
  /** Reason for not accepting values now, and for deciding nothing now; null if it can be done. */
  locked: string | null;
  waits: string | null;
  /** The action whose call runs. */
  running: Running | null;
  /** The source of all that match; absent: they have several, or any. */
  source?: string | undefined;
  onDecide: (action: Action) => void;
};

/** Decides about the selected proposals. It is always there with the same height, so that the list does not move. */
export function SelectionBar({ select, total, open, running, source, ...props }: SelectionBarProps) {
  const { locked, waits, onDecide } = props;
  const count = select.isAll ? total : select.ids.length;
  const isEmpty = count === 0 ? 'Select proposals first.' : null;
  const isWhole = open > 0 && select.ids.length === open;
  return (
    <div className={`row-wrap ${classes.bar}`}>
      <Checkbox
        label={`Select ${countOf(open, 'shown proposal')}`}
        checked={isWhole}
        indeterminate={select.ids.length > 0 && !isWhole}
        onChange={({ currentTarget }) => select.selectShown(currentTarget.checked)}
      />
      <Text size="sm" fw={550} className={`${classes.status} numbers`} role="status">
        {count === 0 ? 'None selected' : `${countedWords(count)} selected`}
      </Text>
      <div className={`row-wrap ${classes.actions}`}>
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

/** Selects all that match once all shown ones are selected; else the last decision. Its height is kept free. */
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

/** The last decision about many, for those who miss the notification. */
function LastDecision({ message, isBusy, onUndo, onClose }: LastDecisionProps) {
  return (
    <>
      <Text size="sm" lineClamp={2} className="break-words">
        {message}
      </Text>
      <Button
        size="compact-md"
        variant="default"
        busy={isBusy}
        aria-label="Undo the last decision"
        onClick={onUndo}
      >
        Undo
      </Button>
      <CloseButton size="sm" aria-label="Close the last decision" onClick={onClose} />
    </>
  );
}
