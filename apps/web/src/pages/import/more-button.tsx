import { IconDots } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';
import { ActionIcon } from '../../components/button.tsx';
import classes from './import.module.css';

/** The button that opens the menu of a page's actions. */
export function MoreButton(props: ComponentPropsWithRef<'button'>) {
  return (
    <ActionIcon
      variant="default"
      size={34}
      aria-haspopup="menu"
      {...props}
      className={classes.more}
      aria-label="More actions"
      title="More actions"
    >
      <IconDots size={16} aria-hidden />
    </ActionIcon>
  );
}
