import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import { supplierNameCharsMax } from '@draftshelf/domain/suppliers/list';
import { Group, Modal, Skeleton, Stack, TextInput } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { loaderOf } from '../../api/loader.ts';
import { countOf } from '../../lib/intl.ts';
import { suppliersPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { DialogEnd } from '../../ui/dialog-end.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SupplierAnswers } from './supplier-answers.tsx';
import { SupplierDeletion, SupplierMerge } from './supplier-end.tsx';
import { SupplierGuards } from './supplier-guards.tsx';
import { SupplierLists } from './supplier-lists.tsx';
import { SupplierRecipes } from './supplier-recipes.tsx';
import { SupplierSettled } from './supplier-settled.tsx';
import { SupplierSigns } from './supplier-signs.tsx';
import { SupplierValues } from './supplier-values.tsx';
import classes from './suppliers.module.css';
import { supplierRead, useRename, useSupplier } from './suppliers-api.ts';

/** A supplier: its lists, the operator's values, and by what its next list is recognized. */
export function Component() {
  const { supplierId = '' } = useParams();
  const reading = useSupplier(supplierId);
  const supplier = reading.data;
  const [isRenaming, setRenaming] = useState(false);
  return (
    <Stack gap="xl">
      <title>{`${supplier?.name ?? 'Supplier'} · Draftshelf`}</title>
      <PageHeader
        title={supplier?.name ?? 'Supplier'}
        above={
          <div>
            <Button
              component={Link}
              to={suppliersPath}
              variant="subtle"
              color="gray"
              size="compact-md"
              leftSection={<IconArrowLeft size={16} aria-hidden />}
            >
              Suppliers
            </Button>
          </div>
        }
        subtitle={
          <Group gap="xs">
            {supplier && supplier.products !== null && (
              <span className="quiet numbers">{countOf(supplier.products, 'product')}</span>
            )}
            {supplier && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                aria-haspopup="dialog"
                onClick={() => setRenaming(true)}
              >
                Rename
              </Button>
            )}
          </Group>
        }
      />
      <Read of={reading} what="the supplier" meanwhile={<Skeleton height={320} aria-hidden />}>
        {(details) => (
          <>
            <SupplierLists supplier={details} />
            <div className={`stack ${classes.sections}`}>
              <SupplierAnswers supplier={details} />
              <SupplierGuards supplier={details} />
              <SupplierSettled supplier={details} />
              <SupplierRecipes supplier={details} />
              <SupplierValues supplier={details} />
              <SupplierSigns supplier={details} />
              <SupplierMerge supplier={details} />
              <SupplierDeletion supplier={details} />
            </div>
            <Modal opened={isRenaming} onClose={() => setRenaming(false)} title={`Rename ${details.name}`}>
              <RenameForm supplier={details} onClose={() => setRenaming(false)} />
            </Modal>
          </>
        )}
      </Read>
    </Stack>
  );
}

Component.loader = loaderOf(({ params: { supplierId = '' } }) => [supplierRead(supplierId)]);

function RenameForm({ supplier: { id, name }, onClose }: { supplier: SupplierDetails; onClose: () => void }) {
  const [typed, setTyped] = useState(name);
  const renaming = useRename(id);
  const next = typed.trim();
  const unchanged = next === name ? 'Change the name first.' : null;
  const reason = next === '' ? 'Enter a name first.' : unchanged;
  const save = () => reason === null && renaming.mutate({ name: next, from: name }, { onSuccess: onClose });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextInput
        label="Name"
        description="All lists of this supplier show it."
        value={typed}
        maxLength={supplierNameCharsMax}
        dir="auto"
        data-autofocus
        error={renaming.error?.message}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <DialogEnd reason={reason} loading={renaming.isPending} onClick={save} onCancel={onClose}>
        Rename Supplier
      </DialogEnd>
    </form>
  );
}
