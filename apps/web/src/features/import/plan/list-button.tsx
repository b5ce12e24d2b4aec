import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './in-store.module.css';

type ListButtonProps = { view: string; onShow: (view: string) => void; children: ReactNode };

/** Words with a number that open the list of its products. */
export function ListButton({ view, onShow, children }: ListButtonProps) {
  return (
    <UnstyledButton className={classes.number} onClick={() => onShow(view)}>
      {children}
    </UnstyledButton>
  );
}
