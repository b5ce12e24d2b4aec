import { Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { lazily } from '../../lib/load-chunk.ts';
import { isTyping, searchFieldSelector } from '../../lib/search-field.ts';
import { type KeyState, readShortcut } from './keys.ts';

const KeyList = lazily(() => import('./key-list.tsx').then((chunk) => chunk.KeyList));

/** Handles the application's keyboard shortcuts and shows their list. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [wanted, setWanted] = useState(false);
  const [listed, setListed] = useState(false);
  const state = useRef<KeyState>({ goSinceMs: null });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
      const { state: next, command } = readShortcut(state.current, event.key, event.timeStamp);
      state.current = next;
      if (command === null) return;
      event.preventDefault();
      if (command.kind === 'go') navigate(command.path);
      if (command.kind === 'list') {
        setWanted(true);
        setListed(true);
      }
      if (command.kind === 'search') document.querySelector<HTMLElement>(searchFieldSelector)?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [navigate]);
  return (
    <Suspense fallback={null}>
      {wanted && <KeyList opened={listed} onClose={() => setListed(false)} />}
    </Suspense>
  );
}
