import type { PushUndo, UndoneProduct } from '@draftshelf/contract/push/push-undo';
import type { UndoAction } from '@draftshelf/domain/push/undo-actions';
import { Skeleton, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { ReadFailure, ShowMore } from '../../../ui/feedback/read.tsx';
import { BodyText, QuietText } from '../../../ui/text.tsx';
import classes from './push-undo.module.css';
import { type MadeChoice, type UndoFilter, useUndoChoice, useUndoneProducts } from './push-undo-api.ts';
import { ChoiceButtons, UndoLine } from './undo-line.tsx';
import { actionWords, headWords, productsIn, reasonName, sumsWithShown } from './undo-words.ts';

type UndoProductsProps = {
  importId: string;
  undo: PushUndo;
  filter: UndoFilter;
  /** The operator opened this list, so it scrolls into view. */
  isAsked: boolean;
};

function UndoProducts({ importId, undo, filter, isAsked }: UndoProductsProps) {
  const pages = useUndoneProducts(importId, filter, undo.endedAt ?? undo.previewedAt);
  const { choose, pending, failure } = useUndoChoice(importId);
  const products = productsIn(undo, filter);
  const [atFirst] = useState(products);
  // Results only grow.
  const listed = filter.results ? products : atFirst;
  const lines = pages.data?.pages.flatMap(({ products }) => products);
  const isOpen = undo.state === 'ready' && !filter.results;
  return (
    <section className={`stack ${classes.products} pad line-before`} aria-labelledby="undo-products">
      <div className={`row-wrap ${classes.spread} between`}>
        <Title
          order={3}
          id="undo-products"
          ref={isAsked && lines !== undefined ? scrollHere : null}
          className="numbers"
        >
          {headWords(filter, { products, listed, gone: undo.gone })}
        </Title>
        {isOpen && filter.code !== null && (
          <ForAll
            code={filter.code}
            line={lines?.find(({ choices }) => choices.length > 0)}
            isBusy={pending.some((choice) => 'code' in choice)}
            onChoose={choose}
          />
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
          <Lines {...{ importId, undo, lines, isOpen, pending, choose }} />
          <ShowMore pages={moreOf(pages, lines.length < products && filter.results)} what="the products" />
        </>
      )}
    </section>
  );
}

const scrollHere = (heading: HTMLElement | null) => heading?.scrollIntoView({ block: 'start' });

type LinesProps = Pick<ReturnType<typeof useUndoChoice>, 'pending' | 'choose'> &
  Pick<UndoProductsProps, 'importId' | 'undo'> & { lines: readonly UndoneProduct[]; isOpen: boolean };

function Lines({ importId, undo, lines, isOpen, pending, choose }: LinesProps) {
  if (lines.length === 0) return <QuietText>No products.</QuietText>;
  return (
    <ul className="list" aria-label="Products">
      {lines.map((line) => (
        <UndoLine
          key={line.product}
          {...{ importId, line, isOpen }}
          previewedAt={undo.previewedAt}
          isBusy={pending.some((choice) => 'product' in choice && choice.product === line.product)}
          onChoose={(choice) => choose({ product: line.product, choice })}
        />
      ))}
    </ul>
  );
}

type ForAllProps = {
  code: string;
  line: UndoneProduct | undefined;
  isBusy: boolean;
  onChoose: (choice: MadeChoice) => void;
};

const ForAll = ({ code, line, isBusy, onChoose }: ForAllProps) =>
  line === undefined ? null : (
    <div className="row-wrap gap-tight">
      <BodyText>For all of them:</BodyText>
      <ChoiceButtons
        label={`Choice for all: ${reasonName(code)}`}
        choices={line.choices}
        current={line.choiceForAll}
        isMade={line.choiceForAll !== null}
        isBusy={isBusy}
        onChoose={(choice) => onChoose({ code, choice })}
      />
    </div>
  );

/** `hasGrown`: a running undo has added lines, also between shown ones. */
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
  /** Null: no list can be shown yet. */
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
  /** The filter of the listed products. */
  filter?: UndoFilter | null;
  /** Absent: the products can’t be shown yet. */
  onShow?: (filter: UndoFilter) => void;
};

export function UndoSums({ sums, gone, label, isDone = false, filter = null, onShow }: UndoSumsProps) {
  const lineOf = (action: UndoAction, code: string | null, products: number) => {
    const words = code === null ? actionWords(action, products, { isDone, gone }) : reasonName(code);
    const isReason = code !== null || undefined;
    const content = (
      <>
        <strong>{formatCount(products)}</strong> <span>{words}</span>
      </>
    );
    if (onShow === undefined) {
      return (
        <li
          key={`${action} ${code}`}
          className={`${classes.sum} gap-xs center numbers`}
          data-action={action}
          data-still
        >
          {content}
        </li>
      );
    }
    return (
      <li key={`${action} ${code}`}>
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
      {sumsWithShown(sums, filter).flatMap(({ action, products, reasons }) => [
        lineOf(action, null, products),
        ...reasons.flatMap(({ code, products: some }) =>
          code === null || onShow === undefined ? [] : [lineOf(action, code, some)],
        ),
      ])}
    </ul>
  );
}
