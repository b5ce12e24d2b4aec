import { Modal, type ModalProps } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './overlays.module.css';

type TallDialogProps = Omit<ModalProps, 'classNames' | 'padding' | 'fullScreen'> & {
  /** It fills windows up to this width; absent: none. */
  fills?: 'phone' | 'tablet';
  header?: string | undefined;
};

const narrow = { phone: '(max-width: 47.99em)', tablet: '(max-width: 61.99em)' };

/** As high as the window: header and foot stay while the part between them scrolls. */
export function TallDialog({ fills, header = '', ...props }: TallDialogProps) {
  const fullScreen = useMediaQuery(fills ? narrow[fills] : 'not all', undefined, {
    getInitialValueInEffect: false,
  });
  return (
    <Modal
      {...props}
      fullScreen={fullScreen}
      padding={0}
      classNames={{
        content: `${classes.content} stack gap-0`,
        header: `${classes.header} line-below ${header}`,
        body: 'fill-stack',
      }}
    />
  );
}

export const TallFoot = ({ children }: { children: ReactNode }) => (
  <div className={`${classes.foot} stack gap-sm rigid pad-foot line-above`}>{children}</div>
);
