import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import type { List } from '@draftshelf/contract/imports/list';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { CloseButton, Code } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { importPath } from '../../../lib/paths.ts';
import { SmallButton } from '../../../ui/button.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { QuietText } from '../../../ui/text.tsx';
import { TitledSection } from '../../../ui/titled-section.tsx';
import { editLock } from '../edits/edit-words.ts';
import classes from '../import.module.css';
import type { ShownDetails, ShownImport, useImport } from '../imports-api.ts';
import { ListStrip } from '../list/list-strip.tsx';
import { LookupsPanel } from '../lookups/lookups-panel.tsx';
import { FieldMapping } from '../mapping/field-mapping.tsx';
import { useTables } from '../mapping/mapping-api.ts';
import { listsWords, noticeWords, tableLine, waitingWords } from '../mapping/mapping-words.ts';
import { FormerReading, rereadBlock } from '../mapping/reread-rules.tsx';
import { Notice } from '../notice.tsx';
import { type PictureCounts, PicturesDrawer, usePictureCounts } from '../pictures/pictures-drawer.tsx';
import { InStoreSection } from '../plan/in-store.tsx';
import { AskAiPanel } from '../proposals/ask-ai-panel.tsx';
import { missedWords } from '../recipes/recipe-words.ts';
import { useDetails } from '../use-details.ts';
import { FactLine } from './fact-action.tsx';
import { detailsButtonId, FileFacts } from './import-head.tsx';
import { AutoNotice, ListQuestion, RereadingNotice, SameFile } from './import-notices.tsx';
import { type OpenLineProps, openItems } from './open-line.tsx';

type DetailsSectionsProps = OpenLineProps & {
  /** The id of the first heading to show. */
  section: string;
  reading: ReturnType<typeof useImport>;
  isPlannable: boolean;
};

export function DetailsSections({ section, reading, isPlannable, ...props }: DetailsSectionsProps) {
  const { record, onReread } = props;
  const { beforePush, enrichment, tasks } = reading;
  const isAsking = tasks.some(({ label }) => label === taskLabel('ask-ai'));
  return (
    <Details section={section}>
      <OpenSection {...props} beforePush={beforePush} />
      <InStoreSection record={record} isPlannable={isPlannable} />
      {record.list !== null && <ListStrip record={record} list={record.list} onReread={onReread} />}
      <FieldMapping
        record={record}
        mappingSet={reading.mappingSet}
        isPartial={reading.isPartial}
        onReread={onReread}
      />
      <FileSection record={record} />
      {reading.pictures > 0 && <PicturesStrip importId={record.id} />}
      {enrichment !== null && <LookupsPanel record={record} enrichment={enrichment} />}
      {(section === 'ask-ai' || isAsking) && <AskAiPanel record={record} />}
    </Details>
  );
}

function OpenSection({ beforePush, ...props }: OpenLineProps & { beforePush: BeforePush | null }) {
  const { record, former, onRestored, onSupplier, onRecipes, onReread, onPush, imageUpdate } = props;
  const { list } = record;
  const items = openItems(record, beforePush, former !== null);
  const hasRecipes = list !== null && list.recipes.length > 0 && canDo('review', record.status);
  const isElsewhere = (kind: string) => kind === 'same-file' || kind === 'complete-list';
  if (!hasRecipes && items.every(({ kind }) => isElsewhere(kind))) return null;
  return (
    <TitledSection
      id="before-push"
      title={canDo('review', record.status) ? 'Before you push' : 'Since the push'}
      gap="xs"
      headClass={classes.sectionHead}
      data-focus-next="#before-push"
    >
      <RereadingNotice record={record} />
      <AutoNotice record={record} beforePush={beforePush} />
      {list?.asked && (
        <ListQuestion
          importId={record.id}
          asked={list.asked}
          lock={rereadBlock(record)}
          onOther={onSupplier}
        />
      )}
      {hasRecipes && <RecipesNotice record={record} list={list} onOpen={onRecipes} />}
      {former !== null && <FormerReading record={record} former={former} onRestored={onRestored} />}
      {items.map(
        (item) =>
          item.kind === 'fact' &&
          item.fact.kind !== 'recipes' && (
            <FactLine
              key={`${item.fact.kind} ${item.fact.field ?? ''}`}
              {...{ record, onPush, onRecipes, onReread, imageUpdate }}
              fact={item.fact}
            />
          ),
      )}
    </TitledSection>
  );
}

function FileSection({ record }: { record: ShownDetails }) {
  const { errorLog, errorCount, sameAs, sameFilename, dialect } = record;
  return (
    <TitledSection id="file" title="File" help="error handling" gap="xs" headClass={classes.sectionHead}>
      <ClassCounts record={record} />
      <FileFacts record={record} />
      {dialect?.table && <FileTables importId={record.id} table={dialect.table} />}
      {(sameAs !== null || sameFilename !== null) && <SameFile record={record} />}
      {errorLog.length > 0 && (
        <details className={classes.details}>
          <summary>Error log ({formatCount(errorCount)})</summary>
          <Code block className={`${classes.log} above-xs break-words`}>
            {errorLog.join('\n')}
          </Code>
        </details>
      )}
    </TitledSection>
  );
}

/** '50 valid · 2 warnings · 1 error', each a link to its rows. */
function ClassCounts({ record }: { record: ShownDetails }) {
  const counts = [
    ['valid', record.validProducts, `${formatCount(record.validProducts)} valid`],
    ['warning', record.warningProducts, countOf(record.warningProducts, 'warning')],
    ['error', record.errorProducts, countOf(record.errorProducts, 'error')],
  ] as const;
  return (
    <p className={`flush strong numbers ${classes.counts}`}>
      {counts.map(([kind, count, words], at) => (
        <Fragment key={kind}>
          {at > 0 && ' · '}
          {count === 0 || kind === 'valid' ? (
            words
          ) : (
            <Link to={`${importPath(record.id)}?class=${kind}`} preventScrollReset data-kind={kind}>
              {words}
            </Link>
          )}
        </Fragment>
      ))}
    </p>
  );
}

type RecipesNoticeProps = { record: ShownImport; list: List; onOpen: () => void };

const RecipesNotice = ({ record, list: { recipes, asksRecipes }, onOpen }: RecipesNoticeProps) => (
  <Notice icon={IconRepeat} tone={asksRecipes ? 'question' : 'neutral'} title="Last time’s changes:">
    {missedWords(recipes)}{' '}
    <ReasonedButton
      size="compact-sm"
      variant="default"
      aria-haspopup="dialog"
      reason={editLock(record)}
      onClick={onOpen}
    >
      Review
    </ReasonedButton>
  </Notice>
);

type DetailsProps = {
  /** The id of the first heading to show. */
  section: string;
  children: ReactNode;
};

/** Esc closes it and returns the focus. */
function Details({ section, children }: DetailsProps) {
  const [, open] = useDetails();
  const panel = useRef<HTMLElement>(null);
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    const heading = panel.current?.querySelector<HTMLElement>(`#${CSS.escape(section)}`);
    heading?.closest('section')?.scrollIntoView({ block: 'start' });
    (heading ?? panel.current)?.focus({ preventScroll: true });
  }, [section]);
  const close = () => {
    const button = document.getElementById(detailsButtonId);
    const next = opener instanceof HTMLElement && opener.matches('button, a') ? opener : button;
    open(null);
    (next?.isConnected ? next : button)?.focus();
  };
  return (
    <aside
      ref={panel}
      className={`${classes.aside} stack line-before gap-0`}
      aria-label="Details"
      tabIndex={-1}
      // Dialogs opened from here close by their own Esc.
      onKeyDown={({ key, target, currentTarget }) => {
        if (key === 'Escape' && currentTarget.contains(target as Node)) close();
      }}
    >
      <div className={`${classes.detailsHead} row between rigid gap-0`}>
        <strong>Details</strong>
        <CloseButton aria-label="Close Details" onClick={close} />
      </div>
      {children}
    </aside>
  );
}

type FileTablesProps = { importId: string; table: NonNullable<NonNullable<ShownImport['dialect']>['table']> };

function FileTables({ importId, table }: FileTablesProps) {
  const { tables, picturesNotice = null } = useTables(importId, true);
  const current = tables.find(({ name }) => name === table.name);
  if (current === undefined) return null;
  const line = tableLine(tables, table);
  const lists = listsWords(tables);
  return (
    <>
      {line !== null && <QuietText>{line}</QuietText>}
      {lists !== null && <Notice>{lists}</Notice>}
      {waitingWords(tables, table.name).map((words) => (
        <Notice key={words}>{words}</Notice>
      ))}
      {picturesNotice !== null && <Notice>{picturesNotice}</Notice>}
      {current.notices !== null &&
        noticeWords(current.notices).map((words) => <Notice key={words}>{words}</Notice>)}
    </>
  );
}

function PicturesStrip({ importId }: { importId: string }) {
  const { data } = usePictureCounts(importId);
  const [isOpen, setOpen] = useState(false);
  return (
    <TitledSection id="pictures" title="Pictures" gap="xs" headClass={classes.sectionHead}>
      <div className="row-wrap">
        {data !== undefined && <span className="numbers">{picturesWords(data.counts)}</span>}
        <SmallButton aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Show Pictures
        </SmallButton>
      </div>
      {data !== undefined && (
        <PicturesDrawer
          importId={importId}
          counts={data.counts}
          opened={isOpen}
          onClose={() => setOpen(false)}
        />
      )}
    </TitledSection>
  );
}

/** '412 pictures in the file: 396 matched to 390 products · 9 matched nothing · 7 could not be read'. */
export function picturesWords(counts: PictureCounts): string {
  const { matched, unmatched, refused, waiting, products } = counts;
  const parts = [
    matched > 0 && `${formatCount(matched)} matched to ${countOf(products, 'product')}`,
    unmatched > 0 && `${formatCount(unmatched)} matched nothing`,
    refused > 0 && `${formatCount(refused)} could not be read`,
    waiting > 0 && `${formatCount(waiting)} still being read`,
  ].filter((part) => part !== false);
  return `${countOf(matched + unmatched + refused + waiting, 'picture')} in the file: ${parts.join(' · ')}`;
}
