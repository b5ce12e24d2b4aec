import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CallError, call, type Reply } from '../../api/call.ts';
import { readKey, readOf } from '../../api/read.ts';

const readyRead = () => ({
  ...readOf('ready'),
  staleTime: 0,
  // A server that is not ready says so with status 503 and the same body.
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    try {
      return await call('ready', { signal });
    } catch (error) {
      const body = error instanceof CallError ? error.body : undefined;
      if (typeof body === 'object' && body !== null && 'ready' in body) return body as Reply<'ready'>;
      throw error;
    }
  },
});

/** Whether the services of the server respond. */
export function useReady() {
  return useQuery(readyRead());
}

/** Reads what runs, on request. What it says about the services replaces what was known. */
export function useSystemInfo() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('systemInfo'),
    onSuccess: ({ database, storage, queue, sessions }) => {
      const checks = { database, storage, queue, sessions };
      client.setQueryData(readKey('ready'), { ready: database.ok, ...checks });
    },
  });
}

/** Reads the debug report, on request. */
export function useDebugReport() {
  return useMutation({ mutationFn: () => call('systemDebug') });
}

const fieldsRead = () => readOf('listFields');

/** The fields that a column can be mapped to, with the header names that mean them. */
export function useFields() {
  return useQuery(fieldsRead());
}
