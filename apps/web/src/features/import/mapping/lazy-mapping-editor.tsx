import { Suspense } from 'react';
import { lazily } from '../../../lib/load-chunk.ts';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import type { MappingEditorProps } from './mapping-editor.tsx';

const MappingEditor = lazily(() => import('./mapping-editor.tsx').then((chunk) => chunk.MappingEditor));

/** The mapping editor, loaded when it is first opened. It stays mounted, so that it returns the focus. */
export function LazyMappingEditor(props: MappingEditorProps) {
  const isMounted = useEver(props.opened);
  if (!isMounted) return null;
  return (
    <Suspense fallback={null}>
      <MappingEditor {...props} />
    </Suspense>
  );
}
