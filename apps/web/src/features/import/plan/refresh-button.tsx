import { useQueryClient } from '@tanstack/react-query';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { Hint } from '../../../ui/hint.tsx';
import { useInventorySync } from '../../store/index.ts';
import { planAgain } from './plan-api.ts';

type RefreshButtonProps = {
  importId: string;
  /** The push is being planned. */
  isPlanning: boolean;
};

/** Reads the store again, then plans again. */
export function RefreshButton({ importId, isPlanning }: RefreshButtonProps) {
  const client = useQueryClient();
  const { sync, progress } = useInventorySync(() => planAgain(client, importId));
  const failure = useFailureToast();
  const refresh = () =>
    sync.mutate(undefined, {
      onSuccess: failure.dismiss,
      onError: (error) => failure.show('Couldn’t Refresh the Plan', error.message),
    });
  const ofTotal = progress?.total == null ? '' : ` of ${formatCount(progress.total)}`;
  return (
    <Hint text="Reads the store’s products again, then plans again.">
      <Button
        size="compact-sm"
        variant="subtle"
        className="numbers"
        busy={sync.isPending || isPlanning}
        onClick={refresh}
      >
        {sync.isPending ? `Reading ${formatCount(progress?.synced ?? 0)}${ofTotal}…` : 'Refresh'}
      </Button>
    </Hint>
  );
}
