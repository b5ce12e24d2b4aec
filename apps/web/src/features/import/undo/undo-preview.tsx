import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import classes from './push-undo.module.css';
import type { UndoFilter } from './push-undo-api.ts';
import { UndoFoot } from './undo-foot.tsx';
import { UndoProducts } from './undo-products.tsx';
import { UndoSums } from './undo-sums.tsx';
import { firstFilter, undoFacts } from './undo-words.ts';
import { useNextPreview } from './use-next-preview.tsx';

type UndoPreviewProps = { importId: string; filename: string; undo: PushUndo; onClose: () => void };

/** What an undo would do, in numbers and product by product, with its choices and the button that carries it out. */
export function UndoPreview({ importId, filename, undo, onClose }: UndoPreviewProps) {
  const [asked, setAsked] = useState<UndoFilter | null>(null);
  const [first] = useState(() => firstFilter(undo.sums, false));
  const next = useNextPreview(importId, undo);
  const shown = asked ?? first;
  return (
    <div className={classes.form}>
      <div className={classes.columns}>
        <div className={`stack ${classes.summary}`}>
          <UndoSums sums={undo.sums} isDone={false} shown={shown} onShow={setAsked} />
          {undo.choosableProducts > 0 && (
            <Radio.Group
              className={classes.unsure}
              label="Created products that somebody may have changed"
              size="sm"
              value={undo.whenUnsure}
              onChange={(whenUnsure) => next.begin(whenUnsure as PushUndo['whenUnsure'])}
            >
              <Stack gap={6} mt={6}>
                <Radio value="keep" label="Keep them" />
                <Radio value="archive" label="Archive them" />
              </Stack>
            </Radio.Group>
          )}
          <ul className="list stack quiet">
            {undoFacts(undo).map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </div>
        {shown !== null && (
          <UndoProducts
            key={`${shown.action} ${shown.code}`}
            {...{ importId, undo }}
            filter={shown}
            isAsked={asked !== null}
          />
        )}
      </div>
      <UndoFoot {...{ importId, filename, undo, next, onClose }} />
      {next.question}
    </div>
  );
}
