import { useState } from 'react';
import { PlainButton } from '../../ui/button.tsx';
import { overlay } from '../../ui/later.tsx';

const RulesEditor = overlay(() => import('./rules-editor.tsx').then((chunk) => chunk.RulesEditor));

export function RulesEntry({ onDirty }: { onDirty: (isDirty: boolean) => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <PlainButton onClick={() => setIsOpen(true)}>Edit Rules</PlainButton>
      <RulesEditor opened={isOpen} onClose={() => setIsOpen(false)} onDirty={onDirty} />
    </div>
  );
}
