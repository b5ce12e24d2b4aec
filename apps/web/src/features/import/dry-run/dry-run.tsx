import { overlay } from '../../../ui/later.tsx';
import type { useDryRun } from './use-dry-run.ts';

const DryRunDialog = overlay(() => import('./dry-run-dialog.tsx').then((chunk) => chunk.DryRunDialog));

/** The result of a dry run, over the screen. */
export function DryRun({ dryRun }: { dryRun: ReturnType<typeof useDryRun> }) {
  return (
    <DryRunDialog
      opened={dryRun.shown !== null}
      run={dryRun.shown}
      isPending={dryRun.isPending}
      onShow={dryRun.show}
      onClose={dryRun.close}
    />
  );
}
