import {
  type ComponentProps,
  createContext,
  type ElementType,
  type KeyboardEvent,
  use,
  useId,
  useState,
  useSyncExternalStore,
} from 'react';
import { createStore } from '../../lib/storage.ts';

type TabStops = ReturnType<typeof createTabStops>;

/** Null where Tab reaches each control, as in an edited row and in an open dialog. */
export const TabStopsContext = createContext<TabStops | null>(null);

const neverChanges = () => () => {};

/** Returns the props of a cell or control that arrow keys reach: a mark, and a `tabIndex` of 0 if Tab reaches it. */
export function useTabStop(): { tabIndex?: number; 'data-stop'?: string } {
  const stops = use(TabStopsContext);
  const id = useId();
  const isLed = () => stops === null || stops.get().has(id);
  const isStop = useSyncExternalStore(stops?.subscribe ?? neverChanges, isLed, isLed);
  return stops === null ? {} : { tabIndex: isStop ? 0 : -1, 'data-stop': id };
}

type OneTabStopProps = Omit<ComponentProps<'div'>, 'ref' | 'onKeyDown'> & {
  as: 'thead' | 'tbody' | 'div' | 'ul';
  /** The arrow keys that move between the stops. Absent for a table, whose region handles the keys. */
  moves?: keyof typeof steps;
};

/**
 * A table's head or body, a toolbar, or a list as one Tab stop: Tab leads to the cell or control that had the focus
 * last, else to the first. While a cell has the focus, Tab also visits the other cells of its row.
 */
export function TabStopGroup({ as, moves, ...props }: OneTabStopProps) {
  const Part = as as ElementType;
  const [stops] = useState(createTabStops);
  return (
    <TabStopsContext value={stops}>
      <Part ref={stops.watch} onKeyDown={moves && moveBy(steps[moves])} {...props} />
    </TabStopsContext>
  );
}

const steps = {
  sideways: { ArrowLeft: -1, ArrowRight: 1 },
  upright: { ArrowUp: -1, ArrowDown: 1 },
} satisfies Record<string, Record<string, number>>;

/** Returns a handler that moves the focus to the next or previous stop; Home and End to the first and last stop. */
const moveBy = (step: Partial<Record<string, number>>) => (event: KeyboardEvent<HTMLElement>) => {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
  const at = all.findIndex((stop) => stop === event.target);
  const by = step[event.key] ?? 0;
  const to = { Home: all[0], End: all.at(-1) }[event.key] ?? (by === 0 ? undefined : all[at + by]);
  if (at === -1 || to === undefined) return;
  event.preventDefault();
  to.focus();
};

/** A cell or a control. `cell`: id of the cell itself or of the cell around the control; null outside of cells. */
export type TabStop = { id: string; cell: string | null; row: number };

/** Returns the stops to which Tab leads. `last`: the stop that last had the focus. */
export function findTabStops(
  all: readonly TabStop[],
  { last, hasFocus }: { last: string | null; hasFocus: boolean },
): ReadonlySet<string> {
  const current = all.find(({ id }) => id === last) ?? all.find(({ id, cell }) => id === cell) ?? all[0];
  // Tab also leads to the controls in the current cell and, while a stop has the focus, to the other cells of its row.
  const isStop = ({ id, cell, row }: TabStop) =>
    id === current?.id ||
    (current?.cell != null && (cell === current.cell || (hasFocus && row === current.row && id === cell)));
  return new Set(all.filter(isStop).map(({ id }) => id));
}

const selector = '[data-stop]';

const stopOf = (element: HTMLElement): TabStop => ({
  id: element.dataset.stop ?? '',
  cell: element.closest<HTMLElement>(`td${selector}`)?.dataset.stop ?? null,
  row: element.closest('tr')?.rowIndex ?? 0,
});

function createTabStops() {
  const { get, set, subscribe } = createStore<ReadonlySet<string>>(new Set());
  let last: string | null = null;
  let hasFocus = false;
  /** A ref callback, which also covers elements that are drawn later. */
  const watch = (part: HTMLElement | null) => {
    if (part === null) return;
    const refresh = () => {
      const next = findTabStops([...part.querySelectorAll<HTMLElement>(selector)].map(stopOf), {
        last,
        hasFocus,
      });
      if ([...next].join() !== [...get()].join()) set(next);
    };
    const enter = (target: EventTarget | null) => {
      const stop = target instanceof Element ? target.closest<HTMLElement>(selector) : null;
      if (stop === null) return;
      last = stopOf(stop).id;
      hasFocus = true;
      refresh();
    };
    const onFocus = ({ target }: FocusEvent) => enter(target);
    const onBlur = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && part.contains(relatedTarget)) return;
      hasFocus = false;
      refresh();
    };
    refresh();
    if (part.contains(document.activeElement)) enter(document.activeElement);
    const observer = new MutationObserver(refresh);
    observer.observe(part, { subtree: true, childList: true, attributeFilter: ['data-stop'] });
    part.addEventListener('focusin', onFocus);
    part.addEventListener('focusout', onBlur);
    return () => {
      observer.disconnect();
      part.removeEventListener('focusin', onFocus);
      part.removeEventListener('focusout', onBlur);
    };
  };
  return { get, subscribe, watch };
}
