import type { ReactNode } from 'react';
import { DryRunDialog } from './dry-run-dialog.tsx';
import type { useDryRun } from './use-dry-run.ts';

type DryRunProps = {
  importId: string;
  dryRun: ReturnType<typeof useDryRun>;
  /** Something else is open in its place. */
  isCovered: boolean;
  /** What a push would do with all products. */
  children: ReactNode;
};

/** The result of a dry run, over the screen. */
export function DryRun({ importId, dryRun, isCovered, children }: DryRunProps) {
  return (
    <DryRunDialog
      opened={dryRun.shown !== null && !isCovered}
      importId={importId}
      run={dryRun.shown}
      isPending={dryRun.isPending}
      onShow={dryRun.show}
      onClose={dryRun.close}
    >
      {children}
    </DryRunDialog>
  );
}
