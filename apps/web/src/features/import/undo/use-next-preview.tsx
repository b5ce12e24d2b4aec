import type { PushUndo } from '@draftshelf/contract/push/push-undo';
import { useState } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { Question } from '../../../ui/feedback/question.tsx';
import { useUndoPreview } from './push-undo-api.ts';

type WhenUnsure = PushUndo['whenUnsure'];

/** Makes a preview again. Choices that were made would be lost, so `question` asks about them first. */
export function useNextPreview(importId: string, undo: PushUndo) {
  const preview = useUndoPreview(importId, undo);
  const [asked, setAsked] = useState<WhenUnsure | null>(null);
  const begin = (whenUnsure: WhenUnsure) => {
    if (preview.isPending) return;
    if (undo.chosenProducts === 0) preview.mutate(whenUnsure);
    else setAsked(whenUnsure);
  };
  const question = (
    <Question
      opened={asked !== null}
      title="Preview again?"
      confirm="Drop Choices"
      keep="Keep Choices"
      onConfirm={() => asked !== null && preview.mutate(asked)}
      onClose={() => setAsked(null)}
    >
      Your choices about {countOf(undo.chosenProducts, 'product')} are dropped.
    </Question>
  );
  return { begin, question, isPending: preview.isPending, error: preview.error };
}
export type NextPreview = ReturnType<typeof useNextPreview>;
