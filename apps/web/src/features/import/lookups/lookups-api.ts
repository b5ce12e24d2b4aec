import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../../api/call.ts';
import { readKey } from '../../../api/read.ts';
import { refreshImport } from '../imports-api.ts';

/** 'Update Images'. The import is read again on success. */
export function useImageUpdate(importId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('reprocessImages', { params: { id: importId } }),
    onSuccess: ({ success }) => (success ? refreshImport(client, importId) : undefined),
  });
}

/** Reads the rows of an import again when look-ups have found something, or have ended: `state` changes. */
export function useRefreshOnFinds(importId: string, state: string): void {
  const client = useQueryClient();
  const seen = useRef({ importId, state });
  useEffect(() => {
    const isNew = seen.current.importId === importId && seen.current.state !== state;
    seen.current = { importId, state };
    if (!isNew) return;
    client.invalidateQueries({ queryKey: readKey('listRows', { id: importId }) });
  }, [client, importId, state]);
}
