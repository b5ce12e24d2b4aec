import { Suspense, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { lazily } from '../../../lib/load-chunk.ts';

const RulesEditor = lazily(() => import('./rules-editor.tsx').then((chunk) => chunk.RulesEditor));

/** Opens the rules, which load then. */
export function RulesEntry({ onDirty }: { onDirty: (isDirty: boolean) => void }) {
  const [state, setState] = useState<'unloaded' | 'open' | 'closed'>('unloaded');
  return (
    <div>
      <Button variant="default" onClick={() => setState('open')}>
        Edit Rules
      </Button>
      {state !== 'unloaded' && (
        <Suspense fallback={null}>
          <RulesEditor opened={state === 'open'} onClose={() => setState('closed')} onDirty={onDirty} />
        </Suspense>
      )}
    </div>
  );
}
