import { ready } from '@draftshelf/contract/operate/health';
import { systemDebug, systemInfo } from '@draftshelf/contract/operate/system';
import { listFields } from '@draftshelf/contract/reading/mapping';
import { route } from '@draftshelf/contract/route';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { CallError, call } from './call.ts';
import { readKey, readOf } from './read.ts';

const readyRead = () => ({
  ...readOf(ready),
  staleTime: 0,
  // A server that is not ready says so with status 503 and the same body.
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    try {
      return await call(ready, { signal });
    } catch (error) {
      const body = error instanceof CallError ? ready.reply.safeParse(error.body) : undefined;
      if (body?.success) return body.data;
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
    mutationFn: () => call(systemInfo),
    onSuccess: ({ database, storage, queue, sessions }) => {
      const checks = { database, storage, queue, sessions };
      client.setQueryData(readKey(ready.path), { ready: database.ok, ...checks });
    },
  });
}

/** It is shown as it comes. */
const debugReport = route({ ...systemDebug, reply: z.unknown() });

/** Reads the debug report, on request. */
export function useDebugReport() {
  return useMutation({ mutationFn: () => call(debugReport) });
}

const fieldsRead = () => readOf(listFields);

/** The fields that a column can be mapped to, with the header names that mean them. */
export function useFields() {
  return useQuery(fieldsRead());
}
