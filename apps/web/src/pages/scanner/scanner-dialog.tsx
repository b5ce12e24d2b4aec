import { Modal, type ModalProps } from '@mantine/core';
import { useMediaQuery, useMounted } from '@mantine/hooks';

/** A dialog of the scanner. It fills the screen of a phone. */
export function ScannerDialog({ opened, ...props }: ModalProps) {
  // Mantine returns the focus only to what had it when `opened` changed.
  const isShown = useMounted() && opened;
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  return <Modal opened={isShown} size="lg" fullScreen={isNarrow} {...props} />;
}
