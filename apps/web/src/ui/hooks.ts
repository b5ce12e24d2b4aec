import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { historyPath, importPath, queuePath, readCurrentParams } from '../lib/paths.ts';

type Events = WindowEventMap & DocumentEventMap;

/** Adds a listener. An event reaches listeners of the document before those of the window. */
export function useListener<Name extends keyof Events>(
  of: 'window' | 'document',
  name: Name,
  handler: (event: Events[Name]) => void,
  { isOn = true, capture = false }: { isOn?: boolean; capture?: boolean } = {},
): void {
  const handle = useEffectEvent(handler);
  useEffect(() => {
    if (!isOn) return;
    const target: EventTarget = of === 'window' ? window : document;
    const listener = (event: Event) => handle(event as Events[Name]);
    target.addEventListener(name, listener, { capture });
    return () => target.removeEventListener(name, listener, { capture });
  }, [of, name, isOn, capture]);
}

/** Accepts dropped files, which the browser would open otherwise. Returns whether files are dragged over the page. */
export function usePageDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const onDragOver = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(true);
  };
  useListener('window', 'dragenter', onDragOver);
  useListener('window', 'dragover', onDragOver);
  useListener('window', 'dragleave', ({ relatedTarget }) => {
    // A drag to another element has not left the page.
    if (relatedTarget === null) setOver(false);
  });
  useListener('window', 'drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) onFiles(files);
  });
  return over;
}

/** Whether files are dragged. True if no types are listed, because some browsers list none before the drop. */
function hasFiles({ dataTransfer }: DragEvent): boolean {
  const types = dataTransfer?.types ?? [];
  return types.length === 0 || types.includes('Files');
}

/** Whether the window is as narrow as a phone's. */
export const useIsNarrow = (): boolean => useMedia('(max-width: 47.99em)');

/** Whether a media query matches, known at the first render. */
export const useMedia = (query: string): boolean =>
  useMediaQuery(query, undefined, { getInitialValueInEffect: false });

const slowTickMs = 20_000;

/** Returns the current time and draws again each `tickMs`. */
export function useNow(tickMs = slowTickMs): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return nowMs;
}

/** Returns the last value that was not null or undefined. Dialogs show this value while they close. */
export function useLastPresent<Value>(value: Value | null | undefined): Value | null | undefined {
  const [last, setLast] = useState(value);
  if (value != null && value !== last) setLast(value);
  return value ?? last;
}

/**
 * Returns whether the condition was ever true, so that an opened dialog stays mounted and closes with its transition.
 */
export function useHasBeenTrue(isTrue: boolean): boolean {
  const [was, setWas] = useState(isTrue);
  if (isTrue && !was) setWas(true);
  return was || isTrue;
}

/** A parameter of the address; null if absent. Setting it replaces the history entry and keeps the scroll position. */
export function useAddressParam(name: string): [value: string | null, set: (value: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const set = (value: string | null) => {
    const next = readCurrentParams();
    if (value === null) next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  return [search.get(name), set];
}

/** Returns the path that opens a report: on the current screen if it can show reports, else in the queue. */
export function useReportPath(): (id: string) => string {
  const { pathname, search } = useLocation();
  const showsReports = pathname === queuePath || pathname === historyPath;
  return (id) => {
    const isHere = showsReports || pathname === importPath(id);
    const address = new URLSearchParams(isHere ? search : '');
    address.set('report', id);
    return `${isHere ? pathname : queuePath}?${address}`;
  };
}

export function useOpenReport(id: string): () => void {
  const reportPath = useReportPath();
  const navigate = useNavigate();
  return () => void navigate(reportPath(id), { preventScrollReset: true });
}

export function showElement(id: string): void {
  const element = document.getElementById(id);
  element?.scrollIntoView({ block: 'center' });
  element?.focus({ preventScroll: true });
}
