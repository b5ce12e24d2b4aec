import { supplierNameCharsMax } from '@draftshelf/domain/suppliers/list';
import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { supplierPath } from '../../lib/paths.ts';
import { useCall } from '../../ui/feedback/use-call.ts';
import { DialogEnd } from '../../ui/overlays.tsx';
import { FeedForm, TimingFields, usualTiming } from './feed-form.tsx';

/** Makes a supplier of the first list at an address. */
export function FeedDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Fetch from an address" size="lg">
      <FeedForm supplier={null} feed={null}>
        {({ id, preview }) => (
          <NewSupplier key={id} test={id} filename={preview.filename} onClose={onClose} />
        )}
      </FeedForm>
    </Modal>
  );
}

type NewSupplierProps = { test: string; filename: string; onClose: () => void };

function NewSupplier({ test, filename, onClose }: NewSupplierProps) {
  const [name, setName] = useState(filename.replace(/\.[a-z0-9]+$/i, ''));
  const [timing, setTiming] = useState(usualTiming);
  const navigate = useNavigate();
  const adding = useCall('addFeed', {
    params: { id: test },
    failed: 'Couldn’t save the address',
    onSuccess: ({ supplier }) => {
      onClose();
      void navigate(supplierPath(supplier));
    },
  });
  const reason = name.trim() === '' ? 'Enter the supplier’s name first.' : null;
  const add = () => reason === null && adding.mutate({ body: { name: name.trim(), ...timing } });
  return (
    <form
      className="stack gap-sm"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <TextInput
        label="Supplier"
        description="The lists at this address are its lists."
        value={name}
        maxLength={supplierNameCharsMax}
        dir="auto"
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TimingFields value={timing} onChange={setTiming} />
      <DialogEnd reason={reason} loading={adding.isPending} onClick={add} onCancel={onClose}>
        Save and Fetch
      </DialogEnd>
    </form>
  );
}
