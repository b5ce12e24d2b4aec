import { Title } from '@mantine/core';
import { Suspense } from 'react';
import type { ShownImport } from '../../../api/imports.ts';
import { lazily } from '../../../lib/load-chunk.ts';
import classes from '../import.module.css';

const InStore = lazily(() => import('./in-store.tsx').then((chunk) => chunk.InStore));
const PushGraph = lazily(() => import('./push-graph.tsx').then((chunk) => chunk.PushGraph));

type InStoreSectionProps = {
  record: ShownImport;
  /** Whether a push of it can be planned. */
  isPlannable: boolean;
};

/** An import in the store: what a push would do, how it goes, and whether it did what was planned. */
export function InStoreSection({ record, isPlannable }: InStoreSectionProps) {
  const isPushing = record.status === 'uploading' && !record.isUndoing;
  if (!isPushing && !isPlannable) return null;
  return (
    <section className={classes.strip} data-wide aria-labelledby="in-store">
      <Title order={2} id="in-store" className={classes.stripHead}>
        In the Store
      </Title>
      <div className={isPushing ? classes.pushGraph : classes.line}>
        <Suspense fallback={null}>
          {isPushing ? <PushGraph record={record} /> : <InStore record={record} />}
        </Suspense>
      </div>
    </section>
  );
}
