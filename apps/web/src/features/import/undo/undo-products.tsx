import type { PushUndo, UndoneProduct } from '@draftshelf/contract/push/push-undo';
import { Skeleton, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { ShowMore } from '../../../ui/show-more.tsx';
import { ChoiceButtons } from './choice-buttons.tsx';
import classes from './push-undo.module.css';
import { type MadeChoice, type UndoFilter, useUndoChoice, useUndoneProducts } from './push-undo-api.ts';
import { UndoLine } from './undo-line.tsx';
import { headWords, productsIn, reasonName } from './undo-words.ts';

type UndoProductsProps = {
  importId: string;
  undo: PushUndo;
  filter: UndoFilter;
  /** The operator has opened this list, so it scrolls into view. */
  isAsked: boolean;
};

/** The products behind one of the numbers of an undo, with the choices about them. */
export function UndoProducts({ importId, undo, filter, isAsked }: UndoProductsProps) {
  const pages = useUndoneProducts(importId, filter, undo.endedAt ?? undo.previewedAt);
  const { choose, pending, failure } = useUndoChoice(importId);
  const products = productsIn(undo, filter);
  const [atFirst] = useState(products);
  // Results only grow.
  const listed = filter.results ? products : atFirst;
  const heading = useRef<HTMLHeadingElement>(null);
  const lines = pages.data?.pages.flatMap(({ products }) => products);
  const isRead = lines !== undefined;
  useEffect(() => {
    if (isAsked && isRead) heading.current?.scrollIntoView({ block: 'start' });
  }, [isAsked, isRead]);
  const isOpen = undo.state === 'ready' && !filter.results;
  return (
    <section className={`stack ${classes.products}`} aria-labelledby="undo-products">
      <div className={`row-wrap ${classes.spread}`}>
        <Title order={3} id="undo-products" ref={heading} className="numbers">
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

type LinesProps = Pick<ReturnType<typeof useUndoChoice>, 'pending' | 'choose'> &
  Pick<UndoProductsProps, 'importId' | 'undo'> & {
    lines: readonly UndoneProduct[];
    /** Choices can be made now. */
    isOpen: boolean;
  };

function Lines({ importId, undo, lines, isOpen, pending, choose }: LinesProps) {
  if (lines.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No products.
      </Text>
    );
  }
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
  /** A product with the code that allows choices. */
  line: UndoneProduct | undefined;
  isBusy: boolean;
  onChoose: (choice: MadeChoice) => void;
};

function ForAll({ code, line, isBusy, onChoose }: ForAllProps) {
  if (line === undefined) return null;
  return (
    <div className={`row-wrap ${classes.choices}`}>
      <Text size="sm">For all of them:</Text>
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
}

/** `hasGrown`: a running undo has added lines, also between the lines that are shown. */
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
