import { CloseButton } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useDetails } from '../use-details.ts';
import classes from './details.module.css';
import { detailsButtonId } from './import-head.tsx';

type DetailsProps = {
  /** The id of the heading that is shown first. */
  section: string;
  children: ReactNode;
};

/** What is known of an import, in sections beside its rows. Esc closes it and returns the focus. */
export function Details({ section, children }: DetailsProps) {
  const [, open] = useDetails();
  const panel = useRef<HTMLElement>(null);
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    const heading = panel.current?.querySelector<HTMLElement>(`#${CSS.escape(section)}`);
    heading?.closest('section')?.scrollIntoView({ block: 'start' });
    (heading ?? panel.current)?.focus({ preventScroll: true });
  }, [section]);
  const close = () => {
    const button = document.getElementById(detailsButtonId);
    const next = opener instanceof HTMLElement && opener.matches('button, a') ? opener : button;
    open(null);
    (next?.isConnected ? next : button)?.focus();
  };
  return (
    <aside
      ref={panel}
      className={classes.details}
      aria-label="Details"
      tabIndex={-1}
      // Dialogs that are opened from here close by their own Esc.
      onKeyDown={({ key, target, currentTarget }) => {
        if (key === 'Escape' && currentTarget.contains(target as Node)) close();
      }}
    >
      <div className={classes.head}>
        <strong>Details</strong>
        <CloseButton aria-label="Close Details" onClick={close} />
      </div>
      {children}
    </aside>
  );
}
