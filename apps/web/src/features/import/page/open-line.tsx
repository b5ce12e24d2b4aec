import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import { PlainButton, SubtleButton } from '../../../ui/button.tsx';
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
        <SubtleButton
          size="compact-sm"
          color="gray"
          className="to-the-end"
          aria-label={`${others.length} more in the details`}
          onClick={() => open('before-push')}
        >
          {`+${others.length} more`}
        </SubtleButton>
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
          <PlainButton size="compact-sm" onClick={() => open('list-since')}>
            Answer
          </PlainButton>
        </Notice>
      );
    case 'same-file':
      return <SameFile record={record} />;
    case 'fact':
      return <FactLine {...props} fact={item.fact} />;
  }
}
