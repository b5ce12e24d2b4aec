import { Modal, type ModalProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useNarrow } from '../../lib/use-narrow.ts';

/** A dialog of the scanner. It fills the screen of a phone. */
export function ScannerDialog({ opened, ...props }: ModalProps) {
  // Mantine returns the focus only to what had it when `opened` changed.
  const isShown = useMounted() && opened;
  const isNarrow = useNarrow();
  return <Modal opened={isShown} size="lg" fullScreen={isNarrow} {...props} />;
}
