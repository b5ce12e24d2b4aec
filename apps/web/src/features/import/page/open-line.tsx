import type { BeforePush, PushFact } from '@draftshelf/contract/imports/before-push';
import { canDo } from '@draftshelf/domain/imports/import-status';
import type { PushFactKind } from '@draftshelf/domain/push/before-push';
import { SmallButton, TextButton } from '../../../ui/button.tsx';
import type { ShownDetails } from '../imports-api.ts';
import { asksWhetherComplete } from '../list/list-words.ts';
import type { RereadChange } from '../mapping/mapping-api.ts';
import { FormerReading, rereadBlock } from '../mapping/reread-rules.tsx';
import { Notice } from '../notice.tsx';
import { pushedWords, undecidedWords } from '../status/auto-words.ts';
import { type DetailsSection, useDetails } from '../use-details.ts';
import { type FactActionProps, FactLine } from './fact-action.tsx';
import { AutoNotice, ListQuestion, RereadingNotice, SameFile } from './import-notices.tsx';

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
        <TextButton
          color="gray"
          className="to-the-end"
          aria-label={`${others.length} more in the details`}
          onClick={() => open('before-push')}
        >
          {`+${others.length} more`}
        </TextButton>
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
          <SmallButton onClick={() => open('list-since')}>Answer</SmallButton>
        </Notice>
      );
    case 'same-file':
      return <SameFile record={record} />;
    case 'fact':
      return <FactLine {...props} fact={item.fact} />;
  }
}

export type OpenItem =
  | { kind: 'rereading' | 'auto' | 'supplier' | 'complete-list' | 'former-reading' | 'same-file' }
  | { kind: 'fact'; fact: PushFact };

type Opened = Pick<
  ShownDetails,
  'rereading' | 'autoHeld' | 'autoPushAt' | 'sameAs' | 'sameFilename' | 'list'
> &
  Parameters<typeof pushedWords>[0] &
  Parameters<typeof undecidedWords>[0];

/** The most important first. `wasReread`: this visit can restore the reading before. */
export function openItems(record: Opened, beforePush: BeforePush | null, wasReread: boolean): OpenItem[] {
  const { list, rereading } = record;
  const items: OpenItem[] = [];
  if (rereading !== null) items.push({ kind: 'rereading' });
  if (
    record.autoHeld !== null ||
    record.autoPushAt !== null ||
    undecidedWords(record) !== null ||
    pushedWords(record, beforePush) !== null
  ) {
    items.push({ kind: 'auto' });
  }
  if (list?.asked) items.push({ kind: 'supplier' });
  if (wasReread && rereading === null) items.push({ kind: 'former-reading' });
  const facts = canDo('push', record.status) ? (beforePush?.facts ?? []) : [];
  const toItem = (fact: PushFact): OpenItem => ({ kind: 'fact', fact });
  items.push(...facts.filter(isDecision).map(toItem));
  if (list !== null && asksWhetherComplete(list)) items.push({ kind: 'complete-list' });
  if (record.sameAs !== null || record.sameFilename !== null) items.push({ kind: 'same-file' });
  return [...items, ...facts.filter((fact) => !isDecision(fact)).map(toItem)];
}

const decisions: readonly string[] = [
  'other-currency',
  'no-column',
  'column-question',
  'late-list',
  'cut-off-list',
  'recipes',
  'supplier-values',
  'to-decide',
  'guard-cost',
  'guard-column',
  'guard-change',
] satisfies PushFactKind[];

/** Other facts are only good to know. */
const isDecision = ({ kind }: PushFact): boolean => decisions.includes(kind);

/** Null: no item waits for an answer. */
export function sectionToAnswer(items: readonly OpenItem[]): DetailsSection | null {
  const first = items.find((item) =>
    item.kind === 'fact' ? isDecision(item.fact) : item.kind === 'supplier' || item.kind === 'complete-list',
  );
  if (first === undefined) return null;
  return first.kind === 'complete-list' ? 'list-since' : 'before-push';
}
