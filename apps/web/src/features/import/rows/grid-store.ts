import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from '../../../lib/storage.ts';
import {
  applyGridEvent,
  emptyGrid,
  type FocusRequest,
  findPendingStep,
  type GridEvent,
  type GridState,
  type PendingStep,
  type PendingStepOf,
} from './grid-state.ts';

function elementOf({ row, field, on }: FocusRequest): HTMLElement | null {
  const find = (selector: string) =>
    document.querySelector<HTMLElement>(`:is([data-row="${row}"], [data-sheet="${row}"]) ${selector}`);
  const [cell, editor] = [`td[data-field="${field}"]`, `input[data-field="${field}"]`];
  switch (on) {
    case 'pencil':
      return find('[data-pencil]');
    case 'cell':
      return find(cell);
    case 'editor':
      return find(editor);
    case 'editor-or-cell':
      return find(editor) ?? find(cell);
    case 'cell-or-card':
      return find(cell) ?? find('td[data-field="title"]') ?? find('[data-card]');
  }
}

export type GridStore = ReturnType<typeof createGridStore>;

/** Creates a store to which each cell subscribes, so that moving the cursor renders two cells instead of the page. */
export function createGridStore() {
  const { get, subscribe, ...store } = createStore(emptyGrid);
  const set = (next: GridState) => {
    if (next === get()) return;
    store.set(next);
    focusWanted(false);
  };
  const patch = (part: Partial<GridState>) => set({ ...get(), ...part });
  /** Applies an event that causes no effects. */
  const send = (event: GridEvent) => set(applyGridEvent(get(), event).state);
  /** Focuses the requested element. `isDrawn`: the rows are rendered, so a request for a missing element is dropped. */
  const focusWanted = (isDrawn: boolean) => {
    const { focus } = get();
    if (focus === null) return;
    const { how } = focus;
    const element = elementOf(focus);
    if ((element === null || how === 'return') && !isDrawn) return;
    // Clears the request first, because focusing an element sends an event.
    patch({ focus: null });
    if (document.activeElement !== element)
      element?.focus({ preventScroll: how === 'still' || how === 'return' });
    if (!(element instanceof HTMLInputElement)) return;
    if (how === 'select') element.select();
    if (how === 'end') element.setSelectionRange(element.value.length, element.value.length);
  };
  return { get, set, patch, send, subscribe, focusWanted };
}

/** `select` must return an equal value as long as its part of the state has not changed. */
export const useGridState = <T>(
  { subscribe, get }: Pick<GridStore, 'subscribe' | 'get'>,
  select: (state: GridState) => T,
): T => useSyncExternalStore(subscribe, () => select(get()));

/** Calls `arrive` as soon as the rows for which a step of this kind waits are shown. */
export function useArrival<Kind extends PendingStep['kind']>(
  store: GridStore,
  kind: Kind,
  isShown: (step: PendingStepOf<Kind>) => boolean,
  arrive: (step: PendingStepOf<Kind>) => void,
): void {
  const step = useGridState(store, ({ pending }) => findPendingStep(pending, kind));
  useEffect(() => {
    if (step === null || !isShown(step)) return;
    store.send({ kind: 'arrives' });
    arrive(step);
  });
}
