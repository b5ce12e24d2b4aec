import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { Progress, Text } from '@mantine/core';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { ClosingFoot } from './closing-foot.tsx';
import classes from './push-undo.module.css';
import { sumsByAction } from './sum-lines.ts';
import { actionWords } from './undo-words.ts';

/** A preview that is being made: how far it is, what it waits for, and the numbers so far. */
export function PreviewProgress({ undo, onClose }: { undo: PushUndo; onClose: () => void }) {
  const { done, total, message, sums } = undo;
  return (
    <div className={classes.form}>
      <div className={`${classes.columns} ${classes.making}`}>
        <div className={`stack ${classes.summary}`}>
          <Text role="status" className="numbers">
            Comparing with the store: {formatCount(done)} of {countOf(total, 'product')}
          </Text>
          <Progress value={total === 0 ? 0 : (100 * done) / total} aria-label="Compared" />
          <Text size="sm" c="dimmed">
            {message ?? 'Nothing is written to the store. You can close this, the preview goes on.'}
          </Text>
          <ul className={`list ${classes.sums}`} aria-label="What will be done, so far">
            {sumsByAction(sums).map(({ action, products }) => (
              <li key={action} className={`${classes.sum} numbers`} data-action={action} data-still>
                <strong>{formatCount(products)}</strong> <span>{actionWords(action, products, false)}</span>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <ClosingFoot onClose={onClose} />
    </div>
  );
}
