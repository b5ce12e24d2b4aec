import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { ActionIcon } from '../../../ui/button.tsx';
import { ColumnsDrawer } from './columns-drawer.tsx';
import type { ShownTable } from './row-columns.ts';

/** Opens the choice of columns. */
export function ColumnsButton({ table }: { table: ShownTable }) {
  const [isOpened, setOpened] = useState(false);
  return (
    <>
      <ActionIcon
        size={28}
        variant="subtle"
        color="gray"
        title="Columns"
        aria-label="Columns"
        onClick={() => setOpened(true)}
      >
        <IconColumns3 size={16} aria-hidden />
      </ActionIcon>
      <ColumnsDrawer table={table} opened={isOpened} onClose={() => setOpened(false)} />
    </>
  );
}
