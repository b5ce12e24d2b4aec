import type { PushUndo } from '@draftshelf/contract/push-undo';
import type { UndoChoice } from '@draftshelf/domain/push-undo';
import { Skeleton, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import {
  type MadeChoice,
  type UndoFilter,
  useUndoChoice,
  useUndoneProducts,
} from '../../../api/push-undo.ts';
import { Button } from '../../../components/button.tsx';
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx';
import { formatCount } from '../../../lib/intl.ts';
import { ChoiceButtons } from './choice-buttons.tsx';
import classes from './push-undo.module.css';
import { UndoLine } from './undo-line.tsx';
import { actionWords, reasonName } from './undo-words.ts';

type UndoProductsProps = {
  importId: string;
  undo: PushUndo;
  filter: UndoFilter;
  /** The operator has asked for this list, so it is brought into view. */
  isAsked: boolean;
};

/** The products of one number of an undo, and the choices about them. */
export function UndoProducts({ importId, undo, filter, isAsked }: UndoProductsProps) {
  const pages = useUndoneProducts(importId, filter, undo.endedAt ?? undo.previewedAt);
  const choice = useUndoChoice(importId);
  const heading = useRef<HTMLHeadingElement>(null);
  const lines = pages.data?.pages.flatMap(({ products }) => products);
  const isRead = lines !== undefined;
  useEffect(() => {
    if (isAsked && isRead) heading.current?.scrollIntoView({ block: 'start' });
  }, [isAsked, isRead]);
  const isOpen = undo.state === 'ready' && !filter.results;
  const choose = (made: MadeChoice) => {
    if (!choice.isPending) choice.mutate(made);
  };
  const isBusyWith = (product: number) =>
    choice.isPending && 'product' in choice.variables && choice.variables.product === product;
  return (
    <section className={classes.products} aria-labelledby="undo-products">
      <div className={classes.productsHead}>
        <Title order={3} id="undo-products" ref={heading} className="numbers">
          {headWords(undo, filter)}
        </Title>
        {isOpen && filter.code !== null && (
          <ForAll
            code={filter.code}
            choices={lines?.find(({ choices }) => choices.length > 0)?.choices ?? []}
            isBusy={choice.isPending && 'code' in choice.variables}
            onChoose={choose}
          />
        )}
      </div>
      {choice.isError && (
        <ErrorPanel title="The choice wasn’t saved." cause={choice.error.message}>
          Try again. If that doesn’t help, make a new preview.
        </ErrorPanel>
      )}
      {lines === undefined && pages.isError && (
        <ErrorPanel title="Couldn’t load the products." cause={pages.error.message}>
          <Button size="compact-md" variant="default" onClick={() => void pages.refetch()}>
            Try Again
          </Button>
        </ErrorPanel>
      )}
      {lines === undefined && !pages.isError && <Skeleton height={240} aria-hidden />}
      {lines?.length === 0 && (
        <Text size="sm" c="dimmed">
          No products.
        </Text>
      )}
      {lines !== undefined && lines.length > 0 && (
        <ul className={classes.lines} aria-label="Products">
          {lines.map((line) => (
            <UndoLine
              key={line.product}
              {...{ importId, line }}
              previewedAt={undo.previewedAt}
              isOpen={isOpen}
              isBusy={isBusyWith(line.product)}
              onChoose={(chosen) => choose({ product: line.product, choice: chosen })}
            />
          ))}
        </ul>
      )}
      {pages.hasNextPage && (
        <div>
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show More
          </Button>
        </div>
      )}
    </section>
  );
}

type ForAllProps = {
  code: string;
  choices: readonly UndoChoice[];
  isBusy: boolean;
  onChoose: (made: MadeChoice) => void;
};

function ForAll({ code, choices, isBusy, onChoose }: ForAllProps) {
  if (choices.length === 0) return null;
  return (
    <div className={classes.choices}>
      <Text size="sm">For all of them:</Text>
      <ChoiceButtons
        label={`Choice for all: ${reasonName(code)}`}
        choices={choices}
        chosen={null}
        isBusy={isBusy}
        onChoose={(choice) => onChoose({ code, choice })}
      />
    </div>
  );
}

/** '22 stay as they are: changed in the store'. */
function headWords(undo: PushUndo, { action, code, results }: UndoFilter): string {
  const sums = results ? undo.results : undo.sums;
  const products = sums
    .filter((sum) => sum.action === action && (code === null || sum.code === code))
    .reduce((all, sum) => all + sum.products, 0);
  const words = `${formatCount(products)} ${actionWords(action, products, results)}`;
  return code === null ? words : `${words}: ${reasonName(code)}`;
}
