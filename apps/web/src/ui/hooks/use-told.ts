import type { UseMutationResult } from '@tanstack/react-query';
import { useFailureToast, useToast } from '../feedback/toast.tsx';

/** Returns a function that retries failed work or gives it up, and tells what came of it. */
export function useTold<Action extends { kind: string }>(
  action: UseMutationResult<{ message: string }, Error, Action>,
): (wanted: Action) => void {
  const toast = useToast();
  const failure = useFailureToast();
  return (wanted) =>
    action.mutate(wanted, {
      onSuccess: ({ message }) => {
        failure.dismiss();
        toast({ title: wanted.kind === 'retry' ? 'Retrying' : 'Given Up', text: message });
      },
      onError: (error) =>
        failure.show(wanted.kind === 'retry' ? 'Retry Failed' : 'Give Up Failed', error.message),
    });
}
