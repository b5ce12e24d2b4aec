import { type IconEye, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './import.module.css';

type NoticeProps = {
  icon?: typeof IconEye;
  /** A question has buttons, so it is never cut. */
  tone?: 'good' | 'warning' | 'question' | 'plain';
  title?: string;
  children: ReactNode;
};

/** A notice in one line. */
export function Notice({ icon: Icon = IconInfoCircle, tone = 'plain', title, children }: NoticeProps) {
  return (
    <p className={`row flush break-words ${classes.notice}`} data-tone={tone}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <span>
        {title !== undefined && (
          <>
            <strong>{title}</strong>{' '}
          </>
        )}
        {children}
      </span>
    </p>
  );
}
