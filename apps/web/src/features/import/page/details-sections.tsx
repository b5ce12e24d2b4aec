import type { Enrichment } from '@draftshelf/contract/imports/enrichment';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { taskLabel } from '@draftshelf/domain/work/task-catalog';
import { Anchor, CloseButton, Code, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconRepeat } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { buildDownloadUrl, pagedReadOf, pollMs, type Reply, readOf } from '../../../api/call.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { importPath } from '../../../lib/paths.ts';
import { BodyText, QuietText, SmallButton, SmallText, TextButton } from '../../../ui/basics.tsx';
import { StackedBar } from '../../../ui/charts/bars.tsx';
import { PagedList } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { TitledSection } from '../../../ui/hint.tsx';
import { ViewDrawer } from '../../../ui/overlays.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { useSavedToast } from '../edits/edits-api.ts';
import classes from '../import.module.css';
import type { ShownDetails, ShownImport } from '../imports-api.ts';
import { ListStrip } from '../list/list-strip.tsx';
import {
  allWaitingWords,
  brokenPicturesWords,
  coverageName,
  coverageParts,
  coverageWords,
  estimateCoverage,
} from '../lookups/lookup-words.ts';
import lookups from '../lookups/lookups.module.css';
import { FieldMapping } from '../mapping/field-mapping.tsx';
import { useFileTables } from '../mapping/mapping-api.ts';
import {
  describeReadTable,
  listsWords,
  otherTableEditsWords,
  tableNoticeWords,
} from '../mapping/mapping-words.ts';
import { Notice } from '../notice.tsx';
import { StorePlanSection } from '../plan/in-store.tsx';
import { useValuesSample } from '../prices/prices.ts';
import { AskAiPanel } from '../proposals/ask-ai-panel.tsx';
import { ProposalsPanel } from '../proposals/proposals-panel.tsx';
import { missedRecipesWords, RepeatButtons } from '../recipes/repeat-buttons.tsx';
import { useDetailsSection } from '../rows-address.ts';
import { classParts, partWords } from '../status/composition.tsx';
import { detailsButtonId, FileFacts } from './import-head.tsx';
import { SameFileNotice } from './import-notices.tsx';
import { findOpenItems, type OpenItem, OpenItemLine, type OpenLineProps } from './open-line.tsx';

type DetailsSectionsProps = OpenLineProps & {
  /** The id of the heading that is scrolled into view. */
  section: string;
  isPlannable: boolean;
};

export function DetailsSections({ section, isPlannable, ...props }: DetailsSectionsProps) {
  const { record, onReread } = props;
  const { enrichment, tasks } = record;
  const isAsking = tasks.some(({ label }) => label === taskLabel('ask-ai'));
  if (section === 'proposals') {
    return (
      <Details section={section} title={countOf(record.proposals, 'Proposal')}>
        <ProposalsPanel record={record} />
      </Details>
    );
  }
  return (
    <Details section={section} title="Details">
      <OpenSection {...props} />
      <StorePlanSection record={record} isPlannable={isPlannable} />
      {record.list !== null && <ListStrip record={record} list={record.list} onReread={onReread} />}
      <FieldMapping record={record} onReread={onReread} />
      <FileSection record={record} />
      {record.pictures > 0 && <PicturesStrip importId={record.id} />}
      {enrichment !== undefined && <LookupsPanel record={record} enrichment={enrichment} />}
      {(section === 'ask-ai' || isAsking) && <AskAiPanel record={record} />}
    </Details>
  );
}

function OpenSection(props: OpenLineProps) {
  const { record, former, onRecipes } = props;
  const { list } = record;
  const isElsewhere = (item: OpenItem) =>
    item.kind === 'fact'
      ? item.fact.kind === 'recipes'
      : item.kind === 'same-file' || item.kind === 'complete-list';
  const items = findOpenItems(record, record.beforePush, former !== null).filter(
    (item) => !isElsewhere(item),
  );
  const hasRecipes = list !== null && list.recipes.length > 0 && canDo('review', record.status);
  if (!hasRecipes && items.length === 0) return null;

  return (
    <TitledSection
      id="before-push"
      title={canDo('review', record.status) ? 'Before you push' : 'Since the push'}
      gap="xs"
      headClass={classes.sectionHead}
      data-focus-next="#before-push"
    >
      {hasRecipes && (
        <Notice
          icon={IconRepeat}
          tone={list.asksRecipes ? 'question' : 'neutral'}
          title="Last time’s changes:"
        >
          {missedRecipesWords(list.recipes)} <RepeatButtons record={record} onReview={onRecipes} />
        </Notice>
      )}
      {items.map((item) => (
        <OpenItemLine
          key={item.kind === 'fact' ? `${item.fact.kind} ${item.fact.field ?? ''}` : item.kind}
          item={item}
          {...props}
        />
      ))}
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
      {(sameAs !== null || sameFilename !== null) && <SameFileNotice record={record} />}
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

/** Example: '50 valid · 2 warnings · 1 error'. Warnings and errors link to their rows. */
const ClassCounts = ({ record }: { record: ShownDetails }) => (
  <p className={`flush strong numbers ${classes.counts}`}>
    {classParts(record).map((part, at) => (
      <Fragment key={part.kind}>
        {at > 0 && ' · '}
        {part.count === 0 || part.kind === 'valid' ? (
          partWords(part)
        ) : (
          <Link to={`${importPath(record.id)}?class=${part.kind}`} preventScrollReset data-kind={part.kind}>
            {partWords(part)}
          </Link>
        )}
      </Fragment>
    ))}
  </p>
);

/** A panel. Esc closes the panel and returns the focus to the element that opened it. */
function Details({ section, title, children }: { section: string; title: string; children: ReactNode }) {
  const [, open] = useDetailsSection();
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
      aria-label={title}
      tabIndex={-1}
      // React also bubbles keys from dialogs that this panel has opened, but those dialogs handle Esc themselves.
      onKeyDown={({ key, target, currentTarget }) => {
        if (key === 'Escape' && currentTarget.contains(target as Node)) close();
      }}
    >
      <div className={`${classes.detailsHead} row between rigid gap-0`}>
        <strong className="numbers">{title}</strong>
        <CloseButton aria-label={`Close ${title}`} onClick={close} />
      </div>
      {children}
    </aside>
  );
}

type FileTablesProps = { importId: string; table: NonNullable<NonNullable<ShownImport['dialect']>['table']> };

function FileTables({ importId, table }: FileTablesProps) {
  const { tables, picturesNotice = null } = useFileTables(importId, true);
  const current = tables.find(({ name }) => name === table.name);
  if (current === undefined) return null;
  const line = describeReadTable(tables, table);
  const lists = listsWords(tables);
  return (
    <>
      {line !== null && <QuietText>{line}</QuietText>}
      {lists !== null && <Notice>{lists}</Notice>}
      {otherTableEditsWords(tables, table.name).map((words) => (
        <Notice key={words}>{words}</Notice>
      ))}
      {picturesNotice !== null && <Notice>{picturesNotice}</Notice>}
      {current.notices !== null &&
        tableNoticeWords(current.notices).map((words) => <Notice key={words}>{words}</Notice>)}
    </>
  );
}

function PicturesStrip({ importId }: { importId: string }) {
  const { data } = useQuery({
    ...readOf('listPictures', { params: { id: importId } }),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.counts.waiting ?? 1) > 0 ? pollMs.pictures : false),
  });
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
        <ViewDrawer opened={isOpen} title="Pictures in the file" width={560} onClose={() => setOpen(false)}>
          <Pictures importId={importId} counts={data.counts} />
        </ViewDrawer>
      )}
    </TitledSection>
  );
}

/** Example: '412 pictures in the file: 396 matched to 390 products · 9 matched nothing · 7 could not be read'. */
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

function LookupsPanel({ record, enrichment }: { record: ShownImport; enrichment: Enrichment }) {
  const { coverage, waiting } = enrichment;
  if (waiting.length === 0 && coverage.every(({ filled, found }) => filled + found === 0)) return null;
  return (
    <TitledSection
      id="upc-lookup"
      title="UPC Lookup"
      help="UPC lookup"
      gap="xs"
      headClass={classes.sectionHead}
    >
      <CoverageList record={record} coverage={coverage} />
      {waiting.length > 0 && <QuietText role="status">{allWaitingWords(waiting, Date.now())}</QuietText>}
    </TitledSection>
  );
}

function CoverageList({ record, coverage }: { record: ShownImport; coverage: Enrichment['coverage'] }) {
  const foundCounts = coverage.map(({ found }) => found).join(' ');
  const sample = useValuesSample(record.id, `${record.status} ${record.completedAt} ${foundCounts}`);
  const broken = sample === undefined ? null : brokenPicturesWords(sample.pictures, sample.brokenHost);
  const shownCoverages = coverage.map((field) => estimateCoverage(field, sample?.pictures));
  return (
    <>
      <dl className={`flush ${lookups.facts} grid`}>
        {shownCoverages.map((field) => (
          <div key={field.field}>
            <dt className="quiet">{coverageName(field.field)}</dt>
            <dd className="flush numbers">
              {coverageWords(field)}
              <div className={`${lookups.coverage} flex above-hair`}>
                <StackedBar parts={coverageParts(field)} whole={field.products} />
              </div>
            </dd>
          </div>
        ))}
      </dl>
      {coverage.length > 0 && (
        <SmallText className={`row-wrap ${lookups.legend} gap-x-md`}>
          <span data-kind="idle">From the file</span>
          <span data-kind="found">Found</span>
          {broken !== null && <span data-kind="broken">Doesn’t load</span>}
        </SmallText>
      )}
      {broken !== null && <BodyText>{broken}</BodyText>}
    </>
  );
}

const stateWords: Record<PictureState, string> = {
  unmatched: 'No product',
  refused: 'Not readable',
  matched: 'Matched',
  waiting: 'Waiting',
};
const states = Object.keys(stateWords) as PictureState[];

function Pictures({ importId, counts }: { importId: string; counts: PictureCounts }) {
  const shown = states.filter((state) => counts[state] > 0);
  const [chosen, setChosen] = useState<PictureState | null>(null);
  // If no picture is left in the chosen state, because the last one was matched, shows another state.
  const state = shown.find((one) => one === chosen) ?? shown[0] ?? 'matched';
  const pages = useInfiniteQuery(pagedReadOf('listPictures', { id: importId }, { state }));
  return (
    <div className="stack">
      <SegmentedControl
        aria-label="Pictures"
        value={state}
        onChange={(value) => setChosen(value as PictureState)}
        data={shown.map((one) => ({ value: one, label: `${stateWords[one]} ${formatCount(counts[one])}` }))}
      />
      <BodyText>
        <Anchor
          href={buildDownloadUrl('getPicturesCsv', { id: importId })}
          download
          inherit
          underline="always"
        >
          Download list (CSV)
        </Anchor>
      </BodyText>
      <PagedList of={pages} what="the pictures" label="Pictures in the file">
        {({ pictures }) =>
          pictures.map((picture) => <PictureLine key={picture.n} importId={importId} picture={picture} />)
        }
      </PagedList>
    </div>
  );
}

function PictureLine({ importId, picture }: { importId: string; picture: ShownPicture }) {
  const { entry, photo, row, title, reason, state } = picture;
  const [isChoosing, setChoosing] = useState(false);
  return (
    <li className="pad-y-tight line-below">
      <div className="row">
        <Picture
          src={photo}
          className={`${classes.photo} rigid`}
          fallback={<span className={`${classes.photo} rigid`} aria-hidden />}
        />
        <div className="grow">
          <BodyText dir="auto" className="break-words">
            {entry}
          </BodyText>
          {row !== null && (
            <QuietText className="numbers break-words">
              Row {row}: {title ?? 'No title'}
            </QuietText>
          )}
          {reason !== null && <QuietText className="break-words">{reason}</QuietText>}
        </div>
        {state === 'unmatched' && !isChoosing && (
          <SmallButton aria-label={`Choose Product: ${entry}`} onClick={() => setChoosing(true)}>
            Choose Product
          </SmallButton>
        )}
      </div>
      {isChoosing && <PictureProduct {...{ importId, picture }} onDone={() => setChoosing(false)} />}
    </li>
  );
}

const typingPauseMs = 250;
const foundMax = 6;

type PictureProductProps = { importId: string; picture: ShownPicture; onDone: () => void };

function PictureProduct({ importId, picture: { n, entry }, onDone }: PictureProductProps) {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), typingPauseMs);
  const { data } = useQuery({
    ...readOf('listRows', { params: { id: importId }, query: { q, limit: foundMax } }),
    enabled: q.length >= 3,
    placeholderData: keepPreviousData,
  });
  const choice = useCall('chooseProduct', { params: { id: importId, n } });
  const showSaved = useSavedToast(importId);
  const choose = async (row: number, run: number) => {
    // The component shows `choice.error` below.
    const saved = await choice.mutateAsync({ body: { row, run } }).catch(() => undefined);
    if (saved === undefined) return;
    showSaved([saved]);
    onDone();
  };
  return (
    <div className="stack">
      <TextInput
        aria-label={`Product of ${entry}`}
        placeholder="Title, SKU or UPC"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      {q.length >= 3 && data !== undefined && (
        <ul className="list" aria-label="Products found">
          {data.rows.length === 0 && (
            <li>
              <BodyText>No products match.</BodyText>
            </li>
          )}
          {data.rows.map(({ row, values }) => (
            <li key={row}>
              <TextButton
                color="gray"
                loading={choice.isPending && choice.variables.body?.row === row}
                onClick={() => void choose(row, data.run)}
              >
                Row {row}: {values.title ?? 'No title'}
              </TextButton>
            </li>
          ))}
        </ul>
      )}
      {choice.isError && <BodyText role="alert">{choice.error.message}</BodyText>}
    </div>
  );
}

type PictureCounts = Reply<'listPictures'>['counts'];
type ShownPicture = Reply<'listPictures'>['pictures'][number];
type PictureState = ShownPicture['state'];
