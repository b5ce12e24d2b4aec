import { useToast } from '../../ui/feedback/toast.tsx';

type Action = { kind: string };

/** Tells what came of retrying failed work, or of giving it up. */
export function useTold() {
  const toast = useToast();
  return {
    failed: (_error: Error, { kind }: Action) => ({
      title: kind === 'retry' ? 'Couldn’t retry' : 'Couldn’t give up',
    }),
    onSuccess: ({ message }: { message: string }, { kind }: Action) => {
      toast({ title: kind === 'retry' ? 'Retrying' : 'Given up', text: message });
    },
  };
}
