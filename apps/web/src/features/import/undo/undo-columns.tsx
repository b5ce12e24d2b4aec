import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { Fragment, type ReactNode, useState } from 'react';
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
        <UndoSums sums={sums} gone={undo.gone} isDone={isDone} filter={filter} onShow={setOpenedFilter} />
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

type UndoSumsProps = {
  sums: PushUndo['sums'];
  gone: PushUndo['gone'];
  isDone: boolean;
  /** The products that are listed; null: no list can be shown yet. */
  filter: UndoFilter | null;
  onShow: (filter: UndoFilter) => void;
};

/** The numbers of products by what is done with them, and below them by reason. Each shows its products. */
function UndoSums({ sums, gone, isDone, filter, onShow }: UndoSumsProps) {
  const byAction = sumsWithShown(sums, filter);
  const isShown = ({ action, code }: Omit<UndoFilter, 'results'>) =>
    filter?.action === action && filter.code === code;
  return (
    <ul className={`list ${classes.sums}`} aria-label={isDone ? 'What was done' : 'What will be done'}>
      {byAction.map(({ action, products, reasons }) => (
        <Fragment key={action}>
          <li>
            <button
              type="button"
              className={`${classes.sum} numbers`}
              data-action={action}
              aria-pressed={isShown({ action, code: null })}
              onClick={() => onShow({ action, code: null, results: isDone })}
            >
              <strong>{formatCount(products)}</strong> {actionWords(action, products, { isDone, gone })}
            </button>
          </li>
          {reasons.map(
            (reason) =>
              reason.code !== null && (
                <li key={reason.code}>
                  <button
                    type="button"
                    className={`${classes.sum} numbers`}
                    data-reason
                    aria-pressed={isShown(reason)}
                    onClick={() => onShow({ action, code: reason.code, results: isDone })}
                  >
                    <strong>{formatCount(reason.products)}</strong> {reasonName(reason.code)}
                  </button>
                </li>
              ),
          )}
        </Fragment>
      ))}
    </ul>
  );
}
