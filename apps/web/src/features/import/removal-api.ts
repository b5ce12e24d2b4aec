import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { readOf } from '../../api/read.ts';
import { assumeGone, refreshImport } from './imports-api.ts';

/** Begins to delete an import. The lists show it no more, unless it is refused. */
export function useDeletion(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('deleteImport', { params: { id } }),
    onMutate: () => assumeGone(client, id),
    onError: (_error, _none, takeBack) => takeBack?.(),
    onSettled: () => refreshImport(client, id),
  });
}

/** Reads the file of an import again, for rows that were removed. */
export function useReadAgain(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('readAgain', { params: { id } }),
    onSettled: () => refreshImport(client, id),
  });
}

export const retentionRead = () => readOf('getRetention');

/** For how many days rows and files are kept now. */
export const useRetention = () => useQuery(retentionRead());
