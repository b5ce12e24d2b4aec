import type { AiOfImport } from '@draftshelf/contract/enrich/ai';
import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { readKey, readOf } from '../../../api/read.ts';
import { refreshImport } from '../imports-api.ts';

const pollMs = 2000;

/** A field that an AI service can be asked about. */
export type AskedField = AiOfImport['fields'][number];

/** Whether an import is being asked about, also while that waits. */
export const isAsking = ({ state }: Pick<AiOfImport, 'state'>): boolean =>
  state === 'asking' || state === 'waiting';

/** What an import asks the AI service, with an estimate for `fields`; polled while it asks. */
export function useAiOfImport(importId: string, fields: readonly AskedField[]) {
  const query = fields.length === 0 ? {} : { fields: fields.join(',') };
  return useQuery({
    ...readOf('readAiOfImport', { params: { id: importId }, query }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isAsking(data) ? pollMs : false),
    placeholderData: keepPreviousData,
  });
}

/** Asks about a sample of products, or about all that lack something. */
export function useAsking(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { scope: 'sample' | 'all'; fields: AskedField[] }) =>
      call('askAi', { params: { id: importId }, body }),
    onSettled: () => refreshAsking(client, importId),
  });
}

/** Stops asking about an import. */
export function useAskingStop(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('stopAi', { params: { id: importId } }),
    onSettled: () => refreshAsking(client, importId),
  });
}

/** Reads the asking again, and the import, whose tasks and proposals then follow by its own polls. */
function refreshAsking(client: QueryClient, importId: string) {
  return Promise.all([
    client.invalidateQueries({ queryKey: readKey('readAiOfImport', { id: importId }) }),
    refreshImport(client, importId, { rows: false }),
  ]);
}
