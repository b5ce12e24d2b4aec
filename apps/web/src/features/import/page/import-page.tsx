import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { Group, Skeleton, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Suspense, use, useState } from 'react';
import { Link, type ShouldRevalidateFunctionArgs, useParams } from 'react-router';
import { CallError } from '../../../api/call.ts';
import { loaderOf } from '../../../api/loader.ts';
import { countOf } from '../../../lib/intl.ts';
import { lazily } from '../../../lib/load-chunk.ts';
import { Button } from '../../../ui/button.tsx';
import { AsOf } from '../../../ui/feedback/as-of.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { LeaveGuard } from '../../../ui/feedback/leave-guard.tsx';
import { FrameContext } from '../../../ui/frame.ts';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import { useNarrow } from '../../../ui/hooks/use-narrow.ts';
import { useOpenReport } from '../../../ui/hooks/use-report-path.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { CommandNotices } from '../bulk-edit/command-notices.tsx';
import { lossesOf } from '../cells/composition.ts';
import { CurrencyDialog, useCurrencyGate } from '../cells/currency-gate.tsx';
import { heldWords } from '../cells/currency-words.ts';
import { OriginLabel } from '../cells/import-cells.tsx';
import { pushLabel } from '../cells/push-words.ts';
import { StatusBadge } from '../cells/status-badge.tsx';
import classes from '../import.module.css';
import { importRead, type ShownImport, useImport } from '../imports-api.ts';
import { FieldHeads } from '../mapping/field-heads.tsx';
import { FieldMapping } from '../mapping/field-mapping.tsx';
import type { RereadChange } from '../mapping/reread-api.ts';
import { InStoreSection } from '../plan/in-store-section.tsx';
import { ProductDialogs } from '../product/product-dialogs.tsx';
import { ReportInUrl } from '../report/report-in-url.tsx';
import { ProductPreview } from '../rows/product-preview.tsx';
import { useRowDrafts } from '../rows/row-edit.ts';
import { SkipToRows } from '../rows/skip-to-rows.tsx';
import { ActionBar } from './action-bar.tsx';
import { BeforePushList } from './before-push-list.tsx';
import { ImportNotices } from './import-notices.tsx';
import { StatusStrip } from './status-strip.tsx';
import { usePageActions } from './use-page-actions.ts';

const LookupsPanel = lazily(() => import('../lookups/lookups-panel.tsx').then((chunk) => chunk.LookupsPanel));
const ProposalsPanel = lazily(() =>
  import('../proposals/proposals-panel.tsx').then((chunk) => chunk.ProposalsPanel),
);

const FormerReading = lazily(() =>
  import('../mapping/former-reading.tsx').then((chunk) => chunk.FormerReading),
);

const PushUndo = lazily(() => import('../undo/push-undo.tsx').then((chunk) => chunk.PushUndo));

const AskAiPanel = lazily(() => import('../proposals/ask-ai-panel.tsx').then((chunk) => chunk.AskAiPanel));

export function Component() {
  const { importId = '' } = useParams();
  // Another import is another page: nothing may stay of the one before.
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
  const gate = useCurrencyGate();
  const [former, setFormer] = useState<RereadChange | null>(null);
  const unsaved = drafts.unsaved.length;
  const { beforePush } = reading;
  const { scope, facts, open } = beforePush ?? nothingKnown;
  const push = () => {
    if (record !== undefined && !actions.isBusy) gate.push([record], () => actions.run('push'));
  };
  const canPlan = record !== undefined && isPlannable(record, beforePush);
  // On a phone, rows that need the operator come before the plan; once none does, nothing moves.
  const needsOperator = record?.status === 'queued' && open > 0;
  const isRowsFirst = useEver(useNarrow() && needsOperator);
  // An asking that began elsewhere is shown too. The panel stays with its result until the operator closes it.
  const isAsked = useEver(reading.tasks.some(({ label }) => label === taskLabel('ask-ai')));
  const [askCalls, setAskCalls] = useState<number | 'closed'>(0);
  const openAsking = () => setAskCalls((calls) => (calls === 'closed' ? 1 : calls + 1));
  const closeAsking = () => {
    setAskCalls('closed');
    document.querySelector<HTMLElement>('h1')?.focus();
  };
  // Once shown it stays, so that the last decision can be seen and undone.
  const showsProposals = useEver(reading.proposals.count > 0);
  return (
    <div className={classes.page}>
      {record?.isUnreadable === false && <SkipToRows />}
      <title>{`${record?.filename ?? 'Import'} · Draftshelf`}</title>
      <PageHeader
        above={<BackToQueue />}
        title={record?.filename ?? 'Import'}
        isFile
        subtitle={record === undefined ? <span /> : <Subtitle record={record} reading={reading.reading} />}
      >
        {record !== undefined && (
          <ActionBar
            {...{ record, actions, unsaved, scope, open }}
            onPush={push}
            onReport={openReport}
            onAskAi={openAsking}
          />
        )}
      </PageHeader>
      {record === undefined && reading.pending && <PageSkeleton />}
      {record === undefined && !reading.pending && (
        <LoadError error={reading.error} onRetry={() => reading.refetch()} />
      )}
      {record !== undefined && (
        <>
          <ImportNotices
            record={record}
            beforePush={beforePush}
            isBusy={actions.isBusy}
            onRetry={() => actions.run('retry')}
          />
          {former !== null && (
            <Suspense fallback={null}>
              <FormerReading record={record} former={former} onRestored={() => setFormer(null)} />
            </Suspense>
          )}
          {!record.isUnreadable && (
            <>
              <StatusStrip
                record={record}
                tasks={reading.tasks}
                beforePush={beforePush}
                undone={reading.undone}
              />
              {record.shop !== null && (
                <Suspense fallback={null}>
                  <PushUndo record={record} hasSection={canPlan} />
                </Suspense>
              )}
              <CommandNotices
                importId={record.id}
                tasks={reading.tasks}
                readMs={reading.reading.dataUpdatedAt}
              />
              <FieldMapping
                record={record}
                mappingSet={reading.mappingSet}
                namesMissing={!facts.some(({ kind }) => kind === 'no-column')}
                onReread={setFormer}
              />
              {askCalls !== 'closed' && (askCalls > 0 || isAsked) && (
                <Suspense fallback={null}>
                  <AskAiPanel record={record} calls={askCalls} onClose={closeAsking} />
                </Suspense>
              )}
              <BeforePushList
                key={`${record.startedAt} ${record.completedAt}`}
                record={record}
                facts={facts}
                imageUpdate={actions.imageUpdate}
                onPush={push}
                onAskAi={openAsking}
                onReread={setFormer}
              />
              {!isRowsFirst && <InStoreSection record={record} isPlannable={canPlan} />}
              <ProductDialogs key={record.id} record={record}>
                <FieldHeads record={record} onReread={setFormer}>
                  <ProductPreview
                    record={record}
                    open={open}
                    hasRows={reading.hasRows}
                    drafts={drafts}
                    offer={canOffer(record, unsaved) ? { label: pushLabel(scope), push } : null}
                  />
                </FieldHeads>
              </ProductDialogs>
              {isRowsFirst && <InStoreSection record={record} isPlannable={canPlan} />}
            </>
          )}
          {reading.enrichment !== null && (
            <Suspense fallback={null}>
              <LookupsPanel key={record.id} record={record} enrichment={reading.enrichment} />
            </Suspense>
          )}
          {showsProposals && (
            <Suspense fallback={null}>
              <ProposalsPanel key={record.id} record={record} proposals={reading.proposals} />
            </Suspense>
          )}
          <CurrencyDialog gate={gate} />
          <ReportInUrl onAction={(action) => actions.run(action)} />
        </>
      )}
      <LeaveGuard isDirty={unsaved > 0} title={`Discard ${countOf(unsaved, 'unsaved row')}?`}>
        What you have typed into {unsaved === 1 ? 'this row' : 'these rows'} hasn’t been saved.
      </LeaveGuard>
    </div>
  );
}

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

type SubtitleProps = { record: ShownImport; reading: ReturnType<typeof useImport>['reading'] };

function Subtitle({ record, reading }: SubtitleProps) {
  // In the bar the file's name needs the room: the strip below counts the products.
  const { roomy } = use(FrameContext);
  return (
    <Group gap="xs">
      {!roomy && <span className="numbers">{countOf(record.totalProducts, 'product')}</span>}
      <StatusBadge status={record.status} losses={lossesOf(record)} isUndoing={record.isUndoing} />
      <OriginLabel record={record} />
      <AsOf reading={reading} />
    </Group>
  );
}

/** The page in its final shape, while it loads. */
function PageSkeleton() {
  return (
    <div className={classes.page} aria-hidden>
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
