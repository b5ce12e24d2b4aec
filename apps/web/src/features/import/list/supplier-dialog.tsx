import type { SupplierList } from '@draftshelf/contract/imports/list';
import { supplierNameCharsMax } from '@draftshelf/domain/suppliers/list';
import { Anchor, Modal, Radio, Skeleton, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Reply } from '../../../api/call.ts';
import { supplierPath, suppliersPath } from '../../../lib/paths.ts';
import { BodyText } from '../../../ui/basics.tsx';
import { CallFailure, ReadView } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { DialogButtons } from '../../../ui/overlays.tsx';
import classes from './list.module.css';
import { useSuppliers } from './list-api.ts';

type SupplierDialogProps = {
  importId: string;
  list: SupplierList;
  opened: boolean;
  onClose: () => void;
};

export function SupplierDialog({ opened, ...props }: SupplierDialogProps) {
  const suppliers = useSuppliers(opened);
  return (
    <Modal opened={opened} onClose={props.onClose} title="Whose list is this?">
      <ReadView of={suppliers} what="the suppliers" meanwhile={<Skeleton height={240} aria-hidden />}>
        {(names) => <SupplierForm {...props} names={names} />}
      </ReadView>
    </Modal>
  );
}

const another = 'another';
const none = 'none';
const rename = 'rename';

type SupplierFormProps = Omit<SupplierDialogProps, 'opened'> & { names: Reply<'listSuppliers'> };

function SupplierForm({ importId, list, names, onClose }: SupplierFormProps) {
  const { supplier: current, asked } = list;
  const before = current === null ? none : String(current.id);
  const [chosen, setChosen] = useState(asked === null ? before : another);
  const [typed, setTyped] = useState<string | null>(null);
  const setting = useCall('setSupplier', { params: { id: importId } });
  const renaming = useCall('renameSupplier');
  const isRenamed = chosen === rename && current !== null;
  const saving = isRenamed ? renaming : setting;
  const field = typed ?? (isRenamed ? current.name : '');
  const name = field.trim();
  const isTyped = chosen === another || isRenamed;
  const isUnchanged = isRenamed ? name === current.name : chosen === before && asked === null;
  const unnamed = isTyped && name === '' ? 'Enter the supplier’s name first.' : null;
  const unchanged = isRenamed ? 'Change the name first.' : 'Choose another supplier first.';
  const reason = isUnchanged ? unchanged : unnamed;
  const save = () => {
    if (reason !== null || saving.isPending) return;
    if (isRenamed) {
      const body = { name, from: current.name };
      renaming.mutate({ params: { id: current.id }, body }, { onSuccess: onClose });
    } else {
      const id = chosen === none ? null : Number(chosen);
      setting.mutate({ body: chosen === another ? { name } : { supplier: id } }, { onSuccess: onClose });
    }
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
          {current !== null && (
            <Radio
              value={rename}
              label={
                // A single element, because two elements would lose the space between them on a phone.
                <span>
                  Rename <bdi>{current.name}</bdi>
                </span>
              }
            />
          )}
          <Radio value={none} label="None" />
        </Stack>
      </Radio.Group>
      <Anchor
        component={Link}
        to={current === null ? suppliersPath : supplierPath(current.id)}
        size="sm"
        display="flex"
        className="target"
      >
        {current === null ? 'All suppliers' : <>Lists and values of {current.name}</>}
      </Anchor>
      {isTyped && (
        <TextInput
          label="Name"
          value={field}
          maxLength={supplierNameCharsMax}
          dir="auto"
          error={isRenamed && renaming.error?.message}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <BodyText>
        {isRenamed
          ? 'All lists of this supplier show the new name.'
          : 'If this file was compared with another supplier’s list, it’s re-read. Your edits are kept.'}
      </BodyText>
      <CallFailure error={setting.error} title="Couldn’t change the supplier." />
      <DialogButtons reason={reason} loading={saving.isPending} onClick={save} onCancel={onClose}>
        {isRenamed ? 'Rename Supplier' : 'Set Supplier'}
      </DialogButtons>
    </form>
  );
}
