import { IconDots } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';
import { ActionIcon } from '../../components/button.tsx';
import classes from './queue.module.css';

/** The button that opens the menu of a row's actions. */
export function RowMenuButton({
  filename,
  ...props
}: ComponentPropsWithRef<'button'> & { filename: string }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={26}
      aria-haspopup="menu"
      {...props}
      className={classes.more}
      aria-label={`More actions for ${filename}`}
    >
      <IconDots size={16} aria-hidden />
    </ActionIcon>
  );
}
