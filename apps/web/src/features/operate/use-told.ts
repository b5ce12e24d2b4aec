import type { UseMutationResult } from '@tanstack/react-query';
import { useFailureToast, useToast } from '../../ui/feedback/toast.tsx';

/** Returns a function that retries failed work or gives it up, and tells what came of it. */
export function useTold<Action extends { kind: string }>(
  action: UseMutationResult<{ message: string }, Error, Action>,
): (change: Action) => void {
  const toast = useToast();
  const failure = useFailureToast();
  return (change) =>
    action.mutate(change, {
      onSuccess: ({ message }) => {
        failure.dismiss();
        toast({ title: change.kind === 'retry' ? 'Retrying' : 'Given up', text: message });
      },
      onError: (error) =>
        failure.show(change.kind === 'retry' ? 'Couldn’t retry' : 'Couldn’t give up', error.message),
    });
}
