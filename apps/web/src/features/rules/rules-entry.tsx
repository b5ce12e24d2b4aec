import { Suspense, useState } from 'react';
import { lazily } from '../../lib/load-chunk.ts';
import { Button } from '../../ui/button.tsx';
import { useEver } from '../../ui/hooks/use-ever.ts';

const RulesEditor = lazily(() => import('./rules-editor.tsx').then((chunk) => chunk.RulesEditor));

/** Opens the rules, which load then. */
export function RulesEntry({ onDirty }: { onDirty: (isDirty: boolean) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const isMounted = useEver(isOpen);
  return (
    <div>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Edit Rules
      </Button>
      {isMounted && (
        <Suspense fallback={null}>
          <RulesEditor opened={isOpen} onClose={() => setIsOpen(false)} onDirty={onDirty} />
        </Suspense>
      )}
    </div>
  );
}
