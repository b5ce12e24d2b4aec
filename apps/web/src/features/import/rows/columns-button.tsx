import { IconColumns3 } from '@tabler/icons-react';
import { useState } from 'react';
import { ActionIcon } from '../../../ui/button.tsx';
import { overlay } from '../../../ui/later.tsx';
import type { ShownColumn } from './shown-columns.ts';

const ColumnsDrawer = overlay(() => import('./columns-drawer.tsx').then((chunk) => chunk.ColumnsDrawer));

/** Opens the choice of columns. `shown`: the columns of now, in order. */
export function ColumnsButton({ shown }: { shown: readonly ShownColumn[] }) {
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
      <ColumnsDrawer shown={shown} opened={isOpened} onClose={() => setOpened(false)} />
    </>
  );
}
