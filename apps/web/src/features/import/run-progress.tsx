import { Progress, Text } from '@mantine/core';
import { countOf, formatCount } from '../../lib/intl.ts';
import { QuietText } from '../../ui/text.tsx';
import type { RunReply } from './store-runs.ts';

type RunProgressProps = {
  of: Pick<RunReply, 'state' | 'done' | 'total' | 'message'>;
  doing: string;
  /** Shown while it waits for nothing. */
  otherwise?: string;
};

export function RunProgress({ of: { state, done, total, message }, doing, otherwise }: RunProgressProps) {
  const isPreview = state === 'previewing';
  const words = isPreview ? 'Comparing with the store' : state === 'paused' ? 'Paused' : doing;
  const note = message ?? otherwise;
  return (
    <>
      <Text role="status" className="numbers">
        {isPreview && total === 0
          ? 'Asking the store…'
          : `${words}: ${formatCount(done)} of ${countOf(total, 'product')}`}
      </Text>
      <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label={words} />
      {note !== undefined && <QuietText>{note}</QuietText>}
    </>
  );
}
