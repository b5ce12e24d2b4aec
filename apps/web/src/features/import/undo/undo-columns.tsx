import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import type { UndoAction } from '@draftshelf/domain/push/undo-actions';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import classes from './push-undo.module.css';
import type { UndoFilter } from './push-undo-api.ts';
import { UndoProducts } from './undo-products.tsx';
import { actionWords, reasonName, sumsWithShown } from './undo-words.ts';

type UndoColumnsProps = {
  importId: string;
  undo: PushUndo;
  sums: PushUndo['sums'];
  /** The sums are results, not a preview. */
  isDone: boolean;
  /** The list that is open at first; null: none can be shown yet. */
  first: UndoFilter | null;
  above?: ReactNode;
  below: ReactNode;
};

/** The numbers of an undo, with what belongs above and below them, and the products of the list that is open. */
export function UndoColumns({ importId, undo, sums, isDone, first, above, below }: UndoColumnsProps) {
  const [openedFilter, setOpenedFilter] = useState<UndoFilter | null>(null);
  const filter = openedFilter ?? first;
  return (
    <div className={classes.columns}>
      <div className={`stack ${classes.summary}`}>
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
  /** The products that are listed; null: no list can be shown yet. */
  filter?: UndoFilter | null;
  /** Shows the products of a number; absent: they can’t be shown yet. */
  onShow?: (filter: UndoFilter) => void;
};

/** The numbers of products by what is done with them, and below them by reason. Each shows its products. */
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
        <li key={`${action} ${code}`} className={`${classes.sum} numbers`} data-action={action} data-still>
          {content}
        </li>
      );
    }
    return (
      <li key={`${action} ${code}`}>
        <button
          type="button"
          className={`${classes.sum} numbers`}
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
    <ul className={`list ${classes.sums}`} aria-label={label}>
      {sumsWithShown(sums, filter).flatMap(({ action, products, reasons }) => [
        lineOf(action, null, products),
        ...reasons.flatMap(({ code, products: some }) =>
          code === null || onShow === undefined ? [] : [lineOf(action, code, some)],
        ),
      ])}
    </ul>
  );
}
