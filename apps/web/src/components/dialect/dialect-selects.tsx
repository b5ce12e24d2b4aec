import type { DialectChoice } from '@draftshelf/contract/dialect';
import { Skeleton } from '@mantine/core';
import { Suspense } from 'react';
import { lazily } from '../../lib/load-chunk.ts';
import type { DialectKey, ReadDialect } from './dialect-words.ts';

export type DialectSelectsProps = {
  /** What holds where nothing is chosen, as far as it is known, and how an option is marked that does. */
  basis: Partial<ReadDialect>;
  basisMark: string;
  choice: DialectChoice;
  onChange: (choice: DialectChoice, changed: DialectKey) => void;
  /** How the file begins, if that is known. */
  firstRecords?: readonly string[];
  /** The field that takes the focus when the fields appear, because it was changed where they stood before. */
  focused?: DialectKey | null;
};

const DialectFields = lazily(() => import('./dialect-fields.tsx').then((chunk) => chunk.DialectFields));

/** The four settings of how a file is read. Loaded when drawn: Mantine's Select is 10 kB of what is sent. */
export function DialectSelects(props: DialectSelectsProps) {
  return (
    <Suspense fallback={<Skeleton height={54} />}>
      <DialectFields {...props} />
    </Suspense>
  );
}
