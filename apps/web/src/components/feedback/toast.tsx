import { CloseButton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { Toast } from 'radix-ui';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { Link, useLocation } from 'react-router';
import { useReportPath } from '../../lib/use-report-path.ts';
import { keptNotices, type Notice } from './notices.ts';
import classes from './toast.module.css';
import {
  type ToastItem,
  type ToastRequest,
  toastDurationMs,
  toastReducer,
  toastRemoveDelayMs,
  toastSwipeThresholdPx,
} from './toast-state.ts';

const noItems: readonly ToastItem[] = [];
/** Shows a notification and returns a function that dismisses it. */
type ShowToast = (toast: ToastRequest) => () => void;
const ToastContext = createContext<ShowToast | null>(null);
const noNotices: readonly Notice[] = [];
const NoticesContext = createContext(noNotices);
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

/** The last notifications, the newest first. */
export const useNotices = (): readonly Notice[] => use(NoticesContext);

/** Shows that an action failed. Call `dismiss` once the action succeeds. */
export function useFailureToast(): { show: (title: string, text: string) => void; dismiss: () => void } {
  const toast = useToast();
  const dismissLast = useRef<(() => void) | null>(null);
  const show = useCallback(
    (title: string, text: string) => {
      dismissLast.current = toast({ title, text, tone: 'failure' });
    },
    [toast],
  );
  const dismiss = useCallback(() => dismissLast.current?.(), []);
  return useMemo(() => ({ show, dismiss }), [show, dismiss]);
}

/** Holds the current notification. `ToastViewport` renders it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [items, dispatch] = useReducer(toastReducer, noItems);
  const [notices, setNotices] = useState(noNotices);
  const nextId = useRef(1);
  const dismiss = useCallback((id: number) => {
    dispatch({ kind: 'dismiss', id });
    setTimeout(() => dispatch({ kind: 'remove', id }), toastRemoveDelayMs);
  }, []);
  const show = useCallback(
    (toast: ToastRequest) => {
      const id = nextId.current++;
      if (!toast.isKeptOnly) dispatch({ kind: 'show', id, toast });
      const at = new Date().toISOString();
      setNotices((known) => keptNotices(known, toast, { id, at }));
      return () => dismiss(id);
    },
    [dismiss],
  );
  const state = useMemo(() => ({ items, dismiss }), [items, dismiss]);
  return (
    <ToastContext value={show}>
      <NoticesContext value={notices}>
        <ToastItemsContext value={state}>{children}</ToastItemsContext>
      </NoticesContext>
    </ToastContext>
  );
}

/** The region that shows the notification; F8 moves the focus to it. It needs the router for links. */
export function ToastViewport() {
  const { items, dismiss } = use(ToastItemsContext);
  const { pathname } = useLocation();
  const reportPath = useReportPath();
  useEffect(() => {
    // Dismiss a notification once its link's page is open.
    for (const { id, open, link } of items) {
      if (open && link !== undefined && 'to' in link && link.to === pathname) dismiss(id);
    }
  }, [items, pathname, dismiss]);
  return (
    <Toast.Provider
      label="Notification"
      duration={toastDurationMs}
      swipeDirection="right"
      swipeThreshold={toastSwipeThresholdPx}
    >
      {items.map((item) => (
        <Toast.Root
          key={item.id}
          className={classes.toast}
          data-tone={item.tone ?? 'plain'}
          open={item.open}
          duration={item.durationMs ?? toastDurationMs}
          onOpenChange={(open) => {
            if (!open) dismiss(item.id);
          }}
        >
          {item.tone === 'failure' ? (
            <IconAlertTriangle className={classes.icon} size={18} stroke={1.75} aria-hidden />
          ) : (
            <IconCircleCheck className={classes.icon} size={18} stroke={1.75} aria-hidden />
          )}
          <div className={classes.content}>
            <Toast.Title className={classes.title}>{item.title}</Toast.Title>
            <Toast.Description asChild>
              <div className={classes.text}>
                {(typeof item.text === 'string' ? [item.text] : item.text).map((line) => (
                  <div key={line}>{line}</div>
                ))}
              </div>
            </Toast.Description>
            {item.link && (
              <Toast.Action asChild altText={item.link.words}>
                <Link
                  className={classes.link}
                  to={'report' in item.link ? reportPath(item.link.report) : item.link.to}
                >
                  {item.link.words}
                </Link>
              </Toast.Action>
            )}
            {item.action && (
              <Toast.Action asChild altText={item.action.words}>
                <button type="button" className={classes.action} onClick={item.action.run}>
                  {item.action.words}
                </button>
              </Toast.Action>
            )}
          </div>
          <Toast.Close asChild>
            <CloseButton className={classes.close} size="sm" aria-label="Close notification" />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className={classes.viewport} />
    </Toast.Provider>
  );
}
