import type { SupplierList } from '@draftshelf/contract/imports/list';
import type { Command } from '@draftshelf/contract/review/edit-history';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { correctionsParam, needsYouRowsPath, queuePath, undoParam } from '../../../lib/paths.ts';
import { BodyText, PlainButton, QuietText, RelativeTime, SmallText } from '../../../ui/basics.tsx';
import { EmptyState } from '../../../ui/brand.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm.tsx';
import { ReadView, Skeletons } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { HintedButton, PlainHintedButton } from '../../../ui/hint.tsx';
import { useAddressParam, useIsNarrow, useMedia } from '../../../ui/hooks.ts';
import { findHotkey, useOfferedActions } from '../../../ui/keys.ts';
import { lazyOverlay } from '../../../ui/later.tsx';
import { MoreMenu } from '../../../ui/menu.tsx';
import { ViewDrawer } from '../../../ui/overlays.tsx';
import { useNoConnectionReason } from '../../../ui/page-header.tsx';
import { DryRun, useDryRun } from '../dry-run/dry-run.tsx';
import editsClasses from '../edits/edits.module.css';
import {
  authorWords,
  describeUnchangedCount,
  editLockReason,
  unchangedCellSentences,
  useCommandPages,
  useUndoButton,
  useUndoKeys,
} from '../edits/edits-api.ts';
import classes from '../import.module.css';
import { hideImport, type ShownDetails, type ShownImport } from '../imports-api.ts';
import { StorePlan } from '../plan/in-store.tsx';
import { usePlanView } from '../plan/plan-api.ts';
import { fixLinkState } from '../rows/use-problems.ts';
import { useDetailsSection } from '../rows-address.ts';
import { type PushScope, pushScopeWords } from '../status/status-look.tsx';
import { CancelImportDialog, openDrafts } from '../status/use-import-actions.tsx';
import { listPageActions, orderPhoneActions, type PageAction, type PageActions } from './page-actions.ts';

const CorrectionsDialog = lazyOverlay(
  () => import('../corrections/corrections-dialog.tsx'),
  'CorrectionsDialog',
);
const UndoDialog = lazyOverlay(() => import('../undo/undo-dialog.tsx'), 'UndoDialog');

type ActionBarProps = {
  record: ShownDetails;
  actions: PageActions;
  unsaved: number;
  onPush: () => void;
  onReport: () => void;
  onSupplier: () => void;
};

/** Number of plain buttons outside the menu of a narrow bar, which also needs room for the file's name. */
const plainMax = 1;

export function ActionBar(props: ActionBarProps) {
  const { record, unsaved } = props;
  const scope = scopeOf(record);
  const narrow = useIsNarrow();
  const lost = useNoConnectionReason();
  const short = useMedia('(max-width: 104.99em)');
  const { act, isLoading, overlays } = useActs(props);
  useUndoKeys(record.id, editLockReason(record));
  const all = listPageActions(record, unsaved);
  const items = (narrow ? orderPhoneActions(all, record, record.beforePush?.open ?? 0) : all).map(
    (action) => ({
      ...action,
      reason: action.reason ?? lost,
      hotkey: findHotkey(action),
      act: () => {
        if ((action.reason ?? lost) === null) act(action);
      },
    }),
  );
  const primary = items.find(({ weight }) => weight === 'primary') ?? items[0];
  const plain = items.filter(({ weight }) => weight === 'plain').slice(0, short ? plainMax : undefined);
  const isOutside = (item: (typeof items)[number]) => item === primary || (!narrow && plain.includes(item));
  const others = items.filter((item) => !isOutside(item));
  useOfferedActions(items.map((item) => ({ ...item, key: item.hotkey?.key ?? null })));
  return (
    <>
      {items.filter(isOutside).map(({ label, weight, reason, hotkey, act, ...item }) => {
        const sent = item.kind === 'action' && item.action === 'push' ? scope : null;
        // Allows a push that would send nothing, but without a filled button, because the push is not the next step.
        const isNext = weight === 'primary' && sent?.sent !== 0 && sent?.changed !== 0;
        return (
          <HintedButton
            key={label}
            variant={isNext ? 'filled' : 'default'}
            {...{ reason, hotkey }}
            loading={isLoading(item.kind)}
            description={sent === null ? undefined : `${pushScopeWords(sent)} products`}
            onClick={act}
          >
            {label}
            {/* Hidden from screen readers, so that the button's accessible name stays its label. */}
            {sent !== null && (
              <span className={`${classes.scope} normal numbers`} aria-hidden>
                {` ${pushScopeWords(sent)}`}
              </span>
            )}
          </HintedButton>
        );
      })}
      {others.length > 0 && (
        <MoreMenu
          variant="default"
          size={34}
          className={classes.more}
          label="More actions"
          title="More actions"
          name="More actions"
          items={others}
        />
      )}
      {overlays}
    </>
  );
}

/** `changed`: absent if the list was not fully compared or if bulk changes of an earlier list are offered. */
function scopeOf({ beforePush, list }: ShownDetails): PushScope | null {
  const scope = beforePush?.scope ?? null;
  const { counts = null, differences = null, recipes = [] } = list ?? {};
  return scope && counts && !differences && recipes.length === 0
    ? { ...scope, changed: counts.new + counts.changed }
    : scope;
}

/** Value of the address parameter that opens the corrections dialog before a file is uploaded. */
const newCorrections = 'new';

function useActs({ record, actions, onPush, onReport, onSupplier }: ActionBarProps) {
  const [opened, setOpened] = useState<'history' | 'deletion' | null>(null);
  const [cancelling, setCancelling] = useState<ShownImport | null>(null);
  const [corrections, setCorrections] = useAddressParam(correctionsParam);
  const [undo, setUndo] = useAddressParam(undoParam);
  const [, openDetails] = useDetailsSection();
  const dryRun = useDryRun(record.id);
  const [planView] = usePlanView();
  const navigate = useNavigate();
  const acts: Record<Exclude<PageAction['kind'], 'action'>, () => unknown> = {
    cancel: () => setCancelling(record),
    delete: () => setOpened('deletion'),
    report: onReport,
    testStore: actions.storeTest.start,
    dryRun: dryRun.start,
    updateImages: actions.imageUpdate.start,
    applyRules: actions.applyRules,
    askAi: () => openDetails('ask-ai'),
    supplier: onSupplier,
    history: () => setOpened('history'),
    corrections: () => setCorrections(newCorrections),
    drafts: () => record.draftsUrl !== null && openDrafts(record.draftsUrl),
    undoPush: () => setUndo('push'),
    fix: () => navigate(needsYouRowsPath(record.id), { state: fixLinkState, preventScrollReset: true }),
  };
  const loading: Partial<Record<PageAction['kind'], boolean>> = {
    testStore: actions.storeTest.isPending,
    dryRun: dryRun.isPending && !dryRun.shown,
    updateImages: actions.imageUpdate.isPending,
  };
  const close = () => setOpened(null);
  return {
    act: (action: PageAction) => {
      if (action.kind !== 'action') acts[action.kind]();
      else if (action.action === 'push') onPush();
      else actions.run(action.action);
    },
    /** Other actions change the import's status before the reply, so their buttons need no loading state. */
    isLoading: (kind: PageAction['kind']) => loading[kind],
    overlays: (
      <>
        <DryRun importId={record.id} dryRun={dryRun} isCovered={planView !== null}>
          <StorePlan record={record} />
        </DryRun>
        <ViewDrawer opened={opened === 'history'} title="History" width={520} onClose={close}>
          <Commands record={record} />
        </ViewDrawer>
        <CorrectionsDialog
          importId={record.id}
          corrections={corrections === newCorrections ? null : corrections}
          lock={editLockReason(record)}
          opened={corrections !== null}
          onUploaded={(id) => setCorrections(id ?? newCorrections)}
          onClose={() => setCorrections(null)}
        />
        <UndoDialog
          importId={record.id}
          filename={record.filename}
          opened={undo !== null}
          onClose={() => setUndo(null)}
        />
        <DeleteImport record={record} opened={opened === 'deletion'} onClose={close} />
        <CancelImportDialog
          record={cancelling}
          onConfirm={() => cancelling !== null && actions.cancel(cancelling)}
          onClose={() => setCancelling(null)}
        />
      </>
    ),
  };
}

type DeleteImportProps = { record: ShownDetails; opened: boolean; onClose: () => void };

function DeleteImport({ record, opened, onClose }: DeleteImportProps) {
  const deletion = useCall('deleteImport', {
    params: { id: record.id },
    failed: 'Couldn’t delete the import',
    done: () => ({ title: 'Deleting the import', text: `${record.filename} is being deleted.` }),
    // Removes the import from the lists before the reply. If the call is refused, the import returns.
    assume: (client) => hideImport(client, record.id),
  });
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      opened={opened}
      title="Delete this import?"
      confirm="Delete Import"
      keep="Keep Import"
      onConfirm={() => deletion.mutate({}, { onSuccess: () => navigate(queuePath) })}
      onClose={onClose}
    >
      <p>
        The rows, edits and report of {record.filename} are deleted now, and its file within two days. This
        can’t be undone.
      </p>
      {record.list?.supplier && <p>{carriedWords(record.list)}</p>}
      <p>{storeWords(record)}</p>
    </ConfirmDialog>
  );
}

const carriedWords = ({ isNamed, supplier }: SupplierList) =>
  `Your changes to single products are kept for ${isNamed && supplier ? supplier.name : 'the supplier'}’s next list.`;

/** Describes the products in the store, which another import of the same file would update. */
function storeWords({ createdProducts, shop }: Pick<ShownImport, 'createdProducts' | 'shop'>): string {
  if (createdProducts === 0) return 'You can upload the file again.';
  const products = countOf(createdProducts, 'product');
  const store = shop ?? 'the store';
  const [stay, they] = createdProducts === 1 ? ['stays', 'it is'] : ['stay', 'they are'];
  return `${products} of this import ${stay} in ${store}. If you upload the file again, ${they} updated, not created twice.`;
}

function Commands({ record }: { record: ShownImport }) {
  const pages = useCommandPages(record.id);
  return (
    <ReadView of={pages} what="the history" meanwhile={<Skeletons gap="sm" heights={[64, 64, 64]} />}>
      {(data) => {
        const commands = data.pages.flatMap((page) => page.commands);
        if (commands.length === 0)
          return (
            <EmptyState>
              <Text fw={600}>No changes yet</Text>
              <QuietText>
                Every edit of these rows will be listed here, with who made it and when. You can undo each of
                them.
              </QuietText>
            </EmptyState>
          );
        return (
          <>
            <ol className={`list ${editsClasses.list}`} aria-label="Changes of this import">
              {commands.map((command) => (
                <CommandLine key={command.id} record={record} command={command} />
              ))}
            </ol>
            {pages.hasNextPage && (
              <PlainButton loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
                Show Older Changes
              </PlainButton>
            )}
          </>
        );
      }}
    </ReadView>
  );
}

const busyWords: Partial<Record<Command['state'], string>> = {
  applying: ' · being applied',
  undoing: ' · being undone',
};

const busyReasons: Partial<Record<Command['state'], string>> = {
  applying: 'This change is still being applied. You can stop it in the bar above the rows.',
  undoing: 'Still being undone.',
};

function CommandLine({ record, command }: { record: ShownImport; command: Command }) {
  const { sentence, author, at, rows, leftCells, leftRows, state, undo } = command;
  const takeBack = useUndoButton(record.id, command);
  const label = undo === null ? 'Undo' : 'Redo';
  return (
    <li className="flex gap-sm top between pad-y-xs line-below" data-undone={undo !== null || undefined}>
      <div className="break-words">
        <BodyText dir="auto" className={`strong ${editsClasses.sentence}`}>
          {sentence}
        </BodyText>
        <SmallText className="numbers">
          {authorWords[author]} · <RelativeTime time={at} />
          {rows > 0 && ` · ${countOf(rows, 'row')}`}
          {busyWords[state]}
        </SmallText>
        {unchangedCellSentences(leftCells, leftRows).map((words) => (
          <SmallText key={words} className="numbers">
            {words}
          </SmallText>
        ))}
        {undo !== null && (
          <Text size="xs" className="warning numbers">
            Undone: {authorWords[undo.author]} · <RelativeTime time={undo.at} />
            {undo.left > 0 && ` · ${describeUnchangedCount(undo.left)}`}
          </Text>
        )}
      </div>
      <PlainHintedButton
        className="rigid"
        reason={busyReasons[state] ?? editLockReason(record)}
        aria-label={`${label}: ${sentence}`}
        {...takeBack}
      >
        {label}
      </PlainHintedButton>
    </li>
  );
}
