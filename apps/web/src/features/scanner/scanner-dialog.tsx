import { Modal, type ModalProps } from '@mantine/core';
import { useNarrow } from '../../ui/hooks/use-narrow.ts';

/** A dialog of the scanner. It fills the screen of a phone. */
export function ScannerDialog(props: ModalProps) {
  const isNarrow = useNarrow();
  return <Modal size="lg" fullScreen={isNarrow} {...props} />;
}
