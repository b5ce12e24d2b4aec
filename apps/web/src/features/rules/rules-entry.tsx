import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { overlay } from '../../ui/later.tsx';

const RulesEditor = overlay(() => import('./rules-editor.tsx').then((chunk) => chunk.RulesEditor));

export function RulesEntry({ onDirty }: { onDirty: (isDirty: boolean) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        Edit Rules
      </Button>
      <RulesEditor opened={isOpen} onClose={() => setIsOpen(false)} onDirty={onDirty} />
    </div>
  );
}
