import type { List } from '@draftshelf/contract/imports/list';
import { Group, Modal, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Reply } from '../../../api/call.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { Read } from '../../../ui/feedback/read.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import classes from './list.module.css';
import { useSupplierSet, useSuppliers } from './list-api.ts';

type SupplierDialogProps = {
  importId: string;
  list: List;
  opened: boolean;
  onClose: () => void;
};

/** Whose list an import is: one of the suppliers, another one, or nobody's. */
export function SupplierDialog({ opened, ...props }: SupplierDialogProps) {
  const suppliers = useSuppliers(opened);
  return (
    <Modal opened={opened} onClose={props.onClose} title="Whose list is this?">
      <Read of={suppliers} what="the suppliers" meanwhile={<Skeleton height={240} aria-hidden />}>
        {(names) => <SupplierForm {...props} names={names} />}
      </Read>
    </Modal>
  );
}

/** The choices beside the ids of suppliers. */
const another = 'another';
const none = 'none';

type SupplierFormProps = Omit<SupplierDialogProps, 'opened'> & { names: Reply<'listSuppliers'> };

function SupplierForm({ importId, list, names, onClose }: SupplierFormProps) {
  const before = list.supplier === null ? none : String(list.supplier.id);
  const [chosen, setChosen] = useState(list.asked === null ? before : another);
  const [typed, setTyped] = useState('');
  const saving = useSupplierSet(importId);
  const name = typed.trim();
  const isUnchanged = chosen === before && list.asked === null;
  const unnamed = chosen === another && name === '' ? 'Enter the supplier’s name first.' : null;
  const reason = isUnchanged ? 'Choose another supplier first.' : unnamed;
  const save = () => {
    if (reason !== null || saving.isPending) return;
    const id = chosen === none ? null : Number(chosen);
    saving.mutate(chosen === another ? { name } : { supplier: id }, { onSuccess: onClose });
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Radio.Group aria-label="Supplier" value={chosen} onChange={setChosen}>
        <Stack gap="xs" className={classes.names}>
          {names.map(({ id, name: supplier }) => (
            <Radio key={id} value={String(id)} label={<span dir="auto">{supplier}</span>} />
          ))}
          <Radio value={another} label="Another supplier" />
          <Radio value={none} label="None" />
        </Stack>
      </Radio.Group>
      {chosen === another && (
        <TextInput
          label="Name"
          value={typed}
          dir="auto"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <Text size="sm">
        If this file was compared with another supplier’s list, it’s read again. Your edits are kept.
      </Text>
      {saving.isError && (
        <ErrorPanel title="Couldn’t change the supplier." cause={saving.error.message}>
          Check the import’s current status, then try again.
        </ErrorPanel>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <ReasonedButton reason={reason} loading={saving.isPending} onClick={save}>
          Set Supplier
        </ReasonedButton>
      </Group>
    </form>
  );
}
