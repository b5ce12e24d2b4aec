import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { addressNow, historyPath, importPath, queuePath } from '../lib/paths.ts';

type Events = WindowEventMap & DocumentEventMap;

/** The window's listeners hear a key after the document's. */
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

/** Also keeps the browser from opening a dropped file. Returns whether files are dragged over the page. */
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
    // Moving from one element to another is no leaving.
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

/** Not text or a link. Some browsers list no types until the drop. */
function hasFiles({ dataTransfer }: DragEvent): boolean {
  const types = dataTransfer?.types ?? [];
  return types.length === 0 || types.includes('Files');
}

/** As narrow as a phone. */
export const useNarrow = (): boolean => useMedia('(max-width: 47.99em)');

/** Known at the first render. */
export const useMedia = (query: string): boolean =>
  useMediaQuery(query, undefined, { getInitialValueInEffect: false });

const slowTickMs = 20_000;

/** For words that change as time passes. */
export function useNow(tickMs = slowTickMs): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return nowMs;
}

/** The last value that was there, as a dialog shows it while it closes. */
export function useLast<Value>(value: Value | null | undefined): Value | null | undefined {
  const [last, setLast] = useState(value);
  if (value != null && value !== last) setLast(value);
  return value ?? last;
}

/** Keeps a dialog mounted once opened, so that it can close with its transition. */
export function useEver(isTrue: boolean): boolean {
  const [was, setWas] = useState(isTrue);
  if (isTrue && !was) setWas(true);
  return was || isTrue;
}

/** Null: nothing is open. Setting it replaces the history's entry and keeps the scroll position. */
export function useAddressParam(name: string): [value: string | null, set: (value: string | null) => void] {
  const [search, setSearch] = useSearchParams();
  const set = (value: string | null) => {
    const next = addressNow();
    if (value === null) next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  return [search.get(name), set];
}

/** Queue and history show reports with their filter and page, an import's page over its rows. */
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
