import type { AppliedEdits } from '@draftshelf/contract/review/commands';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { undoDurationMs } from '../../../ui/feedback/toast-state.ts';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { type Edits, useEditPreview } from '../edits/edits-api.ts';
import { leftSentences } from '../edits/left-words.ts';
import { useUndo } from '../edits/use-undo.ts';
import { addStartedCommand } from '../started-commands.ts';

type ApplyProps = {
  importId: string;
  /** What is entered; null while something is missing. */
  edits: Edits | null;
  /** Called instead of applying edits in which something is missing. */
  onIncomplete: () => void;
  onApplied: () => void;
};

/** The preview of what is entered, and what applies it. Nothing is applied that nobody has seen. */
export function useApply({ importId, edits, onIncomplete, onApplied }: ApplyProps) {
  const preview = useShownPreview(importId, edits);
  const apply = useCall('applyEdits', { params: { id: importId } });
  const showApplied = useAppliedNotice(importId);
  const reason = edits === null ? null : reasonToWait(preview);
  /** The shortcut was pressed while the button was disabled. The reason is said until there is none. */
  const [isHeldBack, setHeldBack] = useState(false);
  if (isHeldBack && reason === null) setHeldBack(false);
  const start = () => {
    if (apply.isPending) return;
    if (edits === null) return onIncomplete();
    if (preview.data === undefined || reason !== null) return setHeldBack(true);
    const { sentence, sinceEdit } = preview.data;
    apply.mutateAsync({ body: { ...edits, sinceEdit } }).then(
      // Also when the dialog has been closed meanwhile.
      (reply) => {
        showApplied(reply, sentence);
        onApplied();
      },
      () => {
        // The form shows the error.
      },
    );
  };
  return {
    preview,
    start,
    /** Why the edits cannot be applied now; null: they can. */
    reason,
    /** Why nothing happened when the shortcut was pressed. */
    refusal: isHeldBack ? reason : null,
    isApplying: apply.isPending,
    error: apply.error,
  };
}

/** The preview is requested after this pause in typing. */
const typingPauseMs = 250;

export type ShownPreview = ReturnType<typeof useShownPreview>;

/** The preview of what is entered. `isStale`: what is shown is about something that was entered before. */
function useShownPreview(importId: string, edits: Edits | null) {
  const entered = JSON.stringify(edits);
  const [requested] = useDebouncedValue(entered, typingPauseMs);
  const query = useEditPreview(importId, JSON.parse(requested) as Edits | null);
  const isOld = requested !== entered || query.isPlaceholderData || query.isFetching;
  return {
    data: edits === null ? undefined : query.data,
    error: isOld ? null : query.error,
    isStale: edits !== null && isOld,
    retry: () => void query.refetch(),
  };
}

function reasonToWait({ data, error, isStale }: ShownPreview): string | null {
  if (error !== null) return 'Couldn’t load the preview.';
  if (data === undefined || isStale) return 'The preview is loading.';
  return data.sample.isAll && data.changed.cells === 0 ? 'This would change nothing.' : null;
}

/** Returns the function that tells what a command has done. The page shows a command that goes on in the background. */
export function useAppliedNotice(importId: string) {
  const toast = useToast();
  const { run } = useUndo(importId);
  return ({ command, inBackground, message, left, leftRows }: AppliedEdits, sentence: string) => {
    if (inBackground) {
      addStartedCommand({ importId, command, sentence, isUndo: false, startedMs: Date.now() });
      return;
    }
    toast({
      title: sentence,
      text: [message, ...leftSentences(left, leftRows)],
      isRoutine: true,
      durationMs: undoDurationMs,
      action: {
        words: 'Undo',
        run: () => void run({ commands: [command], direction: 'undo', sentence }),
      },
    });
  };
}
