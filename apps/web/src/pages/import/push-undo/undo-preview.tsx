import type { PushUndo } from '@draftshelf/contract/push-undo';
import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { type UndoFilter, useUndoPreview } from '../../../api/push-undo.ts';
import { ErrorPanel } from '../../../components/feedback/error-panel.tsx';
import classes from './push-undo.module.css';
import { UndoFoot } from './undo-foot.tsx';
import { UndoProducts } from './undo-products.tsx';
import { UndoSums } from './undo-sums.tsx';
import { firstFilter, undoFacts } from './undo-words.ts';

type UndoPreviewProps = { importId: string; filename: string; undo: PushUndo; onClose: () => void };

/** What an undo would do, in numbers and product by product, with its choices and the button that carries it out. */
export function UndoPreview({ importId, filename, undo, onClose }: UndoPreviewProps) {
  const [asked, setAsked] = useState<UndoFilter | null>(null);
  const [first] = useState(() => firstFilter(undo.sums, false));
  const preview = useUndoPreview(importId, undo);
  const shown = asked ?? first;
  return (
    <div className={classes.form}>
      <div className={classes.columns}>
        <div className={classes.summary}>
          <UndoSums sums={undo.sums} isDone={false} shown={shown} onShow={setAsked} />
          <Radio.Group
            className={classes.unsure}
            label="Created products that somebody may have changed"
            size="sm"
            value={undo.whenUnsure}
            onChange={(whenUnsure) =>
              !preview.isPending && preview.mutate(whenUnsure as PushUndo['whenUnsure'])
            }
          >
            <Stack gap={6} mt={6}>
              <Radio value="keep" label="Keep them" />
              <Radio value="archive" label="Archive them" />
            </Stack>
          </Radio.Group>
          {preview.isError && (
            <ErrorPanel title="The preview wasn’t made again.">{preview.error.message}</ErrorPanel>
          )}
          <ul className={classes.facts}>
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
      <UndoFoot {...{ importId, filename, undo, onClose }} />
    </div>
  );
}
