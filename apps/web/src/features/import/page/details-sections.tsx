import type { BeforePush } from '@draftshelf/contract/imports/before-push';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { Code, Title } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { importPath } from '../../../lib/paths.ts';
import { HelpTip } from '../../../ui/help/help-tip.tsx';
import classes from '../import.module.css';
import type { ShownDetails, useImport } from '../imports-api.ts';
import { ListQuestion } from '../list/list-question.tsx';
import { ListStrip } from '../list/list-strip.tsx';
import { LookupsPanel } from '../lookups/lookups-panel.tsx';
import { FieldMapping } from '../mapping/field-mapping.tsx';
import { FileTables } from '../mapping/file-tables.tsx';
import { FormerReading } from '../mapping/former-reading.tsx';
import { rereadBlock } from '../mapping/reread-rules.ts';
import { PicturesStrip } from '../pictures/pictures-strip.tsx';
import { InStoreSection } from '../plan/in-store-section.tsx';
import { AskAiPanel } from '../proposals/ask-ai-panel.tsx';
import { RecipesNotice } from '../recipes/recipes-notice.tsx';
import { AutoNotice } from './auto-notice.tsx';
import { Details } from './details.tsx';
import { FactLine } from './fact-line.tsx';
import { FileFacts } from './file-facts.tsx';
import { RereadingNotice, SameFile } from './import-notices.tsx';
import { openItems } from './open-items.ts';
import type { OpenLineProps } from './open-line.tsx';

type DetailsSectionsProps = OpenLineProps & {
  /** The id of the heading that is shown first. */
  section: string;
  reading: ReturnType<typeof useImport>;
  isPlannable: boolean;
};

/** All that is known of an import beside its rows. */
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

/** Everything that is open, each with its decision. */
function OpenSection({ beforePush, ...props }: OpenLineProps & { beforePush: BeforePush | null }) {
  const { record, former, onRestored, onSupplier, onRecipes, onReread, onPush, imageUpdate } = props;
  const { list } = record;
  const items = openItems(record, beforePush, former !== null);
  const hasRecipes = list !== null && list.recipes.length > 0 && canDo('review', record.status);
  const isElsewhere = (kind: string) => kind === 'same-file' || kind === 'complete-list';
  if (!hasRecipes && items.every(({ kind }) => isElsewhere(kind))) return null;
  return (
    <section className="stack" aria-labelledby="before-push" data-focus-next="#before-push">
      <Title order={2} id="before-push" tabIndex={-1} className={classes.sectionHead}>
        {canDo('review', record.status) ? 'Before you push' : 'Since the push'}
      </Title>
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
    </section>
  );
}

/** The file of an import: its products by class, where it came from, its tables, and what went wrong with it. */
function FileSection({ record }: { record: ShownDetails }) {
  const { errorLog, errorCount, sameAs, sameFilename, dialect } = record;
  return (
    <section className="stack" aria-labelledby="file">
      <Title order={2} id="file" tabIndex={-1} className={classes.sectionHead}>
        File <HelpTip topic="error handling" />
      </Title>
      <ClassCounts record={record} />
      <FileFacts record={record} />
      {dialect?.table && <FileTables importId={record.id} table={dialect.table} />}
      {(sameAs !== null || sameFilename !== null) && <SameFile record={record} />}
      {errorLog.length > 0 && (
        <details className={classes.details}>
          <summary>Error log ({formatCount(errorCount)})</summary>
          <Code block className={classes.log}>
            {errorLog.join('\n')}
          </Code>
        </details>
      )}
    </section>
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
