import { CloseButton } from '@mantine/core';
import { Toast } from 'radix-ui';
import { createContext, type ReactNode, use, useCallback, useMemo, useReducer, useRef } from 'react';
import { Link } from 'react-router';
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
const ToastContext = createContext<((toast: ToastRequest) => void) | null>(null);
const ToastItemsContext = createContext<{ items: readonly ToastItem[]; dismiss: (id: number) => void }>({
  items: noItems,
  dismiss: () => {},
});

/** Answers the function that shows a notification. Throws outside the provider. */
export function useToast(): (toast: ToastRequest) => void {
  const show = use(ToastContext);
  if (show === null) throw new Error('useToast needs a ToastProvider above it');
  return show;
}

/** Holds the notification that is shown; the viewport stands where `ToastViewport` is rendered. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [items, dispatch] = useReducer(toastReducer, noItems);
  const nextId = useRef(1);
  const show = useCallback((toast: ToastRequest) => {
    dispatch({ kind: 'show', id: nextId.current++, toast });
  }, []);
  const dismiss = useCallback((id: number) => {
    dispatch({ kind: 'dismiss', id });
    setTimeout(() => dispatch({ kind: 'remove', id }), toastRemoveDelayMs);
  }, []);
  const state = useMemo(() => ({ items, dismiss }), [items, dismiss]);
  return (
    <ToastContext value={show}>
      <ToastItemsContext value={state}>{children}</ToastItemsContext>
    </ToastContext>
  );
}

/** The region that shows the notification; F8 moves the focus to it. It needs the router for links. */
export function ToastViewport() {
  const { items, dismiss } = use(ToastItemsContext);
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
              <Link className={classes.link} to={item.link.to}>
                {item.link.words}
              </Link>
            </Toast.Action>
          )}
          <Toast.Close asChild>
            <CloseButton className={classes.close} size="sm" aria-label="Close notification" />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className={classes.viewport} />
    </Toast.Provider>
  );
}
