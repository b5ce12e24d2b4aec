import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { assume } from '../../../api/assume.ts';
import { call, type Reply } from '../../../api/call.ts';
import { freshMs, readKey, readOf } from '../../../api/read.ts';

/** The columns of an import with samples and alternatives. */
export const readMapping = (importId: string) => readOf('getMapping', { params: { id: importId } });

/** The columns of an import with samples and alternatives. Read when `wanted`. */
export function useMapping(importId: string, wanted: boolean) {
  return useQuery({ ...readMapping(importId), enabled: wanted });
}

export const mappingsRead = () => ({ ...readOf('listMappings'), staleTime: 0 });

/** The remembered mappings, newest first. */
export function useMappings() {
  return useQuery(mappingsRead());
}

const recalledRead = (headers: readonly string[]) =>
  queryOptions({
    queryKey: readKey('recallMapping', {}, { headers }),
    queryFn: ({ signal }) => call('recallMapping', { body: { headers: [...headers] }, signal }),
    gcTime: 0,
  });

/** The mapping remembered for files with these headers; null headers: not known yet. */
export function useRecalledMapping(headers: readonly string[] | null) {
  return useQuery({ ...recalledRead(headers ?? []), enabled: headers !== null });
}

/** A function that reads the mapping remembered for files with some headers; null if there is none. */
export function useRecall() {
  const client = useQueryClient();
  return useCallback(
    async (headers: readonly string[]) =>
      (await client.fetchQuery({ ...recalledRead(headers), staleTime: freshMs })).mapping,
    [client],
  );
}

/** Forgets a remembered mapping. Imports keep theirs. */
export function useForgetMapping() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (fingerprint: string) => call('forgetMapping', { params: { fingerprint } }),
    onMutate: (fingerprint) =>
      assume<Reply<'listMappings'>>(client, { queryKey: readKey('listMappings'), exact: true }, (mappings) =>
        mappings.filter((mapping) => mapping.fingerprint !== fingerprint),
      ),
    onError: (_error, _fingerprint, takeBack) => takeBack?.(),
    // Not awaited: the screen would remove the button, and with it the callbacks of its call, before they run.
    onSettled: () => void client.invalidateQueries({ queryKey: readKey('listMappings') }),
  });
}
