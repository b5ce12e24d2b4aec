import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { useEver } from '../hooks/use-ever.ts';
import { useListener } from '../hooks/use-listener.ts';
import { keptNotices, type Notice, storedNotices } from './notices.ts';
import { type ToastItem, type ToastRequest, toastReducer, toastRemoveDelayMs } from './toast-state.ts';

// A missing chunk must not reload the tab, as it does for what the operator has opened.
const ToastViewport = lazy(async () => ({ default: (await import('./toast-viewport.tsx')).ToastViewport }));

const noItems: readonly ToastItem[] = [];
/** Shows a notification and returns a function that dismisses it. */
type ShowToast = (toast: ToastRequest) => () => void;
const ToastContext = createContext<ShowToast | null>(null);
const noNotices: readonly Notice[] = [];
type Notices = {
  /** The newest first. */
  notices: readonly Notice[];
  /** Nothing is news any more. */
  see: () => void;
  /** Nobody who signs in next sees them. */
  forget: () => void;
};
const NoticesContext = createContext<Notices>({ notices: noNotices, see: () => {}, forget: () => {} });
const ToastItemsContext = createContext<{ items: readonly ToastItem[]; dismiss: (id: number) => void }>({
  items: noItems,
  dismiss: () => {},
});

/** Returns the function that shows a notification. Throws outside the provider. */
export function useToast(): ShowToast {
  const show = use(ToastContext);
  if (show === null) throw new Error('useToast needs a ToastProvider above it');
  return show;
}

/** The last notifications of this tab. They outlive a reload. */
export const useNotices = (): Notices => use(NoticesContext);

/** Shows that an action failed. Call `dismiss` once the action succeeds. */
export function useFailureToast(): {
  show: (title: string, text: string, link?: ToastRequest['link']) => void;
  dismiss: () => void;
} {
  const toast = useToast();
  const dismissLast = useRef<(() => void) | null>(null);
  const show = useCallback(
    (title: string, text: string, link?: ToastRequest['link']) => {
      dismissLast.current = toast({ title, text, tone: 'failure', ...(link && { link }) });
    },
    [toast],
  );
  const dismiss = useCallback(() => dismissLast.current?.(), []);
  return useMemo(() => ({ show, dismiss }), [show, dismiss]);
}

/** Holds the current notification. `Toasts` renders it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [items, dispatch] = useReducer(toastReducer, noItems);
  const [notices, setNotices] = useState(storedNotices.read);
  const nextId = useRef((notices[0]?.id ?? 0) + 1);
  useEffect(() => storedNotices.store(notices), [notices]);
  const dismiss = useCallback((id: number) => {
    dispatch({ kind: 'dismiss', id });
    setTimeout(() => dispatch({ kind: 'remove', id }), toastRemoveDelayMs);
  }, []);
  const show = useCallback(
    (toast: ToastRequest) => {
      const id = nextId.current++;
      if (!toast.isKeptOnly) dispatch({ kind: 'show', id, toast });
      const at = new Date().toISOString();
      if (!toast.isRoutine) setNotices((known) => keptNotices(known, toast, { id, at }));
      return () => dismiss(id);
    },
    [dismiss],
  );
  const state = useMemo(() => ({ items, dismiss }), [items, dismiss]);
  const kept = useMemo(
    () => ({
      notices,
      see: () => setNotices((known) => known.map((notice) => ({ ...notice, isNews: false }))),
      forget: () => setNotices(noNotices),
    }),
    [notices],
  );
  return (
    <ToastContext value={show}>
      <NoticesContext value={kept}>
        <ToastItemsContext value={state}>{children}</ToastItemsContext>
      </NoticesContext>
    </ToastContext>
  );
}

/**
 * The notification. Its code loads with the first press or notification, so that no screen waits for it; a notification
 * without it is under the bell.
 */
export function Toasts() {
  const state = use(ToastItemsContext);
  const isUsed = useFirstPress();
  const isMounted = useEver(isUsed || state.items.length > 0);
  return (
    isMounted && (
      <ErrorBoundary fallback={null}>
        <Suspense fallback={null}>
          <ToastViewport {...state} />
        </Suspense>
      </ErrorBoundary>
    )
  );
}

/** Whether a key or a pointer was pressed since the page has loaded. */
function useFirstPress(): boolean {
  const [isPressed, setPressed] = useState(false);
  const untilPressed = { isOn: !isPressed, capture: true };
  useListener('document', 'keydown', () => setPressed(true), untilPressed);
  useListener('document', 'pointerdown', () => setPressed(true), untilPressed);
  return isPressed;
}
