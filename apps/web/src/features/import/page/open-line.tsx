import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import { Button } from '../../../ui/button.tsx';
import type { ShownDetails } from '../imports-api.ts';
import type { RereadChange } from '../mapping/mapping-api.ts';
import { FormerReading } from '../mapping/reread-effect.tsx';
import { rereadBlock } from '../mapping/reread-rules.ts';
import { Notice } from '../notice.tsx';
import { useDetails } from '../use-details.ts';
import { type FactActionProps, FactLine } from './fact-action.tsx';
import { AutoNotice, ListQuestion, RereadingNotice, SameFile } from './import-notices.tsx';
import type { OpenItem } from './open-items.ts';

export type OpenLineProps = Omit<FactActionProps, 'fact' | 'record'> & {
  record: ShownDetails;
  beforePush: BeforePush | null;
  /** The change that restores the reading before this visit's re-read. */
  former: RereadChange | null;
  onRestored: () => void;
  onSupplier: () => void;
};

export function OpenLine({ items, ...props }: OpenLineProps & { items: readonly [OpenItem, ...OpenItem[]] }) {
  const [, open] = useDetails();
  const [item, ...others] = items;
  return (
    <>
      <OpenItemLine item={item} {...props} />
      {others.length > 0 && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          className="to-the-end"
          aria-label={`${others.length} more in the details`}
          onClick={() => open('before-push')}
        >
          {`+${others.length} more`}
        </Button>
      )}
    </>
  );
}

function OpenItemLine({ item, ...props }: OpenLineProps & { item: OpenItem }) {
  const { record, beforePush, former, onRestored, onSupplier } = props;
  const [, open] = useDetails();
  switch (item.kind) {
    case 'rereading':
      return <RereadingNotice record={record} />;
    case 'auto':
      return <AutoNotice record={record} beforePush={beforePush} />;
    case 'supplier':
      return (
        record.list?.asked && (
          <ListQuestion
            importId={record.id}
            asked={record.list.asked}
            lock={rereadBlock(record)}
            onOther={onSupplier}
          />
        )
      );
    case 'former-reading':
      return former && <FormerReading record={record} former={former} onRestored={onRestored} />;
    case 'complete-list':
      return (
        <Notice>
          Does the supplier send the complete list each time?{' '}
          <Button size="compact-sm" variant="default" onClick={() => open('list-since')}>
            Answer
          </Button>
        </Notice>
      );
    case 'same-file':
      return <SameFile record={record} />;
    case 'fact':
      return <FactLine {...props} fact={item.fact} />;
  }
}
