import { forgetMapping, getMapping, listMappings, recallMapping } from '@draftshelf/contract/mapping';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call.ts';
import { readKey, readOf } from './read.ts';

/** The columns of an import with samples and alternatives. */
export const readMapping = (importId: string) => readOf(getMapping, { params: { id: importId } });

/** The columns of an import with samples and alternatives. Read when `wanted`. */
export function useMapping(importId: string, wanted: boolean) {
  return useQuery({ ...readMapping(importId), enabled: wanted });
}

export const mappingsRead = () => ({ ...readOf(listMappings), staleTime: 0 });

/** The remembered mappings, newest first. */
export function useMappings() {
  return useQuery(mappingsRead());
}

/** The mapping remembered for files with these headers; null headers: not known yet. */
export function useRecalledMapping(headers: readonly string[] | null) {
  return useQuery({
    queryKey: readKey(recallMapping.path, {}, { headers }),
    queryFn: ({ signal }) => call(recallMapping, { body: { headers: [...(headers ?? [])] }, signal }),
    enabled: headers !== null,
    gcTime: 0,
  });
}

/** Forgets a remembered mapping. Imports keep theirs. */
export function useForgetMapping() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (fingerprint: string) => call(forgetMapping, { params: { fingerprint } }),
    // Not awaited: the screen would remove the button, and with it the callbacks of its call, before they run.
    onSettled: () => void client.invalidateQueries({ queryKey: readKey(listMappings.path) }),
  });
}
