import type { PrePushFacts } from '@draftshelf/contract/imports/before-push';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link, type ShouldRevalidateFunctionArgs, useParams } from 'react-router';
import { CallError } from '../../../api/call.ts';
import { createLoader } from '../../../api/query-client.ts';
import { countOf } from '../../../lib/intl.ts';
import { BodyText, Button, SubtleButton, TextButton } from '../../../ui/basics.tsx';
import { LeaveGuard } from '../../../ui/feedback/confirm.tsx';
import { ErrorPanel, Skeletons } from '../../../ui/feedback/read.tsx';
import { LastReadTime } from '../../../ui/hint.tsx';
import { useOpenReport } from '../../../ui/hooks.ts';
import { later, lazyOverlay } from '../../../ui/later.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { CommandNotices } from '../bulk-edit/command-notices.tsx';
import classes from '../import.module.css';
import { importRead, type ShownDetails, type ShownImport, useImport } from '../imports-api.ts';
import { SupplierDialog } from '../list/supplier-dialog.tsx';
import { FieldHeads } from '../mapping/field-heads.tsx';
import type { RereadChange } from '../mapping/mapping-api.ts';
import { ProductDialogs } from '../product/product-dialogs.tsx';
import { ReportInUrl } from '../report/report-drawer.tsx';
import { ProductPreview, SkipToRowsLink } from '../rows/product-preview.tsx';
import { useRowDrafts } from '../rows/row-edit.ts';
import { useDetailsSection } from '../rows-address.ts';
import { lossesOf } from '../status/composition.tsx';
import { CurrencyDialog, countOpenQuestions, useCurrencyGate } from '../status/currency-gate.tsx';
import { OriginLabel } from '../status/import-cells.tsx';
import { StatusBadge } from '../status/status-look.tsx';
import { ActionBar } from './action-bar.tsx';
import { FileFacts, ImportHead } from './import-head.tsx';
import { ImportFailure } from './import-notices.tsx';
import { FirstOpenItem, findOpenItems, findSectionToAnswer } from './open-line.tsx';
import { type PageActions, usePageActions } from './page-actions.ts';

const DetailsSections = later(() => import('./details-sections.tsx'), 'DetailsSections');
const RecipesDrawer = lazyOverlay(() => import('../recipes/recipes-drawer.tsx'), 'RecipesDrawer');

export function Component() {
  const { importId = '' } = useParams();
  // The key resets all state when the operator opens another import.
  return <ImportScreen key={importId} id={importId} />;
}

Component.loader = createLoader(({ params: { importId = '' } }) => [importRead(importId)]);

/** Does not reload the import when only the filter or the page of rows in the URL changes. */
Component.shouldRevalidate = ({ currentParams, nextParams }: ShouldRevalidateFunctionArgs) =>
  currentParams.importId !== nextParams.importId;

function ImportScreen({ id }: { id: string }) {
  const reading = useImport(id);
  const record = reading.data?.job;
  const drafts = useRowDrafts(id);
  const actions = usePageActions(id, record);
  const openReport = useOpenReport(id);
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
  return (
    <div className={`stack ${classes.page} gap-6`}>
      {record?.isUnreadable === false && <SkipToRowsLink />}
      <title>{`${record?.filename ?? 'Import'} · Draftshelf`}</title>
      <PageHeader
        above={
          <div>
            <SubtleButton
              component={Link}
              to="/queue"
              color="gray"
              size="compact-md"
              icon={IconArrowLeft}
              title="Back to Queue"
            >
              <span className={classes.backWords}>Back to Queue</span>
            </SubtleButton>
          </div>
        }
        title={record?.filename ?? 'Import'}
        isFile
        subtitle={
          record === undefined ? (
            <span />
          ) : (
            <Group gap="xs">
              <StatusBadge
                status={record.status}
                losses={lossesOf(record)}
                isUndoing={record.isUndoing}
                questions={countOpenQuestions(record)}
              />
              <OriginLabel record={record} />
              {record.list?.isNamed && record.list.supplier !== null && (
                <TextButton color="gray" aria-haspopup="dialog" onClick={openSupplier}>
                  from&nbsp;<strong dir="auto">{record.list.supplier.name}</strong>
                </TextButton>
              )}
              <LastReadTime reading={reading} />
            </Group>
          )
        }
      >
        {record !== undefined && (
          <ActionBar
            {...{ record, actions, unsaved }}
            onPush={push}
            onReport={openReport}
            onSupplier={openSupplier}
          />
        )}
      </PageHeader>
      {record !== undefined && (
        <>
          <ImportFailure record={record} isBusy={actions.isBusy} onRetry={() => actions.run('retry')} />
          {!record.isUnreadable && (
            <ReadableSections
              {...{ record, drafts, actions, push }}
              readMs={reading.dataUpdatedAt}
              onSupplier={openSupplier}
              onRecipes={() => recipes.open(null)}
            />
          )}
          <ReportInUrl onAction={(action) => actions.run(action)} />
        </>
      )}
      {record === undefined && reading.isPending && <Skeletons gap={6} heights={[56, 38, 36, 640]} />}
      {record === undefined && !reading.isPending && (
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

/** The state of the recipes drawer. If a push opened the drawer, skipping the recipes continues that push. */
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

type SectionsProps = {
  record: ShownDetails;
  /** Time of the last read, in milliseconds. */
  readMs: number;
  drafts: ReturnType<typeof useRowDrafts>;
  actions: PageActions;
  push: () => void;
  onSupplier: () => void;
  onRecipes: () => void;
};

function ReadableSections({ record, readMs, drafts, actions, push, onSupplier, onRecipes }: SectionsProps) {
  const { beforePush, tasks } = record;
  const [former, setFormer] = useState<RereadChange | null>(null);
  const [section] = useDetailsSection();
  const open = {
    ...{ record, former, onSupplier, onRecipes },
    imageUpdate: actions.imageUpdate,
    onPush: push,
    onReread: setFormer,
    onRestored: () => setFormer(null),
  };
  const items = findOpenItems(record, beforePush, former !== null);
  const [first, ...others] = items;
  const isPlannable = canPlan(record, beforePush);
  return (
    <>
      <ImportHead
        {...{ record, isPlannable }}
        isOpen={first !== undefined}
        toAnswer={findSectionToAnswer(items)}
      >
        {first !== undefined && <FirstOpenItem {...open} items={[first, ...others]} />}
        <CommandNotices
          importId={record.id}
          tasks={tasks}
          readMs={readMs}
          otherwise={first === undefined && <FileFacts record={record} />}
        />
      </ImportHead>
      {section !== null && <DetailsSections {...{ section, isPlannable }} {...open} />}
      <ProductDialogs record={record}>
        <FieldHeads record={record} onReread={setFormer}>
          <ProductPreview record={record} drafts={drafts} />
        </FieldHeads>
      </ProductDialogs>
    </>
  );
}

/** True if a push can be planned. `beforePush`: null if no push can begin. */
const canPlan = ({ status, failedIn }: ShownImport, beforePush: PrePushFacts | null): boolean =>
  beforePush !== null || (failedIn === 'push' && canDo('plan', status));

function LoadError({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const unknown = error instanceof CallError && error.status === 404;
  return (
    <ErrorPanel
      title="Job not found or failed to load details."
      cause={error === null ? null : `Failed to fetch job details: ${error.message}`}
    >
      <BodyText>
        {unknown
          ? 'This import doesn’t exist. Open it from the queue instead.'
          : 'Check that the server is running, then try again.'}
      </BodyText>
      {!unknown && <Button onClick={onRetry}>Try Again</Button>}
    </ErrorPanel>
  );
}
