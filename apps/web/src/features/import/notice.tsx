import { type IconEye, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { rememberStoreSeen } from '../../lib/storage.ts';
import { NewTabLink } from '../../ui/basics.tsx';
import classes from './import.module.css';

type NoticeProps = {
  icon?: typeof IconEye;
  /** The text of a 'question' is never cut off, because the text contains buttons. */
  tone?: 'good' | 'warning' | 'question' | 'neutral';
  title?: string;
  children: ReactNode;
};

export const Notice = ({ icon: Icon = IconInfoCircle, tone = 'neutral', title, children }: NoticeProps) => (
  <p className={`marked flush break-words size-sm ${classes.notice}`} data-tone={tone}>
    <Icon size={16} stroke={1.75} aria-hidden />
    <span>
      {title !== undefined && (
        <>
          <strong className="bold">{title}</strong>{' '}
        </>
      )}
      {children}
    </span>
  </p>
);

export const StoreLink = ({ url, name }: { url: string; name: string }) => (
  <NewTabLink href={url} size="sm" aria-label={`View ${name} in the store`} onClick={rememberStoreSeen}>
    View
  </NewTabLink>
);
