import { Modal, type ModalProps } from '@mantine/core';
import { useNarrow } from '../../lib/use-narrow.ts';
import { useOpened } from '../../lib/use-opened.ts';

/** A dialog of the scanner. It fills the screen of a phone. */
export function ScannerDialog({ opened, ...props }: ModalProps) {
  const isOpened = useOpened(opened);
  const isNarrow = useNarrow();
  return <Modal opened={isOpened} size="lg" fullScreen={isNarrow} {...props} />;
}
