import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Button, PlainButton } from '../button.tsx';
import { PlainTable } from '../table/record-table.tsx';
import { ErrorPanel } from './error-panel.tsx';

type SaveConflictProps = {
  title: string;
  children: ReactNode;
  isSaving: boolean;
  onSaveMine: () => void;
  onUseTheirs: () => void;
};

/** Stays until the choice is saved, so that its buttons keep the focus. */
export function SaveConflict({ title, children, isSaving, onSaveMine, onUseTheirs }: SaveConflictProps) {
  return (
    <ErrorPanel tone="warning" title={title}>
      {children}
      <Group gap="sm">
        <Button busy={isSaving} onClick={onSaveMine}>
          Save Yours
        </Button>
        <PlainButton busy={isSaving} onClick={onUseTheirs}>
          Use Theirs
        </PlainButton>
      </Group>
    </ErrorPanel>
  );
}

export type Difference = { label: string; mine: string; theirs: string };

/** `head`: the word for a field. */
export function BothValues({ head, differences }: { head: string; differences: readonly Difference[] }) {
  return (
    <PlainTable
      label="Both values"
      records={differences}
      keyOf={({ label }) => label}
      columns={[
        { head, cell: ({ label }) => label },
        { head: 'Yours', className: 'break-words', cell: ({ mine }) => mine },
        { head: 'Saved meanwhile', className: 'break-words', cell: ({ theirs }) => theirs },
      ]}
    />
  );
}
