import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { Link } from 'react-router';
import { useReportPath } from '../hooks/use-report-path.ts';
import type { ToastLink, ToastRequest } from './toast-state.ts';

type ToastIconProps = Pick<ToastRequest, 'tone'> & { size: number; className?: string | undefined };

/** The form repeats the meaning of the color. */
export function ToastIcon({ tone, ...props }: ToastIconProps) {
  const Icon = { failure: IconAlertTriangle, neutral: IconInfoCircle, plain: IconCircleCheck }[
    tone ?? 'plain'
  ];
  return <Icon stroke={1.75} aria-hidden {...props} />;
}

export function ToastLines({ text }: Pick<ToastRequest, 'text'>) {
  return (typeof text === 'string' ? [text] : text).map((line) => <div key={line}>{line}</div>);
}

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
