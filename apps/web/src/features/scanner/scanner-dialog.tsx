import { Modal, type ModalProps } from '@mantine/core';
import { useNarrow } from '../../ui/hooks/use-narrow.ts';
import { useOpened } from '../../ui/hooks/use-opened.ts';

/** A dialog of the scanner. It fills the screen of a phone. */
export function ScannerDialog({ opened, ...props }: ModalProps) {
  const isOpened = useOpened(opened);
  const isNarrow = useNarrow();
  return <Modal opened={isOpened} size="lg" fullScreen={isNarrow} {...props} />;
}
