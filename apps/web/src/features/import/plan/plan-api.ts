import {
  type QueryClient,
  useIsMutating,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call, urlOfEndpoint } from '../../../api/call.ts';
import { readOf } from '../../../api/read.ts';
import { refreshImport } from '../imports-api.ts';

const pollMs = 1000;

const planRead = (importId: string) => readOf('getPlan', { params: { id: importId } });

/** The plan of an import's push, followed while it is made. Another tab or a colleague may change rows meanwhile. */
export function usePlan(importId: string) {
  return useQuery({
    ...planRead(importId),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollMs : false),
    refetchOnWindowFocus: true,
  });
}

/**
 * Begins to plan the push of an import, in place of the earlier plan. `unasked`: only if there is none and it takes
 * little, as the server decides.
 */
export function usePlanBegin(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationKey: beginKey(importId),
    mutationFn: ({ unasked }: { unasked: boolean }) =>
      call('beginPlan', { params: { id: importId }, query: unasked ? { unasked: 'true' } : {} }),
    onSettled: (_reply, _error, { unasked }) =>
      unasked ? client.invalidateQueries(planRead(importId)) : refreshImport(client, importId),
  });
}

const beginKey = (importId: string) => ['begin-plan', importId];

/** Whether a plan of an import's push is being begun, also without a request. */
export const useIsPlanBegun = (importId: string): boolean =>
  useIsMutating({ mutationKey: beginKey(importId) }) > 0;

/** Begins to plan the push of an import again, whether or not its page is still shown. */
export async function planAgain(client: QueryClient, importId: string): Promise<void> {
  try {
    await call('beginPlan', { params: { id: importId }, query: {} });
  } finally {
    await refreshImport(client, importId);
  }
}

/** Download of a plan. */
export function planUrl(importId: string): string {
  return urlOfEndpoint('getPlanCsv', { id: importId });
}
