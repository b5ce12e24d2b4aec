import type { AppliedEdits } from '@draftshelf/contract/review/commands';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { undoDurationMs } from '../../../ui/feedback/toast-state.ts';
import { addStartedCommand } from '../edits/started-commands.ts';
import { useUndo } from '../edits/use-undo.ts';
import { leftSentences } from './left-words.ts';

/**
 * Returns the function that tells what a command has done, with a way to undo it. The page shows those that go on in
 * the background.
 */
export function useAppliedNotice(importId: string) {
  const toast = useToast();
  const { run } = useUndo(importId);
  return ({ command, inBackground, message, left }: AppliedEdits, sentence: string) => {
    if (inBackground) {
      addStartedCommand({ importId, command, sentence, isUndo: false, startedMs: Date.now() });
      return;
    }
    toast({
      title: sentence,
      text: [message, ...leftSentences(left)],
      isRoutine: true,
      durationMs: undoDurationMs,
      action: {
        words: 'Undo',
        run: () => void run({ commands: [command], direction: 'undo', sentence }),
      },
    });
  };
}
