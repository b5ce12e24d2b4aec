import { Title } from '@mantine/core';
import classes from '../import.module.css';
import type { ShownImport } from '../imports-api.ts';
import { UndoneSentence } from '../undo/undone.tsx';
import { InStore } from './in-store.tsx';
import { PushGraph } from './push-graph.tsx';

type InStoreSectionProps = {
  record: ShownImport;
  /** Whether a push of it can be planned. */
  isPlannable: boolean;
};

/** An import in the store: what a push would do, how it goes, and whether it did what was planned or was undone. */
export function InStoreSection({ record, isPlannable }: InStoreSectionProps) {
  const isPushing = record.status === 'uploading' && !record.isUndoing && !record.changesGone;
  if (!isPushing && !isPlannable && record.shop === null) return null;
  return (
    <section aria-labelledby="in-store">
      <Title order={2} id="in-store" tabIndex={-1} className={classes.sectionHead}>
        In the store
      </Title>
      {/* Another stage may have changed what can be undone. Mounted again, the sentence reads it again. */}
      {record.shop !== null && (
        <UndoneSentence key={`${record.status} ${record.completedAt}`} record={record} />
      )}
      {isPushing ? <PushGraph record={record} /> : isPlannable && <InStore record={record} />}
    </section>
  );
}
