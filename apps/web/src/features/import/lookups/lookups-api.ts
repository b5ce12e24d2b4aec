import type { Enrichment } from '@draftshelf/contract/imports/enrichment';
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

/** Reads the rows of an import again when look-ups have found something, or have ended. Null: it has no look-ups. */
export function useRefreshOnFinds(importId: string, enrichment: Enrichment | null): void {
  const client = useQueryClient();
  // The rows name the sources that are still asked.
  const state =
    enrichment &&
    [
      ...enrichment.coverage.map(({ found }) => found),
      ...enrichment.waiting.map(({ source }) => source),
    ].join(' ');
  const seen = useRef({ importId, state });
  useEffect(() => {
    const { importId: seenId, state: before } = seen.current;
    seen.current = { importId, state };
    if (seenId !== importId || before === null || before === state) return;
    client.invalidateQueries({ queryKey: readKey('listRows', { id: importId }) });
  }, [client, importId, state]);
}
