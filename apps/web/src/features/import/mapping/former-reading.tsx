import { Button } from '../../../ui/button.tsx';
import type { ShownImport } from '../imports-api.ts';
import { Notice } from '../notice.tsx';
import { type RereadChange, useReread } from './mapping-api.ts';
import { rereadBlock } from './reread-rules.ts';

type FormerReadingProps = {
  record: ShownImport;
  /** The change that restores the reading before the last re-read. */
  former: RereadChange;
  onRestored: () => void;
};

/** After a re-read, a way back to the reading before it. */
export function FormerReading({ record, former, onRestored }: FormerReadingProps) {
  const reread = useReread(record.id, 'Couldn’t re-read the file');
  if (record.rereading !== null || rereadBlock(record) !== null) return null;
  // While the file is read, something else may be in this place.
  const restore = () => void reread.mutateAsync(former).then(onRestored, () => {});
  return (
    <Notice title="The file was re-read.">
      Not what you expected?{' '}
      <Button size="compact-sm" variant="subtle" loading={reread.isPending} onClick={restore}>
        Restore Previous Reading
      </Button>
    </Notice>
  );
}
