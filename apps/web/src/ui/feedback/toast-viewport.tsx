import { CloseButton } from '@mantine/core';
import { Toast } from 'radix-ui';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import classes from './toast.module.css';
import { LinkOfToast, ToastIcon, ToastLines } from './toast-parts.tsx';
import { type ToastItem, toastDurationMs, toastSwipeThresholdPx } from './toast-state.ts';

type ToastViewportProps = { items: readonly ToastItem[]; dismiss: (id: number) => void };

/** The region that shows the notification; F8 moves the focus to it. It needs the router for links. */
export function ToastViewport({ items, dismiss }: ToastViewportProps) {
  const { pathname } = useLocation();
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
          type={item.isRoutine ? 'background' : 'foreground'}
          duration={item.durationMs ?? toastDurationMs}
          onOpenChange={(open) => {
            if (!open) dismiss(item.id);
          }}
        >
          <ToastIcon tone={item.tone} className={classes.icon} size={18} />
          <div className={classes.content}>
            <Toast.Title className={classes.title}>{item.title}</Toast.Title>
            <Toast.Description asChild>
              <div className={classes.text}>
                <ToastLines text={item.text} />
              </div>
            </Toast.Description>
            {item.link && (
              <Toast.Action asChild altText={item.link.words}>
                <LinkOfToast link={item.link} className={classes.link} />
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
