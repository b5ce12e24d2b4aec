import { Title } from '@mantine/core';
import { useState } from 'react';
import { useNarrow } from '../../../ui/hooks/use-narrow.ts';
import { later } from '../../../ui/later.tsx';
import { FoldButton } from '../fold-button.tsx';
import classes from '../import.module.css';
import type { ShownImport } from '../imports-api.ts';
import { usePlanView } from './use-plan-view.ts';

const InStore = later(() => import('./in-store.tsx').then((chunk) => chunk.InStore));
const PushGraph = later(() => import('./push-graph.tsx').then((chunk) => chunk.PushGraph));

/**
 * Imports of so many products are usually planned at once without being asked for, so their plan gets its room at
 * first. A larger one waits in one line until somebody asks.
 */
const soonPlannedMax = 20_000;

type InStoreSectionProps = {
  record: ShownImport;
  /** Whether a push of it can be planned. */
  isPlannable: boolean;
};

/**
 * An import in the store: what a push would do, how it goes, and whether it did what was planned. On a phone the plan
 * is folded to one line.
 */
export function InStoreSection({ record, isPlannable }: InStoreSectionProps) {
  const narrow = useNarrow();
  const [view] = usePlanView();
  const [isUnfolded, setUnfolded] = useState(view !== null);
  if (view !== null && !isUnfolded) setUnfolded(true);
  // While a push is being begun, the plan keeps its place: the page leads to the queue.
  const isPushing = record.status === 'uploading' && !record.isUndoing && !record.changesGone && !isPlannable;
  if (!isPushing && !isPlannable) return null;
  const folds = narrow && !isPushing;
  return (
    <section className={classes.strip} data-wide={!folds || undefined} aria-labelledby="in-store">
      <Title order={2} id="in-store" className={classes.stripHead}>
        In the store
      </Title>
      <div className={folds ? classes.stripBody : undefined}>
        {folds && (
          <div className={classes.line}>
            <FoldButton isOpen={isUnfolded} onTurn={setUnfolded}>
              Plan
            </FoldButton>
          </div>
        )}
        {(!folds || isUnfolded) && (
          <div
            className={isPushing ? classes.pushGraph : `${classes.line} ${classes.plan}`}
            data-large={record.totalProducts > soonPlannedMax || undefined}
          >
            {isPushing ? <PushGraph record={record} /> : <InStore record={record} />}
          </div>
        )}
      </div>
    </section>
  );
}
