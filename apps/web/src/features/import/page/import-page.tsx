import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import type { Task } from '@draftshelf/contract/imports/imports';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { Group, Skeleton, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { use, useRef, useState } from 'react';
import { Link, type ShouldRevalidateFunctionArgs, useParams } from 'react-router';
import { CallError } from '../../../api/call.ts';
import { loaderOf } from '../../../api/loader.ts';
import { countOf } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { AsOf } from '../../../ui/feedback/as-of.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { LeaveGuard } from '../../../ui/feedback/leave-guard.tsx';
import { FrameContext } from '../../../ui/frame.ts';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import { useNarrow } from '../../../ui/hooks/use-narrow.ts';
import { useOpenReport } from '../../../ui/hooks/use-report-path.ts';
import { later, overlay } from '../../../ui/later.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { CommandNotices } from '../bulk-edit/command-notices.tsx';
import classes from '../import.module.css';
import { importRead, type ShownDetails, type ShownImport, useImport } from '../imports-api.ts';
import { FieldHeads } from '../mapping/field-heads.tsx';
import { FieldMapping } from '../mapping/field-mapping.tsx';
import type { RereadChange } from '../mapping/reread-api.ts';
import { type OnReread, rereadBlock } from '../mapping/reread-rules.ts';
import { Notice } from '../notice.tsx';
import { InStoreSection } from '../plan/in-store-section.tsx';
import { ProductDialogs } from '../product/product-dialogs.tsx';
import { ReportInUrl } from '../report/report-in-url.tsx';
import { ProductPreview } from '../rows/product-preview.tsx';
import { useRowDrafts } from '../rows/row-edit.ts';
import { SkipToRows } from '../rows/skip-to-rows.tsx';
import { lossesOf } from '../status/composition.ts';
import { CurrencyDialog, useCurrencyGate } from '../status/currency-gate.tsx';
import { heldWords } from '../status/currency-words.ts';
import { OriginLabel } from '../status/import-cells.tsx';
import { type PushScope, pushLabel } from '../status/import-labels.ts';
import { StatusBadge } from '../status/status-badge.tsx';
import { ActionBar } from './action-bar.tsx';
import { BeforePushList } from './before-push-list.tsx';
import { ImportNotices } from './import-notices.tsx';
import { StatusStrip } from './status-strip.tsx';
import { type PageActions, usePageActions } from './use-page-actions.ts';

const LookupsPanel = later(() => import('../lookups/lookups-panel.tsx').then((chunk) => chunk.LookupsPanel));
const ProposalsPanel = later(() =>
  import('../proposals/proposals-panel.tsx').then((chunk) => chunk.ProposalsPanel),
);
const FormerReading = later(() =>
  import('../mapping/former-reading.tsx').then((chunk) => chunk.FormerReading),
);
const PushUndo = later(() => import('../undo/push-undo.tsx').then((chunk) => chunk.PushUndo));
const ListStrip = later(
  () => import('../list/list-strip.tsx').then((chunk) => chunk.ListStrip),
  ({ list }) => list.counts !== null && <section className={`${classes.strip} ${classes.listStrip}`} />,
);
const PicturesStrip = later(() =>
  import('../pictures/pictures-strip.tsx').then((chunk) => chunk.PicturesStrip),
);
const ListQuestion = later(() => import('../list/list-question.tsx').then((chunk) => chunk.ListQuestion));
const SupplierDialog = overlay(() =>
  import('../list/supplier-dialog.tsx').then((chunk) => chunk.SupplierDialog),
);
const RecipesNotice = later(() =>
  import('../recipes/recipes-notice.tsx').then((chunk) => chunk.RecipesNotice),
);
const RecipesDrawer = overlay(() =>
  import('../recipes/recipes-drawer.tsx').then((chunk) => chunk.RecipesDrawer),
);
const AskAiPanel = later(() => import('../proposals/ask-ai-panel.tsx').then((chunk) => chunk.AskAiPanel));

export function Component() {
  const { importId = '' } = useParams();
  // Another import is another page: no state may remain.
  return <ImportScreen key={importId} id={importId} />;
}

Component.loader = loaderOf(({ params: { importId = '' } }) => [importRead(importId)]);

/** Filters and pages of rows are in the URL too. Changing them must not reload the import. */
Component.shouldRevalidate = ({ currentParams, nextParams }: ShouldRevalidateFunctionArgs) =>
  currentParams.importId !== nextParams.importId;

function ImportScreen({ id }: { id: string }) {
  const reading = useImport(id);
  const { record } = reading;
  const drafts = useRowDrafts();
  const actions = usePageActions(id, reading);
  const openReport = useOpenReport(id);
  const asking = useAskingPanel(reading.tasks);
  const [isSupplierOpen, setSupplierOpen] = useState(false);
  const openSupplier = () => setSupplierOpen(true);
  const gate = useCurrencyGate();
  const recipes = useRecipesDrawer();
  const pushNow = () => record !== undefined && gate.push([record], () => actions.run('push'));
  const push = () => {
    if (record === undefined || actions.isBusy) return;
    if (record.list?.asksRecipes) recipes.open(pushNow);
    else pushNow();
  };
  const unsaved = drafts.unsaved.length;
  const { open } = reading.beforePush ?? nothingKnown;
  const scope = scopeOf(reading);
  return (
    <div className={`stack ${classes.page}`}>
      {record?.isUnreadable === false && <SkipToRows />}
      <title>{`${record?.filename ?? 'Import'} · Draftshelf`}</title>
      <PageHeader
        above={<BackToQueue />}
        title={record?.filename ?? 'Import'}
        isFile
        subtitle={
          record === undefined ? (
            <span />
          ) : (
            <Subtitle record={record} reading={reading.reading} onSupplier={openSupplier} />
          )
        }
      >
        {record !== undefined && (
          <ActionBar
            {...{ record, actions, unsaved, scope, open }}
            onPush={push}
            onReport={openReport}
            onAskAi={asking.open}
            onSupplier={openSupplier}
          />
        )}
      </PageHeader>
      {record !== undefined && (
        <Sections
          {...{ record, reading, drafts, actions, asking, push }}
          onSupplier={openSupplier}
          onRecipes={() => recipes.open(null)}
        />
      )}
      {record === undefined && reading.pending && <PageSkeleton />}
      {record === undefined && !reading.pending && (
        <LoadError error={reading.error} onRetry={() => reading.refetch()} />
      )}
      <CurrencyDialog gate={gate} />
      <RecipesDrawer importId={id} {...recipes.drawer} />
      {record?.list && (
        <SupplierDialog
          importId={id}
          list={record.list}
          opened={isSupplierOpen}
          onClose={() => setSupplierOpen(false)}
        />
      )}
      <LeaveGuard isDirty={unsaved > 0} title={`Discard ${countOf(unsaved, 'unsaved row')}?`}>
        What you have typed into {unsaved === 1 ? 'this row' : 'these rows'} hasn’t been saved.
      </LeaveGuard>
    </div>
  );
}

/** The drawer of what was done to earlier lists. A push that waits for the answer goes on if nothing is done again. */
function useRecipesDrawer() {
  const [opened, setOpened] = useState(false);
  const waiting = useRef<(() => void) | null>(null);
  const onClose = () => setOpened(false);
  return {
    open: (push: (() => void) | null) => {
      waiting.current = push;
      setOpened(true);
    },
    drawer: {
      ...{ opened, onClose },
      onSkipped: () => {
        onClose();
        waiting.current?.();
      },
    },
  };
}

/** The panel that asks AI. It stays with its result until the operator closes it. */
function useAskingPanel(tasks: readonly Task[]) {
  const [calls, setCalls] = useState<number | 'closed'>(0);
  // An asking that began elsewhere is shown too.
  const wasAsking = useEver(tasks.some(({ label }) => label === taskLabel('ask-ai')));
  return {
    /** How often the operator has opened the panel; null: it is not shown. */
    calls: calls === 'closed' || (calls === 0 && !wasAsking) ? null : calls,
    open: () => setCalls((before) => (before === 'closed' ? 1 : before + 1)),
    close: () => setCalls('closed'),
  };
}

type SectionsProps = {
  record: ShownDetails;
  reading: ReturnType<typeof useImport>;
  drafts: ReturnType<typeof useRowDrafts>;
  actions: PageActions;
  asking: ReturnType<typeof useAskingPanel>;
  push: () => void;
  /** Opens the choice of the supplier. */
  onSupplier: () => void;
  /** Opens what was done to earlier lists. */
  onRecipes: () => void;
};

/** The page below its header. */
function Sections(props: SectionsProps) {
  const { record, reading, actions } = props;
  const { beforePush, enrichment, proposals } = reading;
  const [former, setFormer] = useState<RereadChange | null>(null);
  // Once shown they stay, so that the last decision can be seen and undone.
  const hadProposals = useEver(proposals.count > 0);
  return (
    <>
      <ImportNotices
        record={record}
        beforePush={beforePush}
        isBusy={actions.isBusy}
        onRetry={() => actions.run('retry')}
      />
      {record.list?.asked && (
        <ListQuestion
          importId={record.id}
          asked={record.list.asked}
          lock={rereadBlock(record)}
          onOther={props.onSupplier}
        />
      )}
      {record.list && record.list.recipes.length > 0 && canDo('review', record.status) && (
        <RecipesNotice record={record} list={record.list} onOpen={props.onRecipes} />
      )}
      {former !== null && (
        <FormerReading record={record} former={former} onRestored={() => setFormer(null)} />
      )}
      {!record.isUnreadable && <ReadableSections {...props} onReread={setFormer} />}
      {enrichment !== null && <LookupsPanel record={record} enrichment={enrichment} />}
      {hadProposals && <ProposalsPanel record={record} proposals={proposals} />}
      <ReportInUrl onAction={(action) => actions.run(action)} />
    </>
  );
}

type ReadableProps = SectionsProps & { onReread: OnReread };

/** What is known of the file, of its push, and its rows. */
function ReadableSections({ record, reading, drafts, actions, asking, push, onReread }: ReadableProps) {
  const { beforePush, tasks } = reading;
  const { facts, open } = beforePush ?? nothingKnown;
  const canPlan = isPlannable(record, beforePush);
  // On a phone, rows that need the operator come before the plan; once none does, nothing moves.
  const isRowsFirst = useEver(useNarrow() && record.status === 'queued' && open > 0);
  const inStore = <InStoreSection record={record} isPlannable={canPlan} />;
  return (
    <>
      <StatusStrip record={record} tasks={tasks} beforePush={beforePush} undone={reading.undone} />
      {record.shop !== null && <PushUndo record={record} hasSection={canPlan} />}
      <CommandNotices importId={record.id} tasks={tasks} readMs={reading.reading.dataUpdatedAt} />
      <FieldMapping
        record={record}
        mappingSet={reading.mappingSet}
        namesMissing={!facts.some(({ kind }) => kind === 'no-column')}
        isPartial={reading.isPartial}
        onReread={onReread}
      />
      {reading.pictures > 0 && <PicturesStrip importId={record.id} />}
      {asking.calls !== null && <AskAiPanel record={record} calls={asking.calls} onClose={asking.close} />}
      <BeforePushList
        key={`${record.startedAt} ${record.completedAt}`}
        record={record}
        facts={facts.filter(({ kind }) => !isSaidElsewhere(record, kind))}
        imageUpdate={actions.imageUpdate}
        onPush={push}
        onAskAi={asking.open}
        onReread={onReread}
      />
      {record.list !== null && <ListOrWhyNot record={record} list={record.list} onReread={onReread} />}
      {!isRowsFirst && inStore}
      <ProductDialogs record={record}>
        <FieldHeads record={record} onReread={onReread}>
          <ProductPreview
            record={record}
            open={open}
            hasRows={reading.hasRows}
            drafts={drafts}
            offer={
              canOffer(record, drafts.unsaved.length) ? { label: pushLabel(scopeOf(reading)), push } : null
            }
          />
        </FieldHeads>
      </ProductDialogs>
      {isRowsFirst && inStore}
    </>
  );
}

/** What differs from the earlier list, or why it was not compared with one. */
function ListOrWhyNot(props: Parameters<typeof ListStrip>[0]) {
  const { counts, isPartial, notCompared } = props.list;
  if (counts !== null || isPartial) return <ListStrip {...props} />;
  return notCompared !== null && <Notice>{notCompared}</Notice>;
}

/**
 * What a push sends. Of a list that was compared in all fields it is known what differs, also before its plan, unless
 * the changes of many rows of the list before are missing in it: without them all those rows differ.
 */
function scopeOf({ record, beforePush }: ReturnType<typeof useImport>): PushScope | null {
  const scope = beforePush?.scope ?? null;
  const { counts = null, differences = null, recipes = [] } = record?.list ?? {};
  return scope && counts && !differences && recipes.length === 0
    ? { ...scope, changed: counts.new + counts.changed }
    : scope;
}

/** Facts that the strip of a compared list, or a notice, says with their answers. */
const saidByStrip: readonly string[] = ['late-list', 'cut-off-list'];
const isSaidElsewhere = ({ list }: ShownDetails, kind: string): boolean =>
  kind === 'recipes' || (list?.counts != null && saidByStrip.includes(kind));

const nothingKnown: BeforePush = { facts: [], scope: null, open: 0 };

/** Whether a push or its retry can be planned. `beforePush`: null while no push can begin. */
function isPlannable({ status, failedIn }: ShownImport, beforePush: BeforePush | null): boolean {
  return beforePush !== null || (failedIn === 'push' && canDo('plan', status));
}

/** Whether the rows offer the push that the bar offers. */
function canOffer(record: ShownImport, unsaved: number): boolean {
  const { status, autoPushAt } = record;
  return canDo('review', status) && autoPushAt === null && heldWords(record) === null && unsaved === 0;
}

function BackToQueue() {
  return (
    <div>
      <Button
        component={Link}
        to="/queue"
        variant="subtle"
        color="gray"
        size="compact-md"
        leftSection={<IconArrowLeft size={16} aria-hidden />}
        title="Back to Queue"
      >
        <span className={classes.backWords}>Back to Queue</span>
      </Button>
    </div>
  );
}

type SubtitleProps = {
  record: ShownDetails;
  reading: ReturnType<typeof useImport>['reading'];
  onSupplier: () => void;
};

function Subtitle({ record, reading, onSupplier }: SubtitleProps) {
  // In the bar the file's name needs the room: the strip below counts the products.
  const { roomy } = use(FrameContext);
  return (
    <Group gap="xs">
      {!roomy && <span className="numbers">{countOf(record.totalProducts, 'product')}</span>}
      <StatusBadge status={record.status} losses={lossesOf(record)} isUndoing={record.isUndoing} />
      <OriginLabel record={record} />
      {record.list?.isNamed && record.list.supplier !== null && (
        <Button size="compact-sm" variant="subtle" color="gray" aria-haspopup="dialog" onClick={onSupplier}>
          from&nbsp;<strong dir="auto">{record.list.supplier.name}</strong>
        </Button>
      )}
      <AsOf reading={reading} />
    </Group>
  );
}

/** The page in its final shape, while it loads. */
function PageSkeleton() {
  return (
    <div className={`stack ${classes.page}`} aria-hidden>
      <Skeleton height={56} />
      <Skeleton height={38} />
      <Skeleton height={36} />
      <Skeleton height={640} />
    </div>
  );
}

function LoadError({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const unknown = error instanceof CallError && error.status === 404;
  return (
    <ErrorPanel
      title="Job not found or failed to load details."
      cause={error === null ? null : `Failed to fetch job details: ${error.message}`}
    >
      <Text size="sm">
        {unknown
          ? 'This import doesn’t exist. Open it from the queue instead.'
          : 'Check that the server is running, then try again.'}
      </Text>
      {!unknown && <Button onClick={onRetry}>Try Again</Button>}
    </ErrorPanel>
  );
}
