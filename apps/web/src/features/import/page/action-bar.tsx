import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import { useMediaQuery } from '@mantine/hooks';
import { Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { lazily } from '../../../lib/load-chunk.ts';
import { needsYouPath, undoPath } from '../../../lib/paths.ts';
import { keyOf } from '../../../ui/actions/action-keys.ts';
import { useOfferedActions } from '../../../ui/actions/offered-actions.ts';
import { useLostReason } from '../../../ui/feedback/server-lost.ts';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import { useNarrow } from '../../../ui/hooks/use-narrow.ts';
import { MoreMenu } from '../../../ui/menu/more-menu.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { CancelImport } from '../cells/cancel-import.tsx';
import { scopeWords } from '../cells/push-words.ts';
import { DryRun } from '../dry-run/dry-run.tsx';
import { useDryRun } from '../dry-run/use-dry-run.ts';
import { editLock } from '../edits/edit-lock.ts';
import { useUndoKeys } from '../edits/use-undo-keys.ts';
import classes from '../import.module.css';
import type { ShownImport } from '../imports-api.ts';
import { toFixing } from '../rows/use-first-problem.ts';
import { type PageAction, pageActions, phoneActions } from './page-actions.ts';
import type { PageActions } from './use-page-actions.ts';

const HistoryDrawer = lazily(() =>
  import('../edits/history-drawer.tsx').then((chunk) => chunk.HistoryDrawer),
);

const DeleteImport = lazily(() => import('./delete-import.tsx').then((chunk) => chunk.DeleteImport));

type ActionBarProps = {
  record: ShownImport;
  actions: PageActions;
  /** Rows with unsaved changes. */
  unsaved: number;
  /** The products that a push sends; null: they are not known. */
  scope: BeforePush['scope'];
  /** Products that need the operator. */
  open: number;
  onPush: () => void;
  onReport: () => void;
  onAskAi: () => void;
};

/** Plain actions outside of the menu where the bar is short: the file's name needs the room. */
const plainMax = 1;

/** The actions of the page: a few buttons, and a menu with the others. */
export function ActionBar(props: ActionBarProps) {
  const { record, actions, unsaved, scope, open, onPush, onReport, onAskAi } = props;
  const narrow = useNarrow();
  const [cancelling, setCancelling] = useState<ShownImport | null>(null);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const showsDeletion = useEver(isDeleting);
  const showsHistory = useEver(isHistoryOpen);
  useUndoKeys(record.id, editLock(record));
  const dryRun = useDryRun(record.id);
  // The other actions show their status at once.
  const loading: Partial<Record<PageAction['kind'], boolean>> = {
    testStore: actions.storeTest.isPending,
    dryRun: dryRun.isPending && !dryRun.shown,
    updateImages: actions.imageUpdate.isPending,
  };
  const isPush = (action: PageAction) => action.kind === 'action' && action.action === 'push';
  // A push that would send nothing is allowed, but is not the next thing to do.
  const isNext = (action: PageAction) =>
    action.weight === 'primary' && !(isPush(action) && scope?.sent === 0);
  const lost = useLostReason();
  const navigate = useNavigate();
  const all = pageActions(record, unsaved);
  const items = (narrow ? phoneActions(all, record, open) : all).map((action) => ({
    ...action,
    reason: action.reason ?? lost,
  }));
  const primary = items.find(({ weight }) => weight === 'primary') ?? items[0];
  const short = useMediaQuery('(max-width: 104.99em)', undefined, { getInitialValueInEffect: false });
  const plain = items.filter(({ weight }) => weight === 'plain').slice(0, short ? plainMax : undefined);
  const isOutside = (action: PageAction) => action === primary || (!narrow && plain.includes(action));
  const others = items.filter((action) => !isOutside(action));
  const act = (action: PageAction) => {
    if (actions.isBusy || action.reason !== null) return;
    if (action.kind === 'cancel') setCancelling(record);
    else if (action.kind === 'delete') setDeleting(true);
    else if (action.kind === 'report') onReport();
    else if (action.kind === 'testStore') actions.storeTest.start();
    else if (action.kind === 'dryRun') dryRun.start();
    else if (action.kind === 'updateImages') actions.imageUpdate.start();
    else if (action.kind === 'applyRules') actions.applyRules();
    else if (action.kind === 'askAi') onAskAi();
    else if (action.kind === 'history') setHistoryOpen(true);
    else if (action.kind === 'undoPush') navigate(undoPath(record.id), { preventScrollReset: true });
    else if (action.kind === 'fix') {
      navigate(needsYouPath(record.id), { state: toFixing, preventScrollReset: true });
    } else if (action.action === 'push') onPush();
    else actions.run(action.action);
  };
  useOfferedActions(
    items.map((action) => ({ ...action, key: keyOf(action)?.key ?? null, act: () => act(action) })),
  );
  return (
    <>
      {items.filter(isOutside).map((action) => (
        <ReasonedButton
          key={action.label}
          variant={isNext(action) ? 'filled' : 'default'}
          reason={action.reason}
          hotkey={keyOf(action)}
          loading={loading[action.kind]}
          description={isPush(action) && scope !== null ? `${scopeWords(scope)} products` : undefined}
          onClick={() => act(action)}
        >
          {action.label}
          {/* Not a part of the button's name, which the specification fixes. */}
          {isPush(action) && scope !== null && (
            <span className={`${classes.scope} numbers`} aria-hidden>
              {` ${scopeWords(scope)}`}
            </span>
          )}
        </ReasonedButton>
      ))}
      {others.length > 0 && (
        <MoreMenu
          variant="default"
          size={34}
          className={classes.more}
          label="More actions"
          title="More actions"
          name="More actions"
          items={others.map((action) => ({ ...action, hotkey: keyOf(action), act: () => act(action) }))}
        />
      )}
      <DryRun dryRun={dryRun} />
      <Suspense fallback={null}>
        {showsHistory && (
          <HistoryDrawer record={record} opened={isHistoryOpen} onClose={() => setHistoryOpen(false)} />
        )}
        {showsDeletion && (
          <DeleteImport record={record} opened={isDeleting} onClose={() => setDeleting(false)} />
        )}
      </Suspense>
      <CancelImport
        record={cancelling}
        onConfirm={() => cancelling !== null && actions.cancel(cancelling)}
        onClose={() => setCancelling(null)}
      />
    </>
  );
}
