import { Text } from '@mantine/core';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { doneWords, type Fixing } from './fixing.ts';
import classes from './rows.module.css';

/** Pushes the import, from where its last problem was fixed. */
export type PushOffer = { label: string; push: () => void };

type FixProgressProps = {
  fixing: Fixing;
  /** Null: the import cannot be pushed now. */
  offer: PushOffer | null;
};

/** How many of the rows that needed the operator do no more; once none does, the button that pushes the import. */
export function FixProgress({ fixing, offer }: FixProgressProps) {
  const { total, open } = fixing;
  const isDone = open === 0;
  return (
    <div className={classes.fixing}>
      {!isDone && (
        <div className={classes.fixBar} aria-hidden>
          <div style={{ width: `${(100 * (total - open)) / total}%` }} />
        </div>
      )}
      {/* One element for both sentences, so that a change is announced. */}
      <Text component="span" role="status" size="sm" className="numbers" c={isDone ? undefined : 'dimmed'}>
        {isDone ? 'Nothing left to fix.' : doneWords(fixing, formatCount)}
      </Text>
      {isDone && offer !== null && (
        <Button size="compact-sm" onClick={offer.push}>
          {offer.label}
        </Button>
      )}
    </div>
  );
}
