import { CloseButton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { Toast } from 'radix-ui';
import { type ComponentProps, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useReportPath } from '../hooks.ts';
import classes from './toast.module.css';
import {
  dismissToast,
  type ToastLink,
  type ToastRequest,
  toast,
  toastDurationMs,
  toastSwipeThresholdPx,
  toasts,
} from './toast-state.ts';

/** Returns functions that show and dismiss the notification of a failure. Call `dismiss` once the action succeeds. */
export function useFailureToast() {
  const [failure] = useState(() => {
    let dismissLast = () => {};
    return {
      show: (title: string, text: string, link?: ToastRequest['link']) => {
        dismissLast = toast({ title, text, tone: 'failure', ...(link && { link }) });
      },
      dismiss: () => dismissLast(),
    };
  });
  return failure;
}

/** The shown notifications. F8 focuses them. Render inside the router, which their links need. */
export function Toasts() {
  const items = toasts.use();
  const { pathname, search } = useLocation();
  useEffect(() => {
    const report = new URLSearchParams(search).get('report');
    // Dismisses a notification once the page or report of its link is open.
    for (const { id, open, link } of items) {
      if (!open || link === undefined) continue;
      if ('to' in link ? link.to === pathname : link.report === report) dismissToast(id);
    }
  }, [items, pathname, search]);
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
            if (!open) dismissToast(item.id);
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
                <ToastAnchor link={item.link} className={`${classes.link} above-xs size-sm`} />
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

/** An icon whose shape repeats the meaning of its color. */
export function ToastIcon({ tone, ...props }: ToastIconProps) {
  const Icon = { failure: IconAlertTriangle, neutral: IconInfoCircle, plain: IconCircleCheck }[
    tone ?? 'plain'
  ];
  return <Icon stroke={1.75} aria-hidden {...props} />;
}

export const ToastLines = ({ text }: Pick<ToastRequest, 'text'>) =>
  (typeof text === 'string' ? [text] : text).map((line) => <div key={line}>{line}</div>);

/** The link of a notification. A link to a report opens the report on the current screen. */
export function ToastAnchor({
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
