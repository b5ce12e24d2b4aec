import { type ReactNode, use, useCallback, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { actionOfKey, createOffers, OffersContext } from '../../ui/actions/offered-actions.ts';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { isOpenAbove, isPlainKey, isTyping, searchFieldSelector } from '../../ui/hooks/search-field.ts';
import { useListener } from '../../ui/hooks/use-listener.ts';
import { OpenPaletteContext } from '../palette/open-palette.ts';
import { Palette } from '../palette/palette.tsx';
import { KeyList } from './key-list.tsx';
import { type KeyState, opensPalette, readShortcut } from './keys.ts';
import { navigation } from './navigation.ts';

/** Takes the actions of the screens below, runs them by their keys, and has the palette over them. */
export function PaletteProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  const open = useCallback(() => setOpened(true), []);
  const offers = useMemo(createOffers, []);
  useListener('document', 'keydown', (event) => {
    if (!opensPalette(event)) return;
    // The browser's own search.
    event.preventDefault();
    if (!isOpenAbove()) open();
  });
  return (
    <OffersContext value={offers}>
      <OpenPaletteContext value={open}>{children}</OpenPaletteContext>
      <Palette opened={opened} screens={navigation} onClose={() => setOpened(false)} />
    </OffersContext>
  );
}

/** Handles the application's keyboard shortcuts and shows their list. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [listed, setListed] = useState(false);
  const state = useRef<KeyState>({ goSinceMs: null });
  useActionKeys();
  useListener('document', 'keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
    const { state: next, command } = readShortcut(state.current, event.key, event.timeStamp);
    state.current = next;
    if (command === null) return;
    event.preventDefault();
    if (command.kind === 'go') navigate(command.path);
    if (command.kind === 'list') setListed(true);
    if (command.kind === 'search') document.querySelector<HTMLElement>(searchFieldSelector)?.focus();
  });
  return <KeyList opened={listed} onClose={() => setListed(false)} />;
}

/** Runs the action of the screen whose key is pressed, or says why it cannot be run. */
function useActionKeys(): void {
  const offers = use(OffersContext);
  const failure = useFailureToast();
  useListener('document', 'keydown', (event) => {
    if (event.repeat || event.defaultPrevented || !isPlainKey(event)) return;
    const action = actionOfKey(offers.all(), event);
    if (action === undefined) return;
    event.preventDefault();
    if (action.reason === null) action.act();
    else failure.show(action.label, action.reason);
  });
}
