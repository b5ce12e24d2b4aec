import { Button } from '../button.tsx';
import { ErrorPanel } from './error-panel.tsx';

type Read = { isError: boolean; isFetching: boolean; error: Error | null; refetch: () => unknown };

type ReadFailureProps = {
  /** What could not be done: 'load the proposals'. */
  what: string;
  /** The failed ones are read again. */
  reads: readonly Read[];
};

/** An error in place of what could not be read, or above what was read before. */
export function ReadFailure({ what, reads }: ReadFailureProps) {
  const failed = reads.filter(({ isError }) => isError);
  return (
    <ErrorPanel title={`Couldn’t ${what}.`} cause={failed[0]?.error?.message ?? null}>
      <Button
        busy={failed.some(({ isFetching }) => isFetching)}
        onClick={() => {
          for (const { refetch } of failed) void refetch();
        }}
      >
        Try Again
      </Button>
    </ErrorPanel>
  );
}
