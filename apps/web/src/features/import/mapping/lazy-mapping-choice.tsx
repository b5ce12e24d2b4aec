import { Suspense } from 'react';
import { lazily } from '../../../lib/load-chunk.ts';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import type { MappingChoiceProps } from './mapping-choice.tsx';

const MappingChoice = lazily(() => import('./mapping-choice.tsx').then((chunk) => chunk.MappingChoice));

/** The choice below a chip, loaded when it is first opened. */
export function LazyMappingChoice(props: MappingChoiceProps) {
  const isMounted = useEver(props.open !== null);
  if (!isMounted) return null;
  return (
    <Suspense fallback={null}>
      <MappingChoice {...props} />
    </Suspense>
  );
}
