import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { lazily } from '../../../lib/load-chunk.ts';
import type { DialectKey, ReadDialect } from './dialect-words.ts';

export type DialectSelectsProps = {
  /** The dialect without overrides, as far as it is known, and the label that marks its options. */
  basis: Partial<ReadDialect>;
  basisMark: string;
  /** The basis is being detected again, so every pick is an override, even of the value that is still shown. */
  detecting?: boolean;
  choice: DialectChoice;
  onChange: (choice: DialectChoice, changed: DialectKey) => void;
  /** The first records of the file, if known. */
  firstRecords?: readonly string[];
  /** The field that takes the focus on mount. It was changed before the fields moved to another place on the screen. */
  focused?: DialectKey | null;
};

const DialectFields = lazily(() => import('./dialect-fields.tsx').then((chunk) => chunk.DialectFields));

/** The four dialect settings. They load when drawn, because Mantine's Select adds 10 kB. */
export function DialectSelects(props: DialectSelectsProps) {
  return (
    <Suspense fallback={<Skeleton height={54} />}>
      <DialectFields {...props} />
    </Suspense>
  );
}
