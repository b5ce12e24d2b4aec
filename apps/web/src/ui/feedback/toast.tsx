import { CloseButton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { Toast } from 'radix-ui';
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
} from 'react';
import { Link, useLocation } from 'react-router';
import { useReportPath } from '../hooks.ts';
import classes from './toast.module.css';
import {
  keptNotices,
  storedNotices,
  type ToastItem,
  type ToastLink,
  type ToastRequest,
  toastDurationMs,
  toastReducer,
  toastRemoveDelayMs,
  toastSwipeThresholdPx,
} from './toast-state.ts';

const noItems: readonly ToastItem[] = [];
/** Returns a function that dismisses the notification. */
type ShowToast = (toast: ToastRequest) => () => void;
const ToastContext = createContext<ShowToast | null>(null);
const ToastItemsContext = createContext<{ items: readonly ToastItem[]; dismiss: (id: number) => void }>({
  items: noItems,
  dismiss: () => {},
});

export function useToast(): ShowToast {
  const show = use(ToastContext);
  if (show === null) throw new Error('useToast needs a ToastProvider above it');
  return show;
}

/** Call `dismiss` once the action succeeds. */
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

export function ToastProvider({ children }: { children: ReactNode }) {
  const [items, dispatch] = useReducer(toastReducer, noItems);
  const nextId = useRef((storedNotices.get()[0]?.id ?? 0) + 1);
  const dismiss = useCallback((id: number) => {
    dispatch({ kind: 'dismiss', id });
    setTimeout(() => dispatch({ kind: 'remove', id }), toastRemoveDelayMs);
  }, []);
  const show = useCallback(
    (toast: ToastRequest) => {
      const id = nextId.current++;
      if (!toast.isKeptOnly) dispatch({ kind: 'show', id, toast });
      const at = new Date().toISOString();
      if (!toast.isRoutine) storedNotices.set(keptNotices(storedNotices.get(), toast, { id, at }));
      return () => dismiss(id);
    },
    [dismiss],
  );
  const state = useMemo(() => ({ items, dismiss }), [items, dismiss]);
  return (
    <ToastContext value={show}>
      <ToastItemsContext value={state}>{children}</ToastItemsContext>
    </ToastContext>
  );
}

/** F8 moves the focus here. Links need the router. */
export function Toasts() {
  const { items, dismiss } = use(ToastItemsContext);
  const { pathname, search } = useLocation();
  useEffect(() => {
    const report = new URLSearchParams(search).get('report');
    // Dismiss a notification once its link's page or report is open.
    for (const { id, open, link } of items) {
      if (!open || link === undefined) continue;
      if ('to' in link ? link.to === pathname : link.report === report) dismiss(id);
    }
  }, [items, pathname, search, dismiss]);
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
          className={`${classes.toast} flex gap-xs relative`}
          data-tone={item.tone ?? 'plain'}
          open={item.open}
          type={item.isRoutine ? 'background' : 'foreground'}
          duration={item.durationMs ?? toastDurationMs}
          onOpenChange={(open) => {
            if (!open) dismiss(item.id);
          }}
        >
          <ToastIcon tone={item.tone} className={`${classes.icon} rigid good`} size={18} />
          <div className={`${classes.content} shrink`}>
            <Toast.Title className="bold">{item.title}</Toast.Title>
            <Toast.Description asChild>
              <div className="size-sm break-words">
                <ToastLines text={item.text} />
              </div>
            </Toast.Description>
            {item.link && (
              <Toast.Action asChild altText={item.link.words}>
                <LinkOfToast link={item.link} className={`${classes.link} above-xs size-sm`} />
              </Toast.Action>
            )}
            {item.action && (
              <Toast.Action asChild altText={item.action.words}>
                <button
                  type="button"
                  className={`${classes.action} framed above-xs size-sm`}
                  onClick={item.action.run}
                >
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
      <Toast.Viewport className={`${classes.viewport} flush pad`} />
    </Toast.Provider>
  );
}

type ToastIconProps = Pick<ToastRequest, 'tone'> & { size: number; className?: string | undefined };

/** The form repeats the meaning of the color. */
export function ToastIcon({ tone, ...props }: ToastIconProps) {
  const Icon = { failure: IconAlertTriangle, neutral: IconInfoCircle, plain: IconCircleCheck }[
    tone ?? 'plain'
  ];
  return <Icon stroke={1.75} aria-hidden {...props} />;
}

export const ToastLines = ({ text }: Pick<ToastRequest, 'text'>) =>
  (typeof text === 'string' ? [text] : text).map((line) => <div key={line}>{line}</div>);

/** Opens a report on the current screen. */
export function LinkOfToast({
  link,
  ...props
}: { link: ToastLink } & Omit<ComponentProps<typeof Link>, 'to' | 'children'>) {
  const reportPath = useReportPath();
  return (
    <Link {...props} to={'report' in link ? reportPath(link.report) : link.to}>
      {link.words}
    </Link>
  );
}
