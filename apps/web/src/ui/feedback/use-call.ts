import type { EndpointName } from '@draftshelf/contract/paths';
import {
  type MutationKey,
  type QueryClient,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query';
import { type CallRequest, call, type Reply } from '../../api/call.ts';
import type { ChangeCall } from '../../api/stale-reads.ts';
import { useFailureToast } from './toast.tsx';
import { type ToastRequest, toast } from './toast-state.ts';

type TakeBack = () => void;
type Failed = Pick<ToastRequest, 'title' | 'link'> & { text?: string };

type CallOptions<Input, Output> = Pick<
  UseMutationOptions<Output, Error, Input, TakeBack | undefined>,
  'mutationKey' | 'scope'
> & {
  /** The notification of a failure, or only its title. If absent, the caller shows failures itself. */
  failed?: string | ((error: Error, input: Input) => Failed);
  /** Notification of a success. */
  done?: (output: Output, input: Input) => ToastRequest | false;
  /** A failure notification shared by several hooks, so that a success of one dismisses the failure of another. */
  failure?: ReturnType<typeof useFailureToast>;
  /** Shows the change before the server answers. The change is reverted if the call fails. */
  assume?: (client: QueryClient, input: Input) => Promise<TakeBack> | undefined;
  onSuccess?: (output: Output, input: Input, client: QueryClient) => void;
  onError?: (error: Error, client: QueryClient) => void;
};

/** Returns a mutation that makes a call, with `params` in each request. `api/stale-reads.ts` lists the stale reads. */
export function useCall<const N extends EndpointName>(
  name: N,
  {
    params,
    ...options
  }: CallOptions<CallRequest<N>, Reply<N>> & { params?: Partial<CallRequest<N>['params']> } = {},
) {
  const whole = (request: CallRequest<N>) =>
    ({ ...request, params: { ...params, ...request.params } }) as CallRequest<N>;
  const changes = (request: CallRequest<N>) => [{ name, ...whole(request) } as ChangeCall];
  return useCalls((request: CallRequest<N>) => call(name, whole(request)), changes, options);
}

/** Returns a mutation that may make several calls. `changes` returns the calls that make reads stale. */
export function useCalls<Input, Output>(
  send: (input: Input) => Promise<Output>,
  changes: (input: Input) => readonly ChangeCall[],
  options: CallOptions<Input, Output> = {},
): UseMutationResult<Output, Error, Input, TakeBack | undefined> {
  const client = useQueryClient();
  const ownFailure = useFailureToast();
  const { failure = ownFailure, failed, done, assume, onSuccess, onError, ...rest } = options;
  return useMutation<Output, Error, Input, TakeBack | undefined>({
    ...rest,
    mutationFn: send,
    meta: { changes },
    ...(assume && { onMutate: (input) => assume(client, input) }),
    onSuccess: (output, input) => {
      failure.dismiss();
      const notice = done?.(output, input);
      if (notice) toast(notice);
      onSuccess?.(output, input, client);
    },
    onError: (error, _input, takeBack) => {
      takeBack?.();
      onError?.(error, client);
    },
    // Runs after the stale reads are repeated, so that the screen is up to date when the failure is shown.
    onSettled: (_output, error, input) => {
      if (error === null || failed === undefined) return;
      const shown = typeof failed === 'string' ? { title: failed } : failed(error, input);
      const { title, text = error.message, link }: Failed = shown;
      failure.show(title, text, link);
    },
  });
}

/** Returns the inputs of the unanswered calls with this mutation key. */
export const usePending = <Input>(mutationKey: MutationKey): Input[] =>
  useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Input,
  });
