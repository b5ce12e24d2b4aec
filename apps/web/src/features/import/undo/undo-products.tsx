import type { PushUndo, UndoProduct } from '@draftshelf/contract/push/push-undo';
import type { UndoChoice } from '@draftshelf/domain/push/push-undo';
import type { UndoAction } from '@draftshelf/domain/push/undo-actions';
import { Skeleton, Text, Title } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { BodyText, Button, ClockTime, NewTabLink, QuietText, TextButton } from '../../../ui/basics.tsx';
import { ErrorPanel, MoreButton, ReadFailure } from '../../../ui/feedback/read.tsx';
import { ValueTable } from '../../../ui/table/record-table.tsx';
import classes from './push-undo.module.css';
import { type UndoFilter, useStoreChanges, useUndoChoice, useUndoneProducts } from './push-undo-api.ts';
import {
  countListedProducts,
  partName,
  reasonName,
  sumKeepingOpenList,
  undoActionWords,
  undoListWords,
} from './undo-words.ts';

type UndoProductsProps = {
  importId: string;
  undo: PushUndo;
  filter: UndoFilter;
  /** True if the operator has opened this list, which then scrolls into view. */
  isAsked: boolean;
};

function UndoProducts({ importId, undo, filter, isAsked }: UndoProductsProps) {
  const pages = useUndoneProducts(importId, filter, undo.endedAt ?? undo.previewedAt);
  const { choose, pending, failure } = useUndoChoice(importId);
  const products = countListedProducts(undo, filter);
  const [atFirst] = useState(products);
  // Shows the current number of results, which only increases. For a preview, shows the number before any choices.
  const listed = filter.results ? products : atFirst;
  const lines = pages.data?.pages.flatMap(({ products }) => products);
  const isOpen = undo.state === 'ready' && !filter.results;
  const { code } = filter;
  const first = lines?.find(({ choices }) => choices.length > 0);
  return (
    <section className={`stack ${classes.products} pad line-before`} aria-labelledby="undo-products">
      <div className={`row-wrap ${classes.spread} between`}>
        <Title
          order={3}
          id="undo-products"
          ref={isAsked && lines !== undefined ? scrollHere : null}
          className="numbers"
        >
          {undoListWords(filter, { products, listed, gone: undo.gone })}
        </Title>
        {isOpen && code !== null && first !== undefined && (
          <div className="row-wrap gap-tight">
            <BodyText>For all of them:</BodyText>
            <ChoiceButtons
              label={`Choice for all: ${reasonName(code)}`}
              choices={first.choices}
              current={first.choiceForAll}
              isMade={first.choiceForAll !== null}
              isBusy={pending.some((choice) => 'code' in choice)}
              onChoose={(choice) => choose({ code, choice })}
            />
          </div>
        )}
      </div>
      {failure !== null && (
        <ErrorPanel title="Couldn’t save the choice." cause={failure.message}>
          Try again. If that doesn’t help, make a new preview.
        </ErrorPanel>
      )}
      {lines === undefined && <ReadFailure what="the products" reads={[pages]} />}
      {lines === undefined && !pages.isError && <Skeleton height={240} aria-hidden />}
      {lines !== undefined && (
        <>
          {lines.length === 0 ? (
            <QuietText>No products.</QuietText>
          ) : (
            <ul className="list" aria-label="Products">
              {lines.map((line) => (
                <UndoLine
                  key={line.product}
                  {...{ importId, line, isOpen }}
                  previewedAt={undo.previewedAt}
                  isBusy={pending.some((one) => 'product' in one && one.product === line.product)}
                  onChoose={(choice) => choose({ product: line.product, choice })}
                />
              ))}
            </ul>
          )}
          <MoreButton pages={moreOf(pages, lines.length < products && filter.results)} what="the products" />
        </>
      )}
    </section>
  );
}

const scrollHere = (heading: HTMLElement | null) => heading?.scrollIntoView({ block: 'start' });

/** `hasGrown`: true if the running undo has added lines, which may belong between the shown ones. */
function moreOf(pages: ReturnType<typeof useUndoneProducts>, hasGrown: boolean) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = pages;
  if (hasNextPage || !hasGrown) {
    return { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage };
  }
  return {
    hasNextPage: true,
    isFetchingNextPage: pages.isRefetching,
    isFetchNextPageError: pages.isRefetchError,
    error,
    fetchNextPage: pages.refetch,
  };
}

type UndoColumnsProps = {
  importId: string;
  undo: PushUndo;
  sums: PushUndo['sums'];
  isDone: boolean;
  /** The list that is open at first, or null if none can be shown yet. */
  first: UndoFilter | null;
  above?: ReactNode;
  below: ReactNode;
};

export function UndoColumns({ importId, undo, sums, isDone, first, above, below }: UndoColumnsProps) {
  const [openedFilter, setOpenedFilter] = useState<UndoFilter | null>(null);
  const filter = openedFilter ?? first;
  return (
    <div className={`${classes.columns} grid`}>
      <div className={`stack ${classes.summary} gap-md pad`}>
        {above}
        <UndoSums
          {...{ sums, isDone, filter }}
          gone={undo.gone}
          label={isDone ? 'What was done' : 'What will be done'}
          onShow={setOpenedFilter}
        />
        {below}
      </div>
      {filter !== null && (
        <UndoProducts
          key={`${filter.action} ${filter.code}`}
          {...{ importId, undo, filter }}
          isAsked={openedFilter !== null}
        />
      )}
    </div>
  );
}

type UndoSumsProps = Pick<UndoColumnsProps, 'sums'> & {
  gone: PushUndo['gone'];
  label: string;
  isDone?: boolean;
  filter?: UndoFilter | null;
  /** Absent while the products cannot be shown. */
  onShow?: (filter: UndoFilter) => void;
};

export function UndoSums({ sums, gone, label, isDone = false, filter = null, onShow }: UndoSumsProps) {
  const lineOf = (action: UndoAction, code: string | null, products: number) => {
    const words = code === null ? undoActionWords(action, products, { isDone, gone }) : reasonName(code);
    const isReason = code !== null || undefined;
    const content = (
      <>
        <strong>{formatCount(products)}</strong> <span>{words}</span>
      </>
    );
    const key = `${action} ${code}`;
    if (onShow === undefined) {
      return (
        <li key={key} className={`${classes.sum} gap-xs center numbers`} data-action={action} data-still>
          {content}
        </li>
      );
    }
    return (
      <li key={key}>
        <button
          type="button"
          className={`${classes.sum} gap-xs center numbers`}
          data-action={isReason ? undefined : action}
          data-reason={isReason}
          aria-pressed={filter?.action === action && filter.code === code}
          onClick={() => onShow({ action, code, results: isDone })}
        >
          {content}
        </button>
      </li>
    );
  };
  return (
    <ul className={`list ${classes.sums} grid`} aria-label={label}>
      {sumKeepingOpenList(sums, filter).flatMap(({ action, products, reasons }) => [
        lineOf(action, null, products),
        ...reasons.flatMap(({ code, products: some }) =>
          code === null || onShow === undefined ? [] : [lineOf(action, code, some)],
        ),
      ])}
    </ul>
  );
}

type UndoLineProps = {
  importId: string;
  previewedAt: string | null;
  line: UndoProduct;
  isOpen: boolean;
  isBusy: boolean;
  onChoose: (choice: UndoChoice | null) => void;
};

function UndoLine({ importId, previewedAt, line, isOpen, isBusy, onChoose }: UndoLineProps) {
  const [showsChanges, setShowsChanges] = useState(false);
  const [showsParts, setShowsParts] = useState(false);
  const title = line.title ?? (line.number === null ? 'Product' : `Product ${formatCount(line.number)}`);
  const reason = line.result?.message ?? line.message;
  const isKept = (line.result?.code ?? line.code) !== null;
  const current = line.choice ?? line.choiceForAll ?? actionWithoutChoice(line);
  const valuesWords = showsParts ? 'Hide Values' : 'Show Values';
  return (
    <li className="stack gap-tight pad-y-xs line-above">
      <div className={`row ${classes.spread} between`}>
        <span className="strong break-words" dir="auto">
          {title}
        </span>
        {line.storeUrl !== null && (
          <NewTabLink
            href={line.storeUrl}
            className="target rigid size-sm"
            aria-label={`View in Shopify: ${title}`}
          >
            View in Shopify
          </NewTabLink>
        )}
      </div>
      {reason !== null && <p className="flush break-words size-sm">{reason}</p>}
      <div className={`row-wrap ${classes.spread} between`}>
        <div className="row-wrap gap-tight">
          {isOpen && current === 'delete' && !line.choices.includes('delete') && (
            <BodyText c="var(--text-bad)">Will be deleted</BodyText>
          )}
          {line.parts.length > 0 && (
            <TextButton
              color="gray"
              aria-expanded={showsParts}
              aria-label={`${valuesWords}: ${title}`}
              onClick={() => setShowsParts(!showsParts)}
            >
              {valuesWords}
            </TextButton>
          )}
          {isKept && line.storeUrl !== null && (
            <TextButton
              color="gray"
              aria-expanded={showsChanges}
              aria-label={`Who Changed It? ${title}`}
              onClick={() => setShowsChanges(!showsChanges)}
            >
              Who Changed It?
            </TextButton>
          )}
        </div>
        {isOpen && line.choices.length > 0 && (
          <ChoiceButtons
            label={`Choice for ${title}`}
            choices={line.choices}
            current={current}
            isMade={line.choice !== null}
            isBusy={isBusy}
            onChoose={onChoose}
          />
        )}
      </div>
      {showsParts && <PartValues title={title} parts={line.parts} />}
      {showsChanges && <StoreChanges {...{ importId, previewedAt }} product={line.product} />}
    </li>
  );
}

const actionWithoutChoice = ({ action }: UndoProduct): UndoChoice | null =>
  action === 'keep' || action === 'archive' || action === 'delete' ? action : null;

type StoreChangesProps = Pick<UndoLineProps, 'importId' | 'previewedAt'> & { product: number };

function StoreChanges({ importId, product, previewedAt }: StoreChangesProps) {
  const read = useStoreChanges(importId, product, previewedAt);
  if (read.isError) return <ReadFailure what="the changes in the store" reads={[read]} />;
  const changes = read.data?.changes;
  return (
    <ul
      className={`list ${classes.changes} size-sm surface-quiet rounded`}
      aria-live="polite"
      aria-label="Changes in the store"
    >
      {changes === undefined && <li>Asking the store…</li>}
      {changes?.length === 0 && <li>The store doesn’t report who changed the product.</li>}
      {changes?.map(({ at, author, app, message }) => (
        <li key={`${at} ${message}`} className="break-words">
          <Text span inherit c="dimmed">
            <ClockTime time={at} />
          </Text>{' '}
          {message}
          {whoWords(message, [author, app])}
        </li>
      ))}
    </ul>
  );
}

/** Returns the names in parentheses, except those that the store's message contains. */
function whoWords(message: string, names: readonly (string | null)[]): string {
  const who = names.filter((name) => name !== null && !message.includes(name));
  return who.length === 0 ? '' : ` (${who.join(', ')})`;
}

const columns = { before: 'Before the push', ours: 'As pushed', now: 'Now' };

const PartValues = ({ title, parts }: { title: string; parts: UndoProduct['parts'] }) => (
  <div className={classes.values}>
    <ValueTable label={`Values of ${title}`} heads={['Part', ...Object.values(columns)]}>
      {parts.map((line) => (
        <tr key={`${line.part} ${line.name}`}>
          <th scope="row">{partName(line)}</th>
          {(['before', 'ours', 'now'] as const).map((key) => (
            <td
              key={key}
              dir="auto"
              data-label={columns[key]}
              data-now={key === 'now' || undefined}
              data-empty={!line[key] || undefined}
            >
              {line[key] || 'empty'}
            </td>
          ))}
        </tr>
      ))}
    </ValueTable>
  </div>
);

const choiceWords: Record<UndoChoice, string> = { keep: 'Keep', archive: 'Archive', delete: 'Delete Anyway' };

type ChoiceButtonsProps = {
  label: string;
  choices: readonly UndoChoice[];
  current: UndoChoice | null;
  isMade: boolean;
  isBusy: boolean;
  onChoose: (choice: UndoChoice | null) => void;
};

function ChoiceButtons({ label, choices, current, isMade, isBusy, onChoose }: ChoiceButtonsProps) {
  const id = useId();
  return (
    <fieldset className="row-wrap gap-tight" aria-label={label} id={id} data-focus-next={`#${id} button`}>
      {choices.map((choice) => (
        <Button
          key={choice}
          size="compact-sm"
          variant={choice === current ? 'light' : 'default'}
          {...(choice === 'delete' && choice === current && { color: 'red' })}
          aria-pressed={choice === current}
          busy={isBusy}
          onClick={() => onChoose(choice)}
        >
          {choiceWords[choice]}
        </Button>
      ))}
      {isMade && (
        <TextButton aria-label={`Take Back: ${label}`} busy={isBusy} onClick={() => onChoose(null)}>
          Take Back
        </TextButton>
      )}
    </fieldset>
  );
}
