import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { Fragment } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import classes from './push-undo.module.css';
import type { UndoFilter } from './push-undo-api.ts';
import { actionWords, reasonName, sumsWithShown } from './undo-words.ts';

type UndoSumsProps = {
  sums: PushUndo['sums'];
  /** The sums are results, not a preview. */
  isDone: boolean;
  /** The products that are listed; null: no list can be shown yet. */
  filter: UndoFilter | null;
  onShow: (filter: UndoFilter) => void;
};

/** The numbers of products by what is done with them, and below them by reason. Each shows its products. */
export function UndoSums({ sums, isDone, filter, onShow }: UndoSumsProps) {
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
              <strong>{formatCount(products)}</strong> {actionWords(action, products, isDone)}
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
