import { Text } from '@mantine/core';
import { formatClock } from '../../lib/intl.ts';
import { Hint } from '../hint.tsx';

type AsOfProps = {
  /** The poll that shows the data. */
  reading: { isError: boolean; data: unknown; dataUpdatedAt: number; error: Error | null };
};

/** The time of data that is shown although its last poll has failed. The top bar says if the server is gone. */
export function AsOf({ reading: { isError, data, dataUpdatedAt, error } }: AsOfProps) {
  if (!isError || data === undefined) return null;
  return (
    <Hint
      text={`Couldn’t be read since then: ${error?.message ?? 'unknown cause'}. It is tried again every two seconds.`}
    >
      <Text span size="sm" c="dimmed" fw={400} className="numbers" tabIndex={0}>
        as of {formatClock(dataUpdatedAt)}
      </Text>
    </Hint>
  );
}
