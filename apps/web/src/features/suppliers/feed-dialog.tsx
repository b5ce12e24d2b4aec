import { Modal } from '@mantine/core';
import { useNavigate } from 'react-router';
import { supplierPath } from '../../lib/paths.ts';
import { FeedForm } from './feed-form.tsx';

/** Creates a supplier from the first list at an address. */
export function FeedDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const navigate = useNavigate();
  const open = (supplier: number) => {
    onClose();
    void navigate(supplierPath(supplier));
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Fetch from an address" size="lg">
      <FeedForm supplier={null} feed={null} onKept={open} />
    </Modal>
  );
}
