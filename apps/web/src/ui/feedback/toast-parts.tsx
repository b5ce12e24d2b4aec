import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { useReportPath } from '../hooks/use-report-path.ts';
import type { ToastLink, ToastRequest } from './toast-state.ts';

/** The text of a notification, each line below the other. */
export function ToastLines({ text }: Pick<ToastRequest, 'text'>) {
  return (typeof text === 'string' ? [text] : text).map((line) => <div key={line}>{line}</div>);
}

/** The link of a notification: to a path, or to a report on the screen that is shown. */
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
